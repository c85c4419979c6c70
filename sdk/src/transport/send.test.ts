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
  type ScriptedFetch,
} from '../../test/support/scripted-fetch.ts'
import { handleOf, settingsOf } from '../../test/support/settings.ts'
import { ApiError, ConnectionError, NotSentError, TimeoutError, UnknownOutcomeError } from '../errors.ts'
import { ERRORS, type ErrorCode } from '../generated/errors.ts'
import type { OutgoingRequest } from './attempt.ts'
import { type Intention, sendUntilSettled } from './send.ts'

const HANDLE = handleOf('key-1')
type Write = Pick<Intention, 'handle' | 'mayHaveHappened'>
const KEYED: Write = { handle: HANDLE, mayHaveHappened: false }
const REPLAYED: Write = { handle: HANDLE, mayHaveHappened: true }
const KEYLESS: Write = { handle: null, mayHaveHappened: false }

interface Case {
  readonly script: ScriptedFetch
  readonly write?: Write | null
  readonly method?: string
  readonly timing?: ManualTiming
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly attemptTimeoutMs?: number
  readonly maxAttempts?: number
  readonly expected?: Intention['expected']
  readonly status?: number
}

const send = ({
  script,
  write = null,
  method = write ? 'POST' : 'GET',
  timing = createManualTiming(),
  ...rest
}: Case) => {
  const settings = settingsOf({ fetch: script.fetch, timing })
  const request: OutgoingRequest = {
    url: 'https://gateway.example.com/api/v1/x',
    method,
    headers: new Headers(write?.handle ? { 'Idempotency-Key': write.handle.idempotencyKey } : {}),
    body: write ? new TextEncoder().encode(HANDLE.body) : undefined,
  }
  const sent = sendUntilSettled(settings, request, {
    operationId: 'sendMessage',
    expected: rest.expected ?? 'json',
    status: rest.status ?? (method === 'DELETE' ? 204 : write ? 202 : 200),
    isWrite: write !== null,
    handle: write?.handle ?? null,
    mayHaveHappened: write?.mayHaveHappened ?? false,
    signal: rest.signal,
    timeoutMs: rest.timeoutMs ?? 120_000,
    attemptTimeoutMs: rest.attemptTimeoutMs ?? 30_000,
    maxAttempts: rest.maxAttempts ?? Number.POSITIVE_INFINITY,
  })
  sent.catch(() => {})
  return { sent, settings, timing, ended: () => timing.drive(sent.catch((error: unknown) => error)) }
}

const ADMITTED = json(202, { run_id: 'run_1' })

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

const refusedBy =
  (code: string): Reply =>
  () => {
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' }),
    })
  }

