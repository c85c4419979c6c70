import { describe, expect, it } from 'vitest'
import { handleOf } from '../test/support/settings.ts'
import {
  ApiError,
  type ApiErrorDetails,
  ConnectionError,
  CursorExpiredError,
  GatewayError,
  isApiError,
  isUnknownOutcome,
  NotSentError,
  RunFailedError,
  StreamInterruptedError,
  TimeoutError,
  UnknownOutcomeError,
} from './errors.ts'

const DETAILS: ApiErrorDetails = {
  code: 'BUSY',
  status: 409,
  detail: 'The conversation is resetting.',
  requestId: 'req_1',
  retryAfterMs: null,
  problem: null,
  response: new Response(),
}
const UNKNOWN = new UnknownOutcomeError('Not known.', handleOf('a'), new ApiError(DETAILS))

describe('an error', () => {
  it.each([
    ['ApiError', new ApiError(DETAILS)],
    ['CursorExpiredError', new CursorExpiredError(DETAILS)],
    ['ConnectionError', new ConnectionError('x')],
    ['TimeoutError', new TimeoutError('x')],
    ['NotSentError', new NotSentError('x')],
    ['UnknownOutcomeError', UNKNOWN],
    ['StreamInterruptedError', new StreamInterruptedError('x', 7, undefined)],
  ])('of the class %s has its name, and is an Error and a GatewayError', (name, error) => {
    expect(error.name).toBe(name)
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(GatewayError)
    expect(String(error)).toContain(`${name}: `)
  })

  it('of the gateway has the status, code and detail in its message', () => {
    expect(new ApiError(DETAILS).message).toBe('409 BUSY: The conversation is resetting.')
    expect(new ApiError({ ...DETAILS, code: null }).message).toBe('409: The conversation is resetting.')
  })

  it('of the gateway names the first faulty field, and the number of further ones', () => {
    const withErrors = (...errors: { pointer: string; message: string }[]) =>
      new ApiError({
        ...DETAILS,
        status: 400,
        code: 'INVALID_REQUEST',
        detail: 'The request has faults.',
        problem: { type: '', title: '', status: 400, detail: '', code: 'INVALID_REQUEST', request_id: 'req_1', errors },
      }).message
    const text = { pointer: '/input/text', message: 'is too long' }
    expect(withErrors(text)).toBe('400 INVALID_REQUEST: The request has faults. /input/text is too long')
    expect(withErrors(text, text, text)).toContain('/input/text is too long (and 2 more)')
    expect(withErrors({ pointer: '', message: 'must be an object' })).toContain('The body must be an object')
    expect(withErrors({ pointer: `/${'x'.repeat(5000)}`, message: 'is unknown' }).length).toBeLessThan(300)
  })

  it('of a run has its final state and the text so far', () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'The model did not answer.', retryable: true }
    const failed = new RunFailedError({ runId: 'run_1', state: 'failed', error, text: 'half' })
    expect(failed.message).toBe('Run run_1 ended failed: MODEL_UNAVAILABLE: The model did not answer.')
    expect(failed).toMatchObject({ state: 'failed', error, text: 'half', requestId: null })
    const cancelled = new RunFailedError({ runId: 'run_1', state: 'cancelled', error: null, text: '' })
    expect(cancelled.message).toBe('Run run_1 ended cancelled')
  })

  it('has the request ID of its cause, and null without one', () => {
    expect(UNKNOWN.requestId).toBe('req_1')
    expect(new StreamInterruptedError('x', null, new ApiError(DETAILS)).requestId).toBe('req_1')
    expect(new UnknownOutcomeError('x', null, new Error('left')).requestId).toBeNull()
    expect(new ConnectionError('x').requestId).toBeNull()
  })

  it('without a cause has no member cause', () => {
    expect('cause' in new ConnectionError('x')).toBe(false)
    expect(new ConnectionError('x', { cause: 'reset' }).cause).toBe('reset')
  })
})

describe('the guards', () => {
  /** An error as another copy of the package would throw it. */
  const foreign = Object.assign(new Error('x'), { name: 'ApiError', code: 'BUSY' })

  it('recognise an ApiError, with the given code if there is one', () => {
    expect(isApiError(new ApiError(DETAILS))).toBe(true)
    expect(isApiError(new ApiError(DETAILS), 'BUSY')).toBe(true)
    expect(isApiError(new ApiError(DETAILS), 'QUEUE_FULL')).toBe(false)
    expect(isApiError(new CursorExpiredError({ ...DETAILS, code: 'CURSOR_EXPIRED' }), 'CURSOR_EXPIRED')).toBe(true)
    expect(isApiError(foreign, 'BUSY')).toBe(true)
  })

  it('recognise an UnknownOutcomeError', () => {
    expect(isUnknownOutcome(UNKNOWN)).toBe(true)
    expect(isUnknownOutcome(Object.assign(new Error('x'), { name: 'UnknownOutcomeError', handle: null }))).toBe(true)
  })

  it.each([null, undefined, 'ApiError', { name: 'ApiError', code: 'BUSY' }, new Error('x'), new TimeoutError('x')])(
    'reject %s, which is neither of these errors',
    (value) => {
      expect([isApiError(value), isUnknownOutcome(value)]).toEqual([false, false])
    },
  )
})
