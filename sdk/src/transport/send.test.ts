import { describe, expect, it } from 'vitest'
import { createManualTiming, type ManualTiming, settle } from '../../test/support/manual-timing.ts'
import {
  createAnsweringFetch,
  createScriptedFetch,
  hang,
  html,
  json,
  lost,
  problem,
  type Reply,
  raw,
  unreachable,
} from '../../test/support/scripted-fetch.ts'
import { ADMITTED, HANDLE, KEYED, KEYLESS, REPLAYED, send } from '../../test/support/sent-request.ts'
import { ApiError, ConnectionError, NotSentError, TimeoutError, UnknownOutcomeError } from '../errors.ts'
import { ERRORS, type ErrorCode } from '../generated/errors.ts'

const MAY_PASS: [string, Reply][] = [
  ['a lost connection', lost],
  ['a timeout', hang],
  ['a page', html(200)],
  ['408', raw(408, '')],
  ['429 without a code', raw(429, '')],
  ['500', raw(500, '')],
  ['502 with a page', html(502)],
  ['503', raw(503, '')],
  ['504', raw(504, '')],
  ...(Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => ERRORS[code].retryable)
    .map((code): [string, Reply] => [code, problem(code)]),
]

const FINAL: [string, Reply][] = [
  ...(Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => !ERRORS[code].retryable)
    .map((code): [string, Reply] => [code, problem(code)]),
  ['a redirect', raw(302, '', { location: 'https://other.example.com' })],
  ['400 without a code', html(400)],
  ['409 without a code', html(409)],
  ['409 with a later code', json(409, { code: 'SOMETHING_LATER', status: 409, title: 'New', detail: 'New.' })],
]

describe('an address that cannot be reached', () => {
  it.each([null, KEYED, KEYLESS])('is reported within ten seconds as not sent', async (write) => {
    const script = createAnsweringFetch(unreachable('ECONNREFUSED'))
    const { ended, timing } = send({ script, write })
    const startedAt = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(NotSentError)
    expect(error).toMatchObject({ message: 'Nothing was sent: connect ECONNREFUSED.' })
    expect(script.requests.length).toBeGreaterThan(4)
    expect(timing.now() - startedAt).toBeLessThan(10_000)
  })

  it('is reported at once if its certificate is invalid', async () => {
    const script = createScriptedFetch(unreachable('CERT_HAS_EXPIRED'))
    expect(await send({ script, write: KEYED }).ended()).toBeInstanceOf(NotSentError)
  })

  it.each([
    ['comes up', [unreachable('ECONNREFUSED'), unreachable('ECONNREFUSED'), ADMITTED]],
    [
      'restarts after an answer',
      [problem('RATE_LIMITED', { 'retry-after': '20' }), unreachable('ECONNREFUSED'), ADMITTED],
    ],
  ])('is tried again while it %s', async (_name, replies) => {
    expect(await send({ script: createScriptedFetch(...replies), write: KEYED }).ended()).toMatchObject({ attempts: 3 })
  })

  it.each([
    ['an answer was lost', [lost], KEYED],
    ['the intention was sent before', [], REPLAYED],
  ])('leaves the outcome unknown when %s, and is tried until the timeout', async (_name, first, write) => {
    const replies = [...first]
    const script = createAnsweringFetch((request) => (replies.shift() ?? unreachable('ECONNREFUSED'))(request))
    const { ended, timing } = send({ script, write })
    const startedAt = timing.now()
    expect(await ended()).toBeInstanceOf(UnknownOutcomeError)
    expect(timing.now() - startedAt).toBeGreaterThan(100_000)
  })
})

