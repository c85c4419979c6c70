import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { afterEach, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { startServer } from './support.ts'

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

const SEND = '/api/v1/conversations/conv_1/messages'
const MESSAGE = '{"expected_generation":1,"input":{"text":"x"}}'

describe('a refusal', () => {
  const refusing = (refusal: Refusal): TestServerOptions => ({ handlers: { sendMessage: async () => refusal } })

  it('names the places of its faults, at most twenty, and never at any length [ERR-23, ERR-40]', async () => {
    const faults = Array.from({ length: 500 }, (_, index) => ({
      pointer: `/${index}/${'x'.repeat(5000)}`,
      message: 'is odd',
    }))
    const { fetch } = await start(refusing(refuse('INVALID_REQUEST', '', { faults })))
    const { json } = await fetch(SEND, { method: 'POST', body: MESSAGE })
    expect([json.errors.length, json.more_faults]).toEqual([20, true])
    expect(json.errors[7]).toEqual({ pointer: '/7', message: 'is odd' })
  })
})

describe('a fault of the gateway', () => {
  it('answers 500 without a word about its cause, which the log has under the request’s ID [ERR-24, ERR-38]', async () => {
    const secret = 'select secret from api_keys'
    const { fetch, lines } = await start({
      handlers: {
        getRun: async () => {
          throw new Error(secret)
        },
      },
    })
    const { status, json, text, headers } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code]).toEqual([500, 'INTERNAL'])
    expect(text).not.toContain('select')
    expect(text).not.toContain('.ts')
    const logged = lines.find(({ message }) => message === 'fault')
    expect(logged).toMatchObject({
      request_id: headers.get('x-request-id'),
      operation: 'getRun',
      err: { message: secret },
    })
  })

  it('answers 503 with Retry-After when the database is unavailable [ERR-16, ERR-39]', async () => {
    const { fetch } = await start({
      handlers: { getRun: () => Promise.reject(new DatabaseUnavailable('no route to 10.0.0.7')) },
    })
    const { status, headers, json, text } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'CAPABILITY_UNAVAILABLE', '1'])
    expect(text).not.toContain('10.0.0.7')
  })
})