describe('an address that cannot be reached', () => {
  it.each([null, KEYED, KEYLESS])('is told within ten seconds, and that nothing was sent', async (write) => {
    const script = createAnsweringFetch(refusedBy('ECONNREFUSED'))
    const { ended, timing } = send({ script, write })
    const startedAt = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(NotSentError)
    expect(error).toMatchObject({ message: 'Nothing was sent: connect ECONNREFUSED.' })
    expect(script.requests.length).toBeGreaterThan(4)
    expect(timing.now() - startedAt).toBeLessThan(10_000)
  })

  it('is told at once where its certificate is wrong', async () => {
    const script = createScriptedFetch(refusedBy('CERT_HAS_EXPIRED'))
    expect(await send({ script, write: KEYED }).ended()).toBeInstanceOf(NotSentError)
  })

  it.each([
    ['comes up', [refusedBy('ECONNREFUSED'), refusedBy('ECONNREFUSED'), ADMITTED]],
    [
      'restarts after an answer',
      [problem('RATE_LIMITED', { 'retry-after': '20' }), refusedBy('ECONNREFUSED'), ADMITTED],
    ],
  ])('is waited for while it %s', async (_name, replies) => {
    expect(await send({ script: createScriptedFetch(...replies), write: KEYED }).ended()).toMatchObject({ attempts: 3 })
  })

  it.each([
    ['an answer was lost', [lost], KEYED],
    ['the intention was sent before', [], REPLAYED],
  ])('leaves the outcome unknown where %s, and is tried for the whole time', async (_name, first, write) => {
    const replies = [...first]
    const script = createAnsweringFetch((request) => (replies.shift() ?? refusedBy('ECONNREFUSED'))(request))
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

  it.each(FINAL)('takes %s for the last word, of reads and writes', async (_name, reply) => {
    for (const write of [null, KEYED]) {
      const script = createScriptedFetch(reply)
      const { ended, settings } = send({ script, write })
      expect(await ended()).toBeInstanceOf(ApiError)
      expect(script.requests).toHaveLength(1)
      expect(settings.decisions).toEqual([])
    }
  })

  it.each([null, KEYED])('ends after as many attempts as it may have', async (write) => {
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

  it('tells every replay, and that it gives up', async () => {
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

  it('gives up at once when Retry-After leads beyond the deadline, and says until when to wait', async () => {
    const script = createScriptedFetch(problem('QUEUE_FULL', { 'retry-after': '120' }))
    const { ended, timing } = send({ script, write: KEYED })
    const before = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'QUEUE_FULL', retryAfterMs: 120_000 })
    expect(timing.now()).toBe(before)
  })

  it('never goes on after its deadline, attempts and waits included', async () => {
    for (const reply of [lost, hang, problem('INTERNAL'), problem('QUEUE_FULL', { 'retry-after': '3' })]) {
      const script = createAnsweringFetch(reply)
      const { ended, timing } = send({ script, write: KEYED, timeoutMs: 20_000, attemptTimeoutMs: 6_000 })
      const before = timing.now()
      expect(await ended()).toBeInstanceOf(Error)
      expect(timing.now() - before).toBeLessThanOrEqual(20_000)
      expect(script.requests.length).toBeGreaterThan(2)
    }
  })

  it('ends when it would have, also when the clock is set back meanwhile', async () => {
    const timing = createManualTiming()
    const script = createAnsweringFetch(lost)
    const { sent } = send({ script, timing, timeoutMs: 20_000 })
    timing.after(5_000, () => timing.changeClock(-3_600_000))
    const before = timing.elapsed()
    await expect(timing.drive(sent)).rejects.toBeInstanceOf(ConnectionError)
    expect(timing.elapsed() - before).toBeLessThanOrEqual(20_000)
  })

  it('cuts the last attempt to what is left of the deadline', async () => {
    const { ended, timing } = send({ script: createScriptedFetch(hang), timeoutMs: 1_000 })
    const before = timing.now()
    const error = await ended()
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ message: 'No complete answer within 1000 ms.' })
    expect(timing.now() - before).toBe(1_000)
  })

  it('does not start an attempt when a late timer has used up the deadline', async () => {
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

  it('of a read ends with what the last attempt met', async () => {
    expect(await send({ script: createAnsweringFetch(lost), timeoutMs: 900 }).ended()).toBeInstanceOf(ConnectionError)
    expect(await send({ script: createAnsweringFetch(raw(503, '')), timeoutMs: 900 }).ended()).toMatchObject({
      status: 503,
    })
  })
})

describe('the outcome of a write', () => {
  const CHECKED = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => 'finalForKey' in ERRORS[code])
  const refusals = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !ERRORS[code].retryable)

  it.each(refusals.filter((code) => !CHECKED.includes(code)))(
    'is unknown when %s follows a lost answer, since the first one may have been admitted, or be yet',
    async (code) => {
      const error = await send({ script: createScriptedFetch(lost, problem(code)), write: KEYED }).ended()
      expect(error).toBeInstanceOf(UnknownOutcomeError)
      expect(error).toMatchObject({ handle: HANDLE, cause: { code }, requestId: 'req_1' })
    },
  )

  it.each(refusals.filter((code) => CHECKED.includes(code)))(
    'is refused when %s follows a lost answer, since the first one cannot have been admitted either',
    async (code) => {
      const error = await send({ script: createScriptedFetch(lost, problem(code)), write: KEYED }).ended()
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code })
    },
  )

  it('is unknown when limits were met after a lost answer and the time then ends: the first request may be on its way still', async () => {
    for (const code of ['QUEUE_FULL', 'PENDING_LIMIT'] as const) {
      const script = createScriptedFetch(lost, problem(code, { 'retry-after': '500' }))
      expect(await send({ script, write: KEYED }).ended()).toMatchObject({
        name: 'UnknownOutcomeError',
        cause: { code },
      })
    }
  })

  it('is refused when nothing but limits was met until the time ends', async () => {
    for (const code of ['QUEUE_FULL', 'PENDING_LIMIT'] as const) {
      const script = createAnsweringFetch(problem(code, { 'retry-after': '500' }))
      expect(await send({ script, write: KEYED }).ended()).toMatchObject({ name: 'ApiError', code })
    }
  })

  it('is unknown when nothing came before the time ended', async () => {
    for (const reply of [lost, hang, html(200), problem('INTERNAL'), raw(502, '')])
      expect(await send({ script: createAnsweringFetch(reply), write: KEYED, timeoutMs: 900 }).ended()).toMatchObject({
        name: 'UnknownOutcomeError',
        handle: HANDLE,
      })
  })

  it('is unknown when a rate limit follows a lost answer, and refused when it comes alone', async () => {
    const limited = problem('RATE_LIMITED', { 'retry-after': '500' })
    expect(await send({ script: createScriptedFetch(limited), write: KEYED }).ended()).toBeInstanceOf(ApiError)
    const unknown = await send({ script: createScriptedFetch(lost, limited), write: KEYED }).ended()
    expect(unknown).toMatchObject({ name: 'UnknownOutcomeError', cause: { retryAfterMs: 500_000 } })
  })

  it('of a replay is unknown from the start', async () => {
    const refused = createScriptedFetch(problem('UNAUTHENTICATED'))
    expect(await send({ script: refused, write: REPLAYED }).ended()).toBeInstanceOf(UnknownOutcomeError)
    const checked = createScriptedFetch(problem('GENERATION_CONFLICT'))
    expect(await send({ script: checked, write: REPLAYED }).ended()).toBeInstanceOf(ApiError)
    const aborted = await send({ script: createScriptedFetch(), write: REPLAYED, signal: AbortSignal.abort() }).ended()
    expect(aborted).toBeInstanceOf(UnknownOutcomeError)
  })
})

