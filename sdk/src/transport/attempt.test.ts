import { describe, expect, it } from 'vitest'
import { createManualTiming, settle } from '../../test/support/manual-timing.ts'
import {
  createScriptedFetch,
  hang,
  html,
  json,
  lost,
  partly,
  problem,
  type Reply,
  raw,
} from '../../test/support/scripted-fetch.ts'
import { ApiError, ConnectionError, TimeoutError } from '../errors.ts'
import { type AttemptOptions, attemptOnce, describeFailure } from './attempt.ts'
import { NO_ANSWER } from './retry.ts'

const REQUEST = {
  url: 'https://gateway.example.com/api/v1/x',
  method: 'POST',
  headers: new Headers(),
  body: new Blob(['body']),
}

const start = (reply: Reply, options: Partial<AttemptOptions> = {}) => {
  const timing = createManualTiming()
  const script = createScriptedFetch(reply)
  const attempt = attemptOnce(REQUEST, {
    fetch: script.fetch,
    timing,
    expected: 'json',
    status: 200,
    timeoutMs: 30_000,
    maxAnswerBytes: 1_000_000,
    signal: undefined,
    ...options,
  })
  return { attempt, timing, requests: script.requests }
}

describe('an attempt', () => {
  it('sends the request unchanged', async () => {
    const { attempt, requests } = start(json(200, { ok: true }))
    expect(await attempt).toMatchObject({ kind: 'answered' })
    expect(requests).toMatchObject([{ url: REQUEST.url, method: 'POST', body: REQUEST.body }])
  })

  it('tells the host not to follow redirects, and reports that the address redirects', async () => {
    let redirect: RequestRedirect | undefined
    const attempt = await attemptOnce(REQUEST, {
      fetch: async (_url, init) => {
        redirect = init?.redirect
        return new Response(null, { status: 307, headers: { location: 'https://elsewhere.example.com/' } })
      },
      timing: createManualTiming(),
      expected: 'json',
      status: 200,
      timeoutMs: 1,
      maxAnswerBytes: 1,
      signal: undefined,
    })
    expect(redirect).toBe('manual')
    expect(attempt).toMatchObject({
      kind: 'failed',
      trouble: 'refused',
      verdict: { isTransient: false, effect: 'none' },
    })
    expect(attempt.kind === 'failed' && attempt.error.message).toContain('the address redirects')
  })

  it('leaves no timer behind', async () => {
    for (const reply of [json(200, {}), lost, problem('BUSY'), html(200)]) {
      const { attempt, timing } = start(reply)
      await attempt
      expect(timing.pending).toBe(0)
    }
  })

  it.each([
    ['before the answer', hang],
    ['in the middle of its body', partly(200, '{"a":', 'hangs')],
    ['in the middle of an error’s body', partly(500, '{"a":', 'hangs')],
    ['with a fetch that ignores its signal', () => new Promise<never>(() => {})],
  ] satisfies [string, Reply][])('ends in a TimeoutError when time runs out %s', async (_name, reply) => {
    const { attempt, timing, requests } = start(reply)
    await settle()
    timing.advance(29_999)
    await settle()
    expect(timing.pending).toBe(1)
    timing.advance(1)
    expect(await attempt).toMatchObject({ kind: 'failed', trouble: 'timeout', verdict: NO_ANSWER })
    const failed = await attempt
    expect(failed.kind === 'failed' && failed.error).toBeInstanceOf(TimeoutError)
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('is not made if the caller’s signal is already aborted', async () => {
    const { attempt, requests } = start(json(200, {}), { signal: AbortSignal.abort() })
    expect(await attempt).toEqual({ kind: 'aborted', wasSent: false })
    expect(requests).toEqual([])
  })

  it.each([
    ['before the answer', hang],
    ['in the middle of its body', partly(200, '{"a":', 'hangs')],
  ] satisfies [string, Reply][])('ends with the caller’s signal %s, and passes the reason on', async (_name, reply) => {
    const caller = new AbortController()
    const { attempt, timing, requests } = start(reply, { signal: caller.signal })
    await settle()
    caller.abort(new Error('the user left'))
    expect(await attempt).toEqual({ kind: 'aborted', wasSent: true })
    expect(requests[0]?.signal.reason).toEqual(new Error('the user left'))
    expect(timing.pending).toBe(0)
  })

  it('of a stream stays bound to the signal after its head has arrived, and has no time limit then', async () => {
    const caller = new AbortController()
    const reply = partly(200, ': ping\n\n', 'hangs', { 'content-type': 'text/event-stream' })
    const { attempt, timing, requests } = start(reply, { expected: 'stream', signal: caller.signal })
    expect(await attempt).toMatchObject({ kind: 'answered' })
    timing.advance(1_000_000)
    expect(requests[0]?.signal.aborted).toBe(false)
    caller.abort()
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('of other requests releases the signal', async () => {
    const caller = new AbortController()
    const { attempt, requests } = start(json(200, {}), { signal: caller.signal })
    await attempt
    caller.abort()
    expect(requests[0]?.signal.aborted).toBe(false)
  })

  it('reports why the connection broke', async () => {
    const failed = await start(lost).attempt
    expect(failed).toMatchObject({ kind: 'failed', trouble: 'connection', verdict: NO_ANSWER })
    if (failed.kind !== 'failed') throw new Error('the attempt must fail')
    expect(failed.error).toBeInstanceOf(ConnectionError)
    expect(failed.error.message).toBe('No complete answer: read ECONNRESET.')
    expect(failed.error.cause).toBeInstanceOf(TypeError)
    expect(describeFailure(failed)).toEqual({ trouble: 'connection', status: null, code: null, requestId: null })
  })

  it.each(['text', 42, null, undefined])('survives a fetch that rejects with %s', async (reason) => {
    const failed = await start(() => Promise.reject(reason)).attempt
    expect(failed).toMatchObject({ kind: 'failed', trouble: 'connection' })
  })

  it.each([
    ['is a page', html(200)],
    ['has no content', raw(204, null)],
  ] satisfies [string, Reply][])(
    'treats an answer that %s as no answer, and closes its connection',
    async (_name, reply) => {
      const { attempt, requests } = start(reply)
      expect(await attempt).toMatchObject({ kind: 'failed', trouble: 'broken-answer', verdict: NO_ANSWER })
      expect(requests[0]?.signal.aborted).toBe(true)
    },
  )

  it('whose answer is too large closes its connection, and is not retried', async () => {
    const { attempt, requests } = start(raw(200, 'x'.repeat(1_000_001), { 'content-type': 'application/json' }))
    expect(await attempt).toMatchObject({ kind: 'failed', verdict: { isTransient: false, effect: 'unknown' } })
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('whose answer is truncated is neither a success nor a refusal', async () => {
    for (const status of [200, 409])
      expect(await start(partly(status, '{"code":', 'breaks')).attempt).toMatchObject({
        kind: 'failed',
        trouble: 'connection',
        verdict: NO_ANSWER,
      })
  })

  it('that is refused reports code, status and request ID', async () => {
    const failed = await start(problem('QUEUE_FULL', { 'retry-after': '2' })).attempt
    if (failed.kind !== 'failed') throw new Error('the attempt must fail')
    expect(failed.error).toBeInstanceOf(ApiError)
    expect(describeFailure(failed)).toEqual({
      trouble: 'refused',
      status: 429,
      code: 'QUEUE_FULL',
      requestId: 'req_1',
    })
  })
})
