import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { ErrorCode } from '@conversation-gateway/openapi/generated/errors'
import { ERRORS } from '@conversation-gateway/openapi/generated/errors'
import { afterEach, describe, expect, it } from 'vitest'
import { equalFingerprints } from '../../src/domain/fingerprint.ts'
import type { IdempotentRequest } from '../../src/gateway/intention.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import type { TestServer, TestServerOptions } from './support.ts'
import { ADMISSION, CONVERSATION, RUN, startServer } from './support.ts'

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

describe('an answer', () => {
  it('is the record of the use case, with its status [CONV-01]', async () => {
    const { fetch } = await start({
      useCases: {
        createConversation: async () => ({ kind: 'admitted', status: 201, body: CONVERSATION, replayed: false }),
        readRun: async () => ({ kind: 'found', body: RUN }),
      },
    })
    const created = await fetch('/api/v1/conversations', { method: 'POST', body: '{"endpoint_id":"ep_1"}' })
    expect([created.status, created.json]).toEqual([201, CONVERSATION])
    expect(created.headers.get('content-type')).toMatch(/^application\/json/)
    const read = await fetch('/api/v1/runs/run_1')
    expect([read.status, read.json]).toEqual([200, RUN])
  })

  it('says whether it is given again, on replays and only there [IDEM-22]', async () => {
    let replayed = false
    const { fetch } = await start({
      useCases: { sendMessage: async () => ({ kind: 'admitted', status: 202, body: ADMISSION, replayed }) },
    })
    const first = await fetch(SEND, { method: 'POST', body: MESSAGE })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null])
    replayed = true
    const second = await fetch(SEND, { method: 'POST', body: MESSAGE })
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
  })

  it('carries the caller’s request ID where it can be used, and a new one otherwise [REQ-03, REQ-04, REQ-05]', async () => {
    const { fetch, raw } = await start()
    for (const id of ['a', '~'.repeat(128), 'req-1/2'])
      expect((await fetch('/api/v1/runs/run_1', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(
        id,
      )
    for (const id of ['', '~'.repeat(129), 'a b', 'a\u00e4']) {
      const { headers, json } = await fetch('/api/v1/runs/run_1', { headers: { 'x-request-id': id } })
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
      expect(json.request_id).toBe(headers.get('x-request-id'))
    }
    for (const path of ['/', '/healthz', '/metrics', '/docs/', '/openapi.json', '/nothing', '/%zz'])
      expect((await fetch(path, { bare: true })).headers.get('x-request-id')).toMatch(/^req_/)
    expect(await raw('nonsense\r\n\r\n')).toMatch(/x-request-id: req_/)
  })
})

describe('the fingerprint of a request', () => {
  const fingerprintsOf = async (requests: [path: string, body: string][]): Promise<Uint8Array[]> => {
    const { fetch, calls } = await start()
    for (const [path, body] of requests) await fetch(path, { method: 'POST', body })
    return calls.map(({ args }) => {
      const request = args.find(
        (arg): arg is IdempotentRequest => typeof arg === 'object' && arg !== null && 'fingerprint' in arg,
      )
      if (request === undefined) throw new Error('the use case got no fingerprint')
      expect(request.key).toBe('key-1')
      return request.fingerprint
    })
  }

  it('does not depend on the order of members or on white space [IDEM-14]', async () => {
    const [a, b] = await fingerprintsOf([
      [SEND, '{"expected_generation":1,"input":{"text":"x","data":{"a":1,"b":2}}}'],
      [SEND, ' { "input" : { "data":{"b":2,"a":1.0}, "text":"\\u0078" }, "expected_generation" : 1 } '],
    ])
    expect(a !== undefined && b !== undefined && equalFingerprints(a, b)).toBe(true)
  })

  it('depends on the operation, on the IDs of the path and on the content [IDEM-12, IDEM-13, IDEM-14]', async () => {
    const fingerprints = await fingerprintsOf([
      [SEND, MESSAGE],
      [SEND, '{"expected_generation":2,"input":{"text":"x"}}'],
      [SEND, '{"expected_generation":1,"input":{"text":"x","data":{}}}'],
      ['/api/v1/conversations/conv_2/messages', MESSAGE],
      ['/api/v1/conversations/conv_1/reset', '{"expected_generation":1}'],
      ['/api/v1/runs/run_1/cancel', '{}'],
      ['/api/v1/runs/run_2/cancel', '{}'],
    ])
    expect(new Set(fingerprints.map((each) => Buffer.from(each).toString('hex'))).size).toBe(fingerprints.length)
  })
})

describe('a refusal', () => {
  const refusing = (refusal: Refusal): TestServerOptions => ({ useCases: { sendMessage: async () => refusal } })
  const SENT: ErrorCode[] = [
    'GENERATION_CONFLICT',
    'BUSY',
    'IDEMPOTENCY_CONFLICT',
    'QUEUE_FULL',
    'PENDING_LIMIT',
    'CAPABILITY_UNAVAILABLE',
    'PERMISSION_DENIED',
    'NOT_FOUND',
    'INVALID_REQUEST',
  ]

  it.each(SENT)(
    'is a problem with the status of its code: %s [ERR-18, ERR-20, ERR-21, ERR-22, ERR-32, ERR-33]',
    async (code) => {
      const { fetch } = await start(refusing(refuse(code, 'Because.')))
      const { status, headers, json } = await fetch(SEND, { method: 'POST', body: MESSAGE })
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(json).toEqual({
        type: `/docs/errors#${code}`,
        title: ERRORS[code].title,
        status,
        detail: 'Because.',
        code,
        request_id: headers.get('x-request-id'),
      })
      expect(status).toBe(ERRORS[code].status)
    },
  )

  it('says in whole seconds when to try again, on every 429 and 503 [ERR-14, ERR-39]', async () => {
    const { fetch } = await start(refusing(refuse('QUEUE_FULL', '', { retryAfterSeconds: 17 })))
    const { headers } = await fetch(SEND, { method: 'POST', body: MESSAGE })
    expect(headers.get('retry-after')).toBe('17')
    const { fetch: another } = await start(refusing(refuse('PENDING_LIMIT', '')))
    expect((await another(SEND, { method: 'POST', body: MESSAGE })).headers.get('retry-after')).toMatch(/^\d+$/)
  })

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

  it('leads to a page that has the code [ERR-19]', async () => {
    const { fetch } = await start({ siteFolder: '/nowhere' })
    const { status, text } = await fetch('/docs/errors', { bare: true })
    expect(status).toBe(200)
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`<section id="${code}">`)
  })
})

describe('a fault of the gateway', () => {
  it('answers 500 without a word about its cause, which the log has under the request’s ID [ERR-24, ERR-38]', async () => {
    const secret = 'select secret from api_keys'
    const { fetch, lines } = await start({
      useCases: {
        readRun: async () => {
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

  it('answers 503 with Retry-After when the database is away [ERR-16, ERR-39]', async () => {
    const { fetch } = await start({
      useCases: { readRun: () => Promise.reject(new DatabaseUnavailable('no route to 10.0.0.7')) },
    })
    const { status, headers, json, text } = await fetch('/api/v1/runs/run_1')
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'CAPABILITY_UNAVAILABLE', '1'])
    expect(text).not.toContain('10.0.0.7')
  })
})
