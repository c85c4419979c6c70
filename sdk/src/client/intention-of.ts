import type { Expected } from '../transport/read-answer.ts'
import type { Intention } from '../transport/send.ts'
import { checkNames } from './option-names.ts'
import { CALL_OPTIONS, type CallOptions, positive, type Settings, timesOf } from './options.ts'

/** What a call wants, as a read; checks its options. */
export function intentionOf(
  { times, transferTimes, maxAttempts }: Settings,
  operationId: string,
  options: CallOptions,
  expected: Expected = 'json',
): Intention {
  checkNames(options, CALL_OPTIONS)
  return {
    operationId,
    expected,
    status: 200,
    isWrite: false,
    repeat: 'again',
    handle: null,
    mayHaveHappened: false,
    signal: options.signal,
    ...timesOf(options, expected === 'bytes' ? transferTimes : times),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? maxAttempts),
  }
}
