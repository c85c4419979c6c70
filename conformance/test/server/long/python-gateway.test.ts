import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runSuite } from '../../../src/run/run-suite.ts'

const CONFIG = fileURLToPath(new URL('../../../examples/python-gateway/gateway.config.mjs', import.meta.url))

/** The Python example keeps all data in memory, reads no settings, and announces nothing over HTTP. */
const UNTESTABLE = [
  'callbacks/allowlist-forms',
  'callbacks/allowlist-setting',
  'conversations/survives-a-restart',
  'general/admitted-survives-a-kill',
  'general/announced-origin-only',
  'webhooks/accepted-durably',
]

it('the Python example follows every rule of core, with the control protocol alone', async () => {
  const { status, error } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))'])
  if (status !== 0)
    throw new Error(`The Python gateway needs python3, 3.11 or later (Debian: apt install python3). ${error ?? ''}`)
  const { checks } = await runSuite({ target: 'server', config: CONFIG, profile: 'core' })
  const others = checks.filter(({ id, status }) => status !== 'passed' && !UNTESTABLE.includes(id))
  expect(others.map(({ id, status, message }) => ({ id, status, message }))).toEqual([])
  const untestable = checks.filter(({ status }) => status === 'untestable').map(({ id }) => id)
  expect(untestable.toSorted()).toEqual(UNTESTABLE)
}, 600_000)
