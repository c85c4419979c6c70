import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import { serverOfTest } from './support.ts'

const SEND = '/api/v1/conversations/conv_1/messages'
const MESSAGE = '{"expected_generation":1,"input":{"text":"x"}}'

describe('a refusal by a handler', () => {
  it('lists at most 20 faults, and shortens long pointers [ERR-23, ERR-40]', async () => {
    const faults = Array.from({ length: 500 }, (_, index) => ({
      pointer: `/${index}/${'x'.repeat(5000)}`,
      message: 'is odd',
    }))
    const { fetch } = await serverOfTest({
      handlers: { sendMessage: async () => refuse('INVALID_REQUEST', '', { faults }) },
    })
    const { json } = await fetch(SEND, { method: 'POST', body: MESSAGE })
    expect([json.errors.length, json.more_faults]).toEqual([20, true])
    expect(json.errors[7]).toEqual({ pointer: '/7', message: 'is odd' })
  })
})

describe('an error in the gateway', () => {
  it('is a 500 without its cause, which the log shows with the request ID [ERR-24, ERR-38]', async () => {
    const secret = 'select secret from api_keys'
    const { fetch, lines } = await serverOfTest({
      handlers: { getRun: () => Promise.reject(new Error(secret)) },
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

  it('is a 503 with Retry-After if the database is unavailable [ERR-16, ERR-39]', async () => {
    const { fetch } = await serverOfTest({
      handlers: { getRun: () => Promise.reject(new DatabaseUnavailable('no route to 10.0.0.7')) },
    })
    const { status, headers, json, text } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'CAPABILITY_UNAVAILABLE', '1'])
    expect(text).not.toContain('10.0.0.7')
  })
})
