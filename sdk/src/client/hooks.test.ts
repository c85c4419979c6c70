import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-timing.ts'
import { connect as connectClient } from '../../test/support/scripted-client.ts'
import { createScriptedFetch, hang, json, lost, problem, type Reply, raw } from '../../test/support/scripted-fetch.ts'
import { KEY, ORIGIN } from '../../test/support/settings.ts'
import { collectUnhandled } from '../../test/support/unhandled.ts'
import { isApiError } from '../errors.ts'
import type { Decision } from '../transport/decision-report.ts'
import type { Hooks, RequestInfo, ResponseInfo, TracedCall, Tracing } from '../transport/observed-call.ts'
import { createWebhookSender } from '../webhooks/index.ts'

const EVENT = { event_id: 'evt_1', type: 'run.completed', seq: 7, payload: {} }
const FRAME = `id: 7\nevent: run.completed\ndata: ${JSON.stringify(EVENT)}\n\n`
const stream = raw(200, FRAME, { 'content-type': 'text/event-stream', 'x-request-id': 'req_s' })

const connect = (replies: readonly Reply[], hooks: Hooks) => {
  const decisions: Decision[] = []
  const onDecision = (decision: Decision): void => void decisions.push(decision)
  return { ...connectClient(replies, { onDecision, ...hooks }), decisions }
}

/** Records what the hooks report. */
const listen = () => {
  const begun: RequestInfo[] = []
  const ended: ResponseInfo[] = []
  const onRequest = (request: RequestInfo): undefined => void begun.push(request)
  const onResponse = (response: ResponseInfo): void => void ended.push(response)
  return { begun, ended, hooks: { onRequest, onResponse } }
}

const fail = (): never => {
  throw new Error('no')
}
const reject = (): never => Promise.reject(new Error('no')) as never
const TRACED: TracedCall = { onRequest: () => undefined, run: (send) => send(), onResponse: () => {}, end: () => {} }

const listenToCalls = () => {
  const lines: string[] = []
  const tracing: Tracing = {
    startCall: (operationId) => {
      lines.push(`start ${operationId}`)
      return {
        onRequest: ({ attempt }) => {
          lines.push(`request ${attempt}`)
          return { traceparent: `00-${attempt}` }
        },
        run: (send) => {
          lines.push('inside')
          send()
        },
        onResponse: ({ attempt, status, trouble }) => lines.push(`response ${attempt} ${status} ${trouble}`),
        end: (error) => lines.push(error === undefined ? 'end' : `end ${String(error)}`),
      }
    },
  }
  return { lines, tracing }
}

describe('the hooks of a client', () => {
  it('receive every attempt, with its operation, duration and request ID', async () => {
    const { begun, ended, hooks } = listen()
    const { client, timing } = connect([lost, problem('INTERNAL'), json(200, {})], hooks)
    await timing.drive(client.runs.get('run_1'))
    const request = { operationId: 'getRun', method: 'GET', url: `${ORIGIN}/api/v1/runs/run_1` }
    expect(begun).toEqual([1, 2, 3].map((attempt) => ({ ...request, attempt })))
    const common = { ...request, durationMs: 0 }
    expect(ended).toEqual([
      { ...common, attempt: 1, status: null, code: null, requestId: null, trouble: 'connection' },
      { ...common, attempt: 2, status: 500, code: 'INTERNAL', requestId: 'req_1', trouble: 'refused' },
      { ...common, attempt: 3, status: 200, code: null, requestId: 'req_1', trouble: null },
    ])
  })

  it('measure an attempt from sending to its end', async () => {
    const { ended, hooks } = listen()
    const { client, timing } = connect([hang], hooks)
    const call = client.runs.get('run_1', { maxAttempts: 1 })
    await expect(timing.drive(call)).rejects.toThrow('15000 ms')
    expect(ended).toMatchObject([{ durationMs: 15_000, trouble: 'timeout' }])
  })

  it('count the attempts of each call from 1, for every subject', async () => {
    const { begun, hooks } = listen()
    const { client } = connect([json(200, {}), json(200, {})], hooks)
    await client.runs.get('run_1')
    await client.forSubject('customer-2').runs.get('run_2')
    expect(begun.map(({ attempt }) => attempt)).toEqual([1, 1])
  })

  it('receive every connection of a stream', async () => {
    const { begun, ended, hooks } = listen()
    const { client, timing } = connect([lost, stream], hooks)
    const take = async () => {
      for await (const { seq } of client.runs.events('run_1')) return seq
      return null
    }
    expect(await timing.drive(take())).toBe(7)
    expect(begun.map(({ operationId, attempt }) => [operationId, attempt])).toEqual([
      ['streamRunEvents', 1],
      ['streamRunEvents', 2],
    ])
    expect(ended).toMatchObject([{ trouble: 'connection' }, { trouble: null, status: 200, requestId: 'req_s' }])
  })

  it('add headers to one request, and cannot replace those of the client or the call', async () => {
    const onRequest = ({ attempt }: RequestInfo) => ({
      traceparent: `00-${attempt}`,
      Authorization: 'Bearer another',
      'X-Mine': 'hook',
    })
    const { client, timing, requests } = connect([lost, json(200, {})], { onRequest })
    await timing.drive(client.runs.get('run_1', { headers: { 'x-mine': 'call' } }))
    expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual(['00-1', '00-2'])
    for (const { headers } of requests) {
      expect(headers.get('authorization')).toBe(`Bearer ${KEY}`)
      expect(headers.get('x-mine')).toBe('call')
    }
  })

  it.each<[string, Hooks]>([
    ['an onRequest that throws', { onRequest: fail }],
    ['an onRequest that returns an invalid header', { onRequest: () => ({ traceparent: 'two\r\nlines' }) }],
    ['an onResponse that throws', { onResponse: fail }],
    ['tracing that cannot start', { tracing: { startCall: fail } }],
    ['an onRequest that rejects', { onRequest: reject }],
    ['an onRequest whose headers come too late', { onRequest: (async () => ({ traceparent: '00-1' })) as never }],
    ['an onResponse that rejects', { onResponse: reject }],
    ['tracing whose call rejects on a request', { tracing: { startCall: () => ({ ...TRACED, onRequest: reject }) } }],
    ['tracing whose call rejects on sending', { tracing: { startCall: () => ({ ...TRACED, run: reject }) } }],
    ['tracing whose call rejects on a response', { tracing: { startCall: () => ({ ...TRACED, onResponse: reject }) } }],
    ['tracing whose call rejects at its end', { tracing: { startCall: () => ({ ...TRACED, end: reject }) } }],
  ])('do not fail a call: %s is reported as a decision', async (_name, hooks) => {
    const unhandled = collectUnhandled()
    const { client, requests, decisions } = connect([json(200, { run_id: 'run_1' })], hooks)
    expect(await client.runs.get('run_1')).toEqual({ run_id: 'run_1' })
    expect(requests).toHaveLength(1)
    expect(await unhandled()).toEqual([])
    expect(decisions).toMatchObject([{ kind: 'hook-failed', operationId: 'getRun', error: expect.any(Error) }])
  })

  it('may be asynchronous if they only record', async () => {
    const { client, decisions } = connect([json(200, {})], {
      onRequest: (async () => undefined) as never,
      onResponse: async () => {},
    })
    await client.runs.get('run_1')
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(decisions).toEqual([])
  })

  it('also work for a webhook sender, which still signs its requests', async () => {
    const { ended, hooks } = listen()
    const { fetch, requests } = createScriptedFetch(json(202, {}))
    const onRequest = () => ({ traceparent: '00-1', 'webhook-signature': 'forged' })
    const sender = createWebhookSender({
      url: `${ORIGIN}/webhooks/wh_1`,
      secret: 'sign with this',
      fetch,
      ...hooks,
      onRequest,
    })
    await sender.send({ text: 'Hello' })
    expect(requests[0]?.headers.get('traceparent')).toBe('00-1')
    expect(Object.values(Object.fromEntries(requests[0]?.headers ?? []))).not.toContain('forged')
    expect(ended).toMatchObject([{ operationId: 'receiveWebhook', status: 202 }])
  })
})

