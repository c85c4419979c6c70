import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PARTLY_BROKEN } from '../../broken/gateways/faults.ts'
import { startDisturbingProxy } from '../../broken/gateways/proxy.ts'
import type { ServerConfig } from '../../src/kit/config/server-config.ts'
import { startReferenceGateway } from '../../src/run/reference/index.ts'
import { runSuite } from '../../src/run/run-suite.ts'

const DEADLINES: ServerConfig['deadlines'] = { answerMs: 2000, settleMs: 2000, quietMs: 50 }

/** Tests that the suite completes its examination of gateways with these faults, and names their causes. */
export const describeFaultyGateways = (faults: typeof PARTLY_BROKEN): void => {
  let gateway: ServerConfig
  beforeAll(async () => {
    gateway = await startReferenceGateway({ gatewayDir: join(import.meta.dirname, '../../..'), another: false })
  })
  afterAll(() => gateway?.stop?.())

  /** A configuration without a driver, because a driver would bypass the proxy. */
  const behind = (baseUrl: string): ServerConfig => {
    const { apps, subjects, services } = gateway
    return { baseUrl, apps, subjects, services, deadlines: DEADLINES }
  }

  describe('the suite, examining a gateway that', () => {
    it.each(faults)('$name, gives every check its verdict and names the cause', async ({ fault, select, cause }) => {
      const proxy = await startDisturbingProxy(gateway.baseUrl, fault)
      try {
        const report = await runSuite({
          target: 'server',
          config: behind(proxy.origin),
          profile: 'reference',
          ...select,
        })
        expect(report.checks.every(({ status, message }) => status === 'passed' || message !== null)).toBe(true)
        expect(report.conformant).toBe(false)
        expect(report.causes.map((group) => group.cause)).toContainEqual(expect.stringContaining(cause))
        for (const { message } of report.checks)
          expect(message ?? '').not.toMatch(/Cannot read properties|is not iterable|is not a function/)
      } finally {
        await proxy.close()
      }
    })
  })
}
