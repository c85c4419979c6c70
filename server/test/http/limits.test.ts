import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  expect(server.app.contractViolations).toEqual([])
  await server.close()
})

const ACCEPTED = [REACHED.status, REACHED.code]

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const { status, json } = await server.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
  return json.errors === undefined ? [status, json.code] : [status, json.code, json.errors]
}
const send = (input: unknown, more: object = {}) =>
  post('/api/v1/conversations/conv_1/messages', { expected_generation: 1, input, ...more })

describe('a message', () => {
  it('may have data nested 128 levels deep', async () => {
    const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(await send({ data: nested(128) })).toEqual(ACCEPTED)
    expect((await send({ data: nested(129) }))[0]).toBe(400)
  })
})

describe('an idempotency key', () => {
  it('cannot be given twice', async () => {
    const head =
      'POST /api/v1/runs/run_1/cancel HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a-key\r\nx-service-subject: s\r\n'
    const rest = 'content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'
    expect(await server.raw(`${head}idempotency-key: a\r\nidempotency-key: a\r\n${rest}`)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('a body of another type', () => {
  it('is refused for its type, before its shape is looked at', async () => {
    const headers = { 'content-type': 'text/plain', 'idempotency-key': 'has space' }
    const answer = await server.fetch('/api/v1/conversations/conv_1/messages', { method: 'POST', headers, body: '{' })
    expect([answer.status, answer.json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})