describe('tracing', () => {
  it('follows a call from before its first attempt to its end', async () => {
    const { lines, tracing } = listenToCalls()
    const { client, timing, requests } = connect([lost, json(200, {})], { tracing })
    await timing.drive(client.runs.get('run_1'))
    expect(lines).toEqual([
      'start getRun',
      'request 1',
      'inside',
      'response 1 null connection',
      'request 2',
      'inside',
      'response 2 200 null',
      'end',
    ])
    expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual(['00-1', '00-2'])
  })

  it('receives the error that a call rejected with', async () => {
    const { lines, tracing } = listenToCalls()
    const { client } = connect([problem('NOT_FOUND')], { tracing })
    await expect(client.runs.get('run_1')).rejects.toSatisfy((error) => isApiError(error, 'NOT_FOUND'))
    expect(lines.at(-1)).toContain('end ApiError: 404 NOT_FOUND')
  })

  it('receives the end of a call that its signal aborted', async () => {
    const { lines, tracing } = listenToCalls()
    const caller = new AbortController()
    const { client } = connect([hang], { tracing })
    const call = client.runs.get('run_1', { signal: caller.signal })
    call.catch(() => {})
    while (!lines.includes('inside')) await settle()
    caller.abort(new Error('the user left'))
    await expect(call).rejects.toThrow('the user left')
    expect(lines.slice(-2)).toEqual(['response 1 null null', 'end Error: the user left'])
  })

  it('of a stream ends with its loop, and leaving the loop is not an error', async () => {
    const { lines, tracing } = listenToCalls()
    const { client } = connect([stream], { tracing })
    for await (const { seq } of client.conversations.events('conv_1')) if (seq === 7) break
    expect(lines).toEqual(['start streamConversationEvents', 'request 1', 'inside', 'response 1 200 null', 'end'])
  })

  it('of a failed stream receives its error', async () => {
    const { lines, tracing } = listenToCalls()
    const { client } = connect([problem('NOT_FOUND')], { tracing })
    const read = async () => {
      for await (const _event of client.runs.events('run_1')) throw new Error('no event was expected')
    }
    await expect(read()).rejects.toThrow('NOT_FOUND')
    expect(lines.at(-1)).toContain('end ApiError: 404 NOT_FOUND')
  })

  it('sends once even if a tracer does not call `send`, or calls it twice', async () => {
    const { tracing } = listenToCalls()
    for (const run of [() => {}, (send: () => void) => [send(), send()]] satisfies ((send: () => void) => void)[]) {
      const { client, requests } = connect([json(200, {})], {
        tracing: { startCall: (operationId) => ({ ...tracing.startCall(operationId), run }) },
      })
      await client.runs.get('run_1')
      expect(requests).toHaveLength(1)
    }
  })
})