describe('a write without a key', () => {
  it('is repeated while nothing can have happened', async () => {
    const script = createScriptedFetch(problem('RATE_LIMITED'), problem('CAPABILITY_UNAVAILABLE'), ADMITTED)
    expect(await send({ script, write: KEYLESS }).ended()).toMatchObject({ attempts: 3 })
  })

  it.each(['POST', 'PATCH'])('by %s is not repeated once it may have happened', async (method) => {
    for (const reply of [lost, hang, html(200), raw(503, ''), problem('INTERNAL')]) {
      const script = createScriptedFetch(problem('RATE_LIMITED'), reply)
      const error = await send({ script, write: KEYLESS, method }).ended()
      expect(error).toMatchObject({ name: 'UnknownOutcomeError', handle: null })
      expect(error).toMatchObject({ message: expect.stringContaining('read the state before doing it again') })
    }
  })

  it.each(['PUT', 'DELETE'])('by %s does the same when done twice, and is repeated', async (method) => {
    const script = createScriptedFetch(lost, raw(502, ''), ADMITTED)
    expect(await send({ script, write: KEYLESS, method, status: 202 }).ended()).toMatchObject({ attempts: 3 })
  })

  it('that deletes has done so when a lost answer is followed by NOT_FOUND', async () => {
    const script = createScriptedFetch(lost, problem('NOT_FOUND'))
    const result = await send({ script, write: KEYLESS, method: 'DELETE', expected: 'nothing' }).ended()
    expect(result).toMatchObject({ attempts: 2, response: { status: 204 } })
    expect(
      result instanceof Error ? null : (result as { response: Response }).response.headers.get('x-request-id'),
    ).toBe('req_1')
  })

  it('that deletes was refused when NOT_FOUND comes first', async () => {
    const script = createScriptedFetch(problem('NOT_FOUND'))
    expect(await send({ script, write: KEYLESS, method: 'DELETE' }).ended()).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('that deletes stays unknown when the 404 after a lost answer is not the gateway’s', async () => {
    const script = createScriptedFetch(lost, html(404))
    expect(await send({ script, write: KEYLESS, method: 'DELETE' }).ended()).toBeInstanceOf(UnknownOutcomeError)
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
