import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { afterEach, describe, expect, it } from 'vitest'
import { createAdminHandlers } from '../../src/http/handlers/admin.ts'
import type { Db } from '../../src/store/db.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { oneKey, startServer } from './support.ts'

const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.app.contractViolations).toEqual([])
    await server.close()
  }
})

const bearerRoutes = Object.values(OPERATIONS).filter(({ security }) => security === 'apiKey')
const pathOf = (template: string): string => template.replaceAll(/\{\w+\}/g, 'some_id')

describe('a bearer route', () => {
  it('answers 403 to a key without any scope, and names what is needed', async () => {
    const { fetch } = await start({ caller: { scopes: new Set() } })
    const { json } = await fetch('/api/v1/operations/op_1')
    expect(json).toMatchObject({ status: 403, detail: expect.stringContaining('conversations:read or runs:read') })
  })

  it('refuses repeated Authorization headers', async () => {
    const { raw } = await start()
    const answer = await raw(
      'GET /api/v1/runs/run_1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a-key\r\nauthorization: Bearer a-key\r\n',
      'x-service-subject: s\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('answers 503 with Retry-After while keys cannot be looked up [ERR-39]', async () => {
    const { fetch } = await start({
      authenticator: { ...oneKey(), authenticate: () => Promise.reject(new DatabaseUnavailable('connection refused')) },
    })
    const { status, headers, json, text } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'CAPABILITY_UNAVAILABLE', '1'])
    expect(text).not.toContain('connection refused')
  })
})

describe('the operator surface', () => {
  it('clears this process’s key cache after changes to keys and applications [AUTH-25]', async () => {
    const away = () => Promise.reject(new DatabaseUnavailable('connection refused'))
    const db = { query: away, transaction: away } as Pick<Db, 'query' | 'transaction'> as Db
    let forgotten = 0
    const process = {
      processId: 'p',
      startedAt: new Date(0),
      readCounts: async () => ({ admitted: 0, replayed: 0, refusals: [] }),
    }
    const { fetch } = await start({
      adminHandlers: createAdminHandlers(testContext(db, createTestClock()), {
        process,
        history: { read: away },
        timers: createManualTimers(),
        forgetKeys: () => forgotten++,
      }),
    })
    await fetch('/admin/v1/apps/app_1', { method: 'PATCH', body: '{"state":"disabled"}' })
    await fetch('/admin/v1/apps/app_1/keys/key_1/revoke', { method: 'POST' })
    await fetch('/admin/v1/apps/app_1/keys', { method: 'POST', body: '{"scopes":["runs:read"]}' })
    await fetch('/admin/v1/apps/app_1')
    expect(forgotten).toBe(3)
  })
})

describe('an address that has failed too often', () => {
  const limited = refuse('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 3 })

  it('is answered 429 with Retry-After on every route that takes a key or the admin token [ERR-39]', async () => {
    const { fetch, calls } = await start({
      authenticator: { ...oneKey(), authenticate: () => limited },
      strangers: { refuse: () => limited, count: () => {} },
    })
    for (const { method, path } of [...bearerRoutes, ...Object.values(ADMIN_OPERATIONS)]) {
      const authorization = 'Bearer a-guess'
      const { status, headers, json } = await fetch(pathOf(path), { method, headers: { authorization } })
      expect([path, status, json.code, headers.get('retry-after')]).toEqual([path, 429, 'RATE_LIMITED', '3'])
    }
    expect(calls).toEqual([])
  })

  it.each([
    { trustProxy: false, counted: '127.0.0.1' },
    { trustProxy: true, counted: '203.0.113.7' },
  ])('is the last one that a trusted proxy names, and else the other end of the connection: $counted', async (each) => {
    const counted: string[] = []
    const { fetch } = await start({
      trustProxy: each.trustProxy,
      strangers: { refuse: () => null, count: ({ ip }) => counted.push(ip) },
    })
    const headers = { authorization: 'Bearer a-guess', 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
    expect((await fetch('/admin/v1/apps', { headers })).status).toBe(401)
    expect(counted).toEqual([each.counted])
  })
})
