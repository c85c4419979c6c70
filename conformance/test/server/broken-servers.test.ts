import { describe, expect, it } from 'vitest'
import { START_MS, WHOLLY_BROKEN } from '../../broken/gateways/servers.ts'
import type { ServerConfig } from '../../src/kit/config/server-config.ts'
import { SystemAbsentError } from '../../src/kit/system.ts'
import { runSuite } from '../../src/run/run-suite.ts'
import { describeEverything } from './describe-everything.ts'

const DEADLINES: ServerConfig['deadlines'] = { startMs: START_MS, answerMs: 30_000, settleMs: 500, quietMs: 10 }

const examine = async (baseUrl: string) => {
  try {
    return await runSuite({
      target: 'server',
      config: { ...describeEverything(baseUrl), deadlines: DEADLINES },
      profile: 'reference',
    })
  } catch (error) {
    if (error instanceof SystemAbsentError) return error
    throw error
  }
}

describe('the suite, examining a server that', () => {
  it.each(WHOLLY_BROKEN)('$name, reports the cause', async ({ start, verdict }) => {
    const server = await start()
    try {
      const result = await examine(server.origin)
      if ('absent' in verdict) {
        expect(result).toBeInstanceOf(SystemAbsentError)
        expect(result).toHaveProperty('message', expect.stringContaining(verdict.absent))
        return
      }
      if (result instanceof Error) throw result
      expect(result.conformant).toBe(false)
      expect(result.checks.filter(({ status }) => status === 'passed').map(({ id }) => id)).toEqual([])
      expect(result.causes[0]?.cause).toContain(verdict.cause)
      expect(result.causes[0]?.checks.length).toBeGreaterThan(100)
    } finally {
      await server.close()
    }
  })
})
