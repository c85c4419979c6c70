import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeSettings } from '../server/src/app/settings/config.ts'

/** The longest time from the end of a gateway's drain to its exit, in seconds. */
const END_SECONDS = 10

it.each([
  ['deploy/systemd/conversation-gateway.service', /^TimeoutStopSec=(\d+)$/m],
  ['deploy/compose.yaml', /stop_grace_period: (\d+)s/],
  ['docs/guides/deploy.md', /`terminationGracePeriodSeconds: (\d+)`/],
  ['docs/guides/deploy.md', /`--stop-timeout (\d+)`/],
  ['docs/guides/devices-elsewhere.md', /stop_grace_period: (\d+)s/],
])('%s allows a gateway the time that it needs to stop with default settings: %s', async (file, pattern) => {
  const drain = describeSettings().find(({ name }) => name === 'GATEWAY_DRAIN_MS')
  const text = await readFile(join(import.meta.dirname, '..', file), 'utf8')
  expect(Number(pattern.exec(text)?.[1])).toBe(Number(drain?.default) / 1000 + END_SECONDS)
})
