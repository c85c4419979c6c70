import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from '../generated/errors.ts'
import { type Effect, judge, NO_ANSWER, type Verdict } from './verdict.ts'

const verdict = (isPassing: boolean, effect: Effect): Verdict => ({ isPassing, effect })
const FINAL = verdict(false, 'none')
const CHECKED = verdict(false, 'none-ever')

/** Every code; one that is missing here does not compile. */
const TABLE: Record<ErrorCode, Verdict> = {
  UNKNOWN_FIELD: CHECKED,
  INVALID_REQUEST: CHECKED,
  UNAUTHENTICATED: FINAL,
  PERMISSION_DENIED: FINAL,
  NOT_FOUND: CHECKED,
  METHOD_NOT_ALLOWED: FINAL,
  NOT_ACCEPTABLE: FINAL,
  GENERATION_CONFLICT: CHECKED,
  BUSY: FINAL,
  IDEMPOTENCY_CONFLICT: CHECKED,
  WEBHOOK_CONFLICT: CHECKED,
  CURSOR_EXPIRED: FINAL,
  PAYLOAD_TOO_LARGE: CHECKED,
  UNSUPPORTED_MEDIA_TYPE: CHECKED,
  QUEUE_FULL: verdict(true, 'none'),
  PENDING_LIMIT: verdict(true, 'none'),
  STREAM_LIMIT: verdict(true, 'none'),
  RATE_LIMITED: verdict(true, 'none'),
  INTERNAL: verdict(true, 'unknown'),
  CAPABILITY_UNAVAILABLE: verdict(true, 'none'),
  RETRY_REFUSED: FINAL,
  ALREADY_EXISTS: FINAL,
  ALREADY_DECIDED: FINAL,
  RUN_LOST: FINAL,
  STEPS_OUT_OF_ORDER: FINAL,
  SESSION_LIMIT: verdict(true, 'none'),
}

const codes = Object.keys(ERRORS) as ErrorCode[]

describe('the verdict about an answer', () => {
  it.each(codes)('with the code %s is that of the table', (code) => {
    expect(judge(ERRORS[code].status, code, undefined)).toEqual(TABLE[code])
  })

  it('goes by the status where the code is of another status, so that a proxy cannot borrow it', () => {
    expect(judge(502, 'GENERATION_CONFLICT', undefined)).toEqual(verdict(true, 'unknown'))
    expect(judge(400, 'QUEUE_FULL', undefined)).toEqual(FINAL)
  })

  it.each(['SOMETHING_LATER', 'constructor', '__proto__', 'toString', ''])(
    'goes by the status where the code %s is none that is known',
    (code) => {
      expect(judge(409, code, undefined)).toEqual(FINAL)
      expect(judge(503, code, undefined)).toEqual(verdict(true, 'unknown'))
    },
  )

  it('without a code: 408, 425, 429 and 5xx may pass, except 501 and 505', () => {
    const passing = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
      (status) => judge(status, null, undefined).isPassing,
    )
    const failures = Array.from({ length: 100 }, (_, index) => 500 + index).filter(
      (each) => each !== 501 && each !== 505,
    )
    expect(passing).toEqual([408, 425, 429, ...failures])
  })

  it('without a code: only 408 and 5xx may have taken effect', () => {
    for (let status = 300; status < 600; status++)
      expect(judge(status, null, undefined).effect).toBe(status === 408 || status >= 500 ? 'unknown' : 'none')
  })

  it('is open where the gateway says that it does not know the outcome itself [IDEM-26]', () => {
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', 'unknown')).toEqual(verdict(true, 'unknown'))
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', undefined)).toEqual(verdict(true, 'none'))
    expect(judge(503, 'CAPABILITY_UNAVAILABLE', 'something-later')).toEqual(verdict(true, 'none'))
  })

  it('is open where no answer came', () => {
    expect(NO_ANSWER).toEqual(verdict(true, 'unknown'))
  })
})
