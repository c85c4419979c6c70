import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const UNIT = join(import.meta.dirname, '../systemd/conversation-gateway.service')
/** The maximum exposure level, in tenths: 2.0. A unit without restrictions has more than 9. */
const MOST_EXPOSED = '20'

test('the systemd unit is valid, can be enabled, and confines the process well', () => {
  if (!existsSync('/usr/bin/systemd-analyze')) throw new Error('This test needs the Debian package systemd.')
  const analyze = (...args: string[]): string =>
    execFileSync('systemd-analyze', [...args, UNIT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  expect(analyze('verify', '--man=no')).toBe('')
  expect(analyze('security', '--offline=yes', '--no-pager', `--threshold=${MOST_EXPOSED}`)).toMatch(/exposure level/)
})
