import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { describe, expect, it } from 'vitest'
import { createAdminHandlers } from '../../src/http/handlers/admin.ts'
import type { Db } from '../../src/store/db.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { HEADERS, oneKey, requestHead, serverOfTest, statusesIn } from './support.ts'

const bearerRoutes = Object.values(OPERATIONS).filter(({ security }) => security === 'apiKey')
const pathOf = (template: string): string => template.replaceAll(/\{\w+\}/g, 'some_id')

describe('a bearer route', () => {
  it('answers 403 to a key without a required scope, and names the scopes', async () => {
    const { fetch } = await serverOfTest({ caller: { scopes: new Set() } })
    const { json } = await fetch('/api/v1/operations/op_1')
    expect(json).toMatchObject({ status: 403, detail: expect.stringContaining('conversations:read or runs:read') })
  })

  it.each([
    ['authorization', 401],
    ['idempotency-key', 400],
  ] as const)('refuses a repeated %s header with %i', async (name, status) => {
    const { raw } = await serverOfTest()
    const head = requestHead('POST /api/v1/runs/run_1/cancel', { 'content-length': '2', connection: 'close' })
    const repeated = head.replace('\r\n\r\n', `\r\n${name}: ${HEADERS[name]}\r\n\r\n`)
    expect(statusesIn(await raw(repeated, '{}'))).toEqual([status])
  })

  it('answers 503 with Retry-After if the database of keys is unavailable [ERR-39]', async () => {
    const { fetch } = await serverOfTest({
      authenticator: { ...oneKey(), authenticate: () => Promise.reject(new DatabaseUnavailable('connection refused')) },
    })
    const { status, headers, json, text } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'CAPABILITY_UNAVAILABLE', '1'])
    expect(text).not.toContain('connection refused')
  })
})

describe('the operator surface', () => {
  it('clears the key cache of its process when keys or applications change [AUTH-25]', async () => {
    const away = () => Promise.reject(new DatabaseUnavailable('connection refused'))
    const db = { query: away, transaction: away } as Pick<Db, 'query' | 'transaction'> as Db
    let forgotten = 0
    const process = {
      processId: 'p',
      startedAt: new Date(0),
      readCounts: async () => ({ admitted: 0, replayed: 0, refusals: [] }),
    }
    const { fetch } = await serverOfTest({
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

describe('a client address with too many failed attempts', () => {
  const limited = refuse('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 3 })

  it('gets 429 with Retry-After from every route that requires a key or the admin token [ERR-39]', async () => {
    const { fetch, calls } = await serverOfTest({
      authenticator: { ...oneKey(), authenticate: () => limited },
      failureLimit: { refuse: () => limited, count: () => {} },
    })
    for (const { method, path } of [...bearerRoutes, ...Object.values(ADMIN_OPERATIONS)]) {
      const authorization = 'Bearer a-guess'
      const { status, headers, json } = await fetch(pathOf(path), { method, headers: { authorization } })
      expect([path, status, json.code, headers.get('retry-after')]).toEqual([path, 429, 'RATE_LIMITED', '3'])
    }
    expect(calls).toEqual([])
  })

  it.each([
    ['the address of the connection', false, '127.0.0.1'],
    ['the last forwarded address behind a trusted proxy', true, '203.0.113.7'],
  ])('is %s', async (_, trustProxy, address) => {
    const counted: string[] = []
    const { fetch } = await serverOfTest({
      trustProxy,
      failureLimit: { refuse: () => null, count: ({ ip }) => counted.push(ip) },
    })
    const headers = { authorization: 'Bearer a-guess', 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
    expect((await fetch('/admin/v1/apps', { headers })).status).toBe(401)
    expect(counted).toEqual([address])
  })
})
