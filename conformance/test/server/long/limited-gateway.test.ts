import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerConfig } from '../../../src/kit/config/server-config.ts'
import { startReferenceGateway } from '../../../src/run/reference/index.ts'
import { runSuite } from '../../../src/run/run-suite.ts'

/** Far below the rate at which the suite sends requests without a limit. */
const REQUESTS_PER_SECOND = 40

let gateway: ServerConfig
beforeAll(async () => {
  gateway = await startReferenceGateway({ gatewayDir: join(import.meta.dirname, '../../../..'), another: false })
  await gateway.driver?.limitApp?.('first', { requestsPerSecond: REQUESTS_PER_SECOND })
})
afterAll(() => gateway?.stop?.())

it('passes a gateway that limits requests, and reports the delays', async () => {
  const report = await runSuite({
    target: 'server',
    config: { ...gateway, stop: async () => {} },
    rules: ['IDEM', 'ERR', 'LIST'],
    requirements: 'all',
  })
  expect(
    report.checks.filter(({ status }) => status === 'failed').map(({ id, message }) => `${id}: ${message}`),
  ).toEqual([])
  expect(report.pacing.waits).toBeGreaterThan(0)
})
