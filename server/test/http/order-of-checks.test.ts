import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

const SEND = '/api/v1/conversations/conv_1/messages'

/** A request with everything wrong that the checks look for, and one check after the other satisfied. */
const faults = {
  contentType: { 'content-type': 'text/plain' },
  shape: { 'idempotency-key': 'has space' },
}

describe('the order of checks', () => {
  let withAll: TestServer
  beforeAll(async () => {
    withAll = await startServer()
  })
  afterAll(async () => {
    expect(withAll.app.contractViolations).toEqual([])
    await withAll.close()
  })
  const send = async (server: TestServer, headers: Record<string, string>, body: string) => {
    const { status, json } = await server.fetch(SEND, { method: 'POST', headers, body })
    return [status, json.code]
  }

  it('goes on with the type of the body, before its shape', async () => {
    const headers = { ...faults.contentType, ...faults.shape }
    expect(await send(withAll, headers, '{')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('leaves everything else to the handler', async () => {
    const body = '{"expected_generation":1,"input":{"text":"x"}}'
    expect(await send(withAll, {}, body)).toEqual([REACHED.status, REACHED.code])
    expect(withAll.calls.map(({ operationId }) => operationId)).toEqual(['sendMessage'])
  })
})