describe('sending', () => {
  it.each(MAY_PASS)('replays a write after %s: the same bytes under the same key [IDEM-05]', async (_name, trouble) => {
    const script = createScriptedFetch(trouble, trouble, ADMITTED)
    const { ended } = send({ script, write: KEYED })
    expect(await ended()).toMatchObject({ attempts: 3 })
    expect(await Promise.all(script.requests.map((request) => request.text()))).toEqual(Array(3).fill(HANDLE.body))
    expect(script.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(Array(3).fill('key-1'))
  })

  it.each(MAY_PASS)('repeats a read after %s', async (_name, trouble) => {
    expect(await send({ script: createScriptedFetch(trouble, json(200, {})) }).ended()).toMatchObject({ attempts: 2 })
  })

  it.each(FINAL)('treats %s as final, for reads and writes', async (_name, reply) => {
    for (const write of [null, KEYED]) {
      const script = createScriptedFetch(reply)
      const { ended, settings } = send({ script, write })
      expect(await ended()).toBeInstanceOf(ApiError)
      expect(script.requests).toHaveLength(1)
      expect(settings.decisions).toEqual([])
    }
  })

  it.each([null, KEYED])('ends after the maximum number of attempts', async (write) => {
    const script = createScriptedFetch(lost, lost)
    expect(await send({ script, write, maxAttempts: 2 }).ended()).toBeInstanceOf(
      write ? UnknownOutcomeError : ConnectionError,
    )
    expect(script.requests).toHaveLength(2)
  })

  it('waits at least as long as Retry-After says, and jitters otherwise [ERR-15]', async () => {
    const script = createScriptedFetch(lost, problem('RATE_LIMITED', { 'retry-after': '7' }), lost, ADMITTED)
    const { ended, settings, timing } = send({ script, write: KEYED, timing: createManualTiming(0.5) })
    const before = timing.now()
    await ended()
    expect(settings.decisions.map((each) => each.kind === 'replay' && each.delayMs)).toEqual([125, 7_000, 500])
    expect(timing.now() - before).toBe(7_625)
  })

  it('reports every replay and giving up', async () => {
    const script = createScriptedFetch(lost, problem('CAPABILITY_UNAVAILABLE', { 'retry-after': '500' }))
    const { ended, settings } = send({ script, write: KEYED })
    await ended()
    expect(settings.decisions).toEqual([
      {
        kind: 'replay',
        operationId: 'sendMessage',
        trouble: 'connection',
        status: null,
        code: null,
        requestId: null,
        attempt: 1,
        delayMs: 125,
        retryAfterMs: null,
      },
      {
        kind: 'give-up',
        operationId: 'sendMessage',
        trouble: 'refused',
        status: 503,
        code: 'CAPABILITY_UNAVAILABLE',
        requestId: 'req_1',
        attempts: 2,
        elapsedMs: 125,
      },
    ])
  })

  it('gives up at once if Retry-After exceeds the deadline, and reports how long to wait', async () => {
    const script = createScriptedFetch(problem('QUEUE_FULL', { 'retry-after': '120' }))
    const { ended, timing } = send({ script, write: KEYED })
    const before = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'QUEUE_FULL', retryAfterMs: 120_000 })
    expect(timing.now()).toBe(before)
  })

  it('never continues after its deadline, including attempts and waits', async () => {
    for (const reply of [lost, hang, problem('INTERNAL'), problem('QUEUE_FULL', { 'retry-after': '3' })]) {
      const script = createAnsweringFetch(reply)
      const { ended, timing } = send({ script, write: KEYED, timeoutMs: 20_000, attemptTimeoutMs: 6_000 })
      const before = timing.now()
      expect(await ended()).toBeInstanceOf(Error)
      expect(timing.now() - before).toBeLessThanOrEqual(20_000)
      expect(script.requests.length).toBeGreaterThan(2)
    }
  })

  it('ends on time even if the clock is set back meanwhile', async () => {
    const timing = createManualTiming()
    const script = createAnsweringFetch(lost)
    const { sent } = send({ script, timing, timeoutMs: 20_000 })
    timing.after(5_000, () => timing.changeClock(-3_600_000))
    const before = timing.elapsed()
    await expect(timing.drive(sent)).rejects.toBeInstanceOf(ConnectionError)
    expect(timing.elapsed() - before).toBeLessThanOrEqual(20_000)
  })

  it('limits the last attempt to the remaining time', async () => {
    const { ended, timing } = send({ script: createScriptedFetch(hang), timeoutMs: 1_000 })
    const before = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ message: 'No complete answer within 1000 ms.' })
    expect(timing.now() - before).toBe(1_000)
  })

  it('does not start an attempt if a late timer has used up the deadline', async () => {
    const timing = createManualTiming()
    const script = createScriptedFetch(problem('CAPABILITY_UNAVAILABLE', { 'retry-after': '1' }))
    const late: ManualTiming = {
      ...timing,
      after: (delayMs, callback) => timing.after(delayMs === 1_000 ? 5_000 : delayMs, callback),
    }
    const { sent } = send({ script, write: KEYED, timing: late, timeoutMs: 4_000 })
    await expect(timing.drive(sent)).rejects.toBeInstanceOf(ApiError)
    expect(script.requests).toHaveLength(1)
  })

  it('of a read ends with the error of the last attempt', async () => {
    expect(await send({ script: createAnsweringFetch(lost), timeoutMs: 900 }).ended()).toBeInstanceOf(ConnectionError)
    expect(await send({ script: createAnsweringFetch(raw(503, '')), timeoutMs: 900 }).ended()).toMatchObject({
      status: 503,
    })
  })
})

describe('an abort', () => {
  const reason = new Error('the user left')

  it('before the first attempt sends nothing and says so', async () => {
    const script = createScriptedFetch()
    const error = await send({ script, write: KEYED, signal: AbortSignal.abort(reason) }).ended()
    expect(error).toBeInstanceOf(NotSentError)
    expect(error).toMatchObject({ cause: reason })
    expect(script.requests).toEqual([])
  })

  it('of a read rejects with the reason', async () => {
    expect(await send({ script: createScriptedFetch(), signal: AbortSignal.abort(reason) }).ended()).toBe(reason)
  })

  it('during an attempt leaves a write unknown', async () => {
    const caller = new AbortController()
    const { sent } = send({ script: createScriptedFetch(hang), write: KEYED, signal: caller.signal })
    await settle()
    caller.abort(reason)
    await expect(sent).rejects.toMatchObject({ name: 'UnknownOutcomeError', handle: HANDLE, cause: reason })
  })

  it.each([
    ['a lost answer', lost, 'UnknownOutcomeError'],
    ['a refusal', problem('RATE_LIMITED'), 'NotSentError'],
  ])('during the wait after %s ends at once', async (_name, reply, name) => {
    const caller = new AbortController()
    const script = createScriptedFetch(reply)
    const { sent, timing } = send({ script, write: KEYED, signal: caller.signal })
    await settle()
    caller.abort(reason)
    await expect(sent).rejects.toMatchObject({ name, cause: reason })
    expect(timing.pending).toBe(0)
    expect(script.requests).toHaveLength(1)
  })
})
