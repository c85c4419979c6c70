import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1)
const SEND = '/api/v1/conversations/conv_1/messages'

/** A request with everything wrong that the checks look for, and one check after the other satisfied. */
const faults = {
  key: { authorization: 'Bearer wrong' },
  subject: { 'x-service-subject': ' ' },
  contentType: { 'content-type': 'text/plain' },
  shape: { 'idempotency-key': 'has space' },
}

describe('the order of checks', () => {
  let withAll: TestServer
  let withoutScope: TestServer
  beforeAll(async () => {
    withAll = await startServer()
    withoutScope = await startServer({ caller: { scopes: new Set(['runs:read']) } })
  })
  afterAll(async () => {
    expect([...withAll.app.contractViolations, ...withoutScope.app.contractViolations]).toEqual([])
    await Promise.all([withAll.close(), withoutScope.close()])
  })
  const send = async (server: TestServer, headers: Record<string, string>, body: string, path = SEND) => {
    const { status, json } = await server.fetch(path, { method: 'POST', headers, body })
    return [status, json.code]
  }

  it('begins with the key, whatever else is wrong [REQ-06, AUTH-01]', async () => {
    const headers = { ...faults.key, ...faults.subject, ...faults.contentType, ...faults.shape }
    expect(await send(withoutScope, headers, TOO_LARGE)).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('goes on with the scope, before the subject [REQ-07, AUTH-20]', async () => {
    const headers = { ...faults.subject, ...faults.contentType, ...faults.shape }
    expect(await send(withoutScope, headers, TOO_LARGE)).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('goes on with the subject, before the size of the body [REQ-08]', async () => {
    const headers = { ...faults.subject, ...faults.contentType, ...faults.shape }
    expect(await send(withAll, headers, TOO_LARGE)).toEqual([400, 'INVALID_REQUEST'])
  })

  it('goes on with the size of the body, before its type and shape [REQ-09]', async () => {
    expect(await send(withAll, { ...faults.contentType, ...faults.shape }, TOO_LARGE)).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
  })

  it('goes on with the type of the body, before its shape', async () => {
    const headers = { ...faults.contentType, ...faults.shape }
    expect(await send(withAll, headers, '{')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('goes on with the shape, before it asks whose the IDs of the path are [REQ-10]', async () => {
    expect(await send(withAll, faults.shape, '{}')).toEqual([400, 'INVALID_REQUEST'])
    expect(await send(withAll, {}, '{}', '/api/v1/conversations/%00/messages')).toEqual([400, 'INVALID_REQUEST'])
    expect(withAll.calls).toEqual([])
  })

  it('leaves everything else to the use case', async () => {
    const body = '{"expected_generation":1,"input":{"text":"x"}}'
    expect(await send(withAll, {}, body)).toEqual([REACHED.status, REACHED.code])
    expect(withAll.calls.map(({ name }) => name)).toEqual(['sendMessage'])
  })
})
