import { describe, expect, it } from 'vitest'
import {
  createAnsweringFetch,
  createScriptedFetch,
  hang,
  html,
  lost,
  problem,
  raw,
} from '../../test/support/scripted-fetch.ts'
import { ADMITTED, HANDLE, KEYED, KEYLESS, REPLAYED, send } from '../../test/support/sent-request.ts'
import { ApiError, UnknownOutcomeError } from '../errors.ts'
import { ERRORS, type ErrorCode } from '../generated/errors.ts'

describe('the outcome of a write', () => {
  const CHECKED = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => 'finalForKey' in ERRORS[code])
  const refusals = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !ERRORS[code].retryable)

  it.each(refusals.filter((code) => !CHECKED.includes(code)))(
    'is unknown when %s follows a lost answer, since the first request may be admitted, now or later',
    async (code) => {
      const error = await send({ script: createScriptedFetch(lost, problem(code)), write: KEYED }).ended()
      expect(error).toBeInstanceOf(UnknownOutcomeError)
      expect(error).toMatchObject({ handle: HANDLE, cause: { code }, requestId: 'req_1' })
    },
  )

  it.each(refusals.filter((code) => CHECKED.includes(code)))(
    'is refused when %s follows a lost answer, since the first request cannot have been admitted either',
    async (code) => {
      const error = await send({ script: createScriptedFetch(lost, problem(code)), write: KEYED }).ended()
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code })
    },
  )

  it('is unknown when limits follow a lost answer until the timeout, since the first request may still be in transit', async () => {
    for (const code of ['QUEUE_FULL', 'PENDING_LIMIT', 'RATE_LIMITED'] as const) {
      const script = createScriptedFetch(lost, problem(code, { 'retry-after': '500' }))
      expect(await send({ script, write: KEYED }).ended()).toMatchObject({
        name: 'UnknownOutcomeError',
        cause: { code },
      })
    }
  })

  it('is refused when every attempt until the timeout meets a limit', async () => {
    for (const code of ['QUEUE_FULL', 'PENDING_LIMIT', 'RATE_LIMITED'] as const) {
      const script = createAnsweringFetch(problem(code, { 'retry-after': '500' }))
      expect(await send({ script, write: KEYED }).ended()).toMatchObject({ name: 'ApiError', code })
    }
  })

  it('is unknown when no answer arrived before the timeout', async () => {
    for (const reply of [lost, hang, html(200), problem('INTERNAL'), raw(502, '')])
      expect(await send({ script: createAnsweringFetch(reply), write: KEYED, timeoutMs: 900 }).ended()).toMatchObject({
        name: 'UnknownOutcomeError',
        handle: HANDLE,
      })
  })

  it('of a replay is unknown from the start, until an answer settles it', async () => {
    const refused = createScriptedFetch(problem('UNAUTHENTICATED'))
    expect(await send({ script: refused, write: REPLAYED }).ended()).toBeInstanceOf(UnknownOutcomeError)
    const checked = createScriptedFetch(problem('GENERATION_CONFLICT'))
    expect(await send({ script: checked, write: REPLAYED }).ended()).toBeInstanceOf(ApiError)
    const aborted = await send({ script: createScriptedFetch(), write: REPLAYED, signal: AbortSignal.abort() }).ended()
    expect(aborted).toBeInstanceOf(UnknownOutcomeError)
  })
})

const GONE = { ...KEYLESS, repeat: 'gone' } as const

describe('a write without a key', () => {
  it('is repeated as long as nothing can have happened', async () => {
    const script = createScriptedFetch(problem('RATE_LIMITED'), problem('CAPABILITY_UNAVAILABLE'), ADMITTED)
    expect(await send({ script, write: KEYLESS }).ended()).toMatchObject({ attempts: 3 })
  })

  it.each(['POST', 'DELETE'])(
    'by %s with `repeat: again` is not repeated once it may have happened',
    async (method) => {
      for (const reply of [lost, hang, html(200), raw(503, ''), problem('INTERNAL')]) {
        const script = createScriptedFetch(problem('RATE_LIMITED'), reply)
        const error = await send({ script, write: KEYLESS, method }).ended()
        expect(error).toMatchObject({ name: 'UnknownOutcomeError', handle: null })
        expect(error).toMatchObject({ message: expect.stringContaining('read the state before doing it again') })
      }
    },
  )

  it.each(['same', 'gone'] as const)('with `repeat: %s` is repeated after a lost answer', async (repeat) => {
    const script = createScriptedFetch(lost, raw(502, ''), ADMITTED)
    expect(await send({ script, write: { ...KEYLESS, repeat }, method: 'POST', status: 202 }).ended()).toMatchObject({
      attempts: 3,
    })
  })

  it('that deletes has succeeded when NOT_FOUND follows a lost answer', async () => {
    const script = createScriptedFetch(lost, problem('NOT_FOUND'))
    const result = await send({ script, write: GONE, method: 'DELETE', expected: 'nothing' }).ended()
    expect(result).toMatchObject({ attempts: 2, response: { status: 204 } })
    expect(
      result instanceof Error ? null : (result as { response: Response }).response.headers.get('x-request-id'),
    ).toBe('req_1')
  })

  it('with `repeat: same` is refused when NOT_FOUND follows a lost answer', async () => {
    const script = createScriptedFetch(lost, problem('NOT_FOUND'))
    const write = { ...KEYLESS, repeat: 'same' } as const
    expect(await send({ script, write, method: 'DELETE', status: 202 }).ended()).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('that deletes was refused when NOT_FOUND comes first', async () => {
    const script = createScriptedFetch(problem('NOT_FOUND'))
    expect(await send({ script, write: GONE, method: 'DELETE' }).ended()).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('that deletes stays unknown when the 404 after a lost answer is not the gateway’s', async () => {
    const script = createScriptedFetch(lost, html(404))
    expect(await send({ script, write: GONE, method: 'DELETE' }).ended()).toBeInstanceOf(UnknownOutcomeError)
  })
})
