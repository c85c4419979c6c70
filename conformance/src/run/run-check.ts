import { type Check, UntestableError } from '../kit/check.ts'
import type { CheckRun, Outcome } from '../kit/check-run.ts'
import { AnswerError, DriverError, describeFailure } from '../kit/failure.ts'
import type { Session, System } from '../kit/system.ts'
import type { Wait } from '../kit/waits.ts'
import { collectUnhandledErrors } from './unhandled-errors.ts'

export interface CheckLimits {
  /** Time limit of a check, in milliseconds. A check that exceeds it is aborted, and fails unless it waits for the driver. */
  readonly limitMs: number
  /** When aborted, ends the check and reports it as not run. */
  readonly signal?: AbortSignal
}

/** Runs one check against a system. Never rejects and always ends: any error becomes an outcome of the check. */
export async function runCheck<Context>(
  check: Check<Context>,
  system: System<Context>,
  limits: CheckLimits,
): Promise<CheckRun> {
  const startedAt = performance.now()
  const missing = (check.needs ?? []).filter((need) => !system.capabilities.has(need))
  if (missing.length > 0) {
    const reason = `the configuration has no ${missing.join(', ')}`
    return { id: check.id, outcome: { kind: 'untestable', reason }, durationMs: 0, transcript: [] }
  }
  const examined = await examine(check, system, limits)
  return { id: check.id, ...examined, durationMs: Math.round(performance.now() - startedAt) }
}

const STARTING: readonly Wait[] = [{ what: 'the start of the system under test', on: 'driver' }]

async function examine<Context>(
  check: Check<Context>,
  system: System<Context>,
  limits: CheckLimits,
): Promise<Pick<CheckRun, 'outcome' | 'transcript'>> {
  const opening = system.open(check)
  let session: Session<Context>
  try {
    session = await within(limits, opening, () => STARTING)
  } catch (error) {
    // The check has already ended, so close a session that opens too late.
    opening.then(({ close }) => close()).catch(() => {})
    return { outcome: toOutcome(error, check), transcript: [] }
  }
  let outcome = await collectUnhandledErrors(async (unhandled): Promise<Outcome> => {
    try {
      await within(limits, check.run(session.context), session.waits)
    } catch (error) {
      session.abort(error instanceof Error ? error : new Error(String(error)))
      return toOutcome(error, check, session)
    }
    const [error] = await unhandled.list()
    return error === undefined ? { kind: 'passed' } : toOutcome(error, check, session)
  })
  try {
    const [fault, ...more] = await within(limits, session.close(), session.waits)
    if (fault !== undefined && outcome.kind === 'passed')
      outcome = { kind: 'failed', message: [fault, ...more].map(session.redact).join('\n'), cause: fault }
  } catch (error) {
    if (outcome.kind === 'passed') outcome = toOutcome(error, check, session)
  }
  return { outcome, transcript: session.transcript() }
}

/** Settles as the promise does, unless the time limit or the end of the run comes first. */
async function within<Value>(
  { limitMs, signal }: CheckLimits,
  promise: Promise<Value>,
  waits: () => readonly Wait[],
): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timeLimitError(limitMs, waits())), limitMs)
  const interrupt = (): void => reject(new InterruptedError())
  signal?.addEventListener('abort', interrupt, { once: true })
  if (signal?.aborted === true) interrupt()
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', interrupt)
  }
}

class InterruptedError extends Error {}

function timeLimitError(limitMs: number, waits: readonly Wait[]): Error {
  const what =
    waits.length === 0
      ? 'no wait was pending'
      : `it waited for ${[...new Set(waits.map((one) => one.what))].join('; ')}`
  const message = `not done within ${limitMs / 1000} s: ${what}`
  const isDriver = waits.length > 0 && waits.every(({ on }) => on === 'driver')
  return isDriver ? new DriverError(message) : new AnswerError(message, message)
}

function toOutcome(
  error: unknown,
  check: Pick<Check<never>, 'title' | 'rules'>,
  session?: Pick<Session<never>, 'redact' | 'transcript'>,
): Outcome {
  if (error instanceof InterruptedError)
    return { kind: 'not-run', reason: 'the suite ended before this check was done' }
  if (error instanceof UntestableError) return { kind: 'untestable', reason: error.message }
  const redact = session?.redact ?? ((text: string) => text)
  if (error instanceof DriverError) return { kind: 'undecided', reason: redact(error.message) }
  const last = session?.transcript().findLast(({ direction }) => direction === 'in')
  const { message, cause } = describeFailure(error, { check, lastAnswer: last?.text.split('\n', 1)[0] })
  return { kind: 'failed', message: redact(message), cause: redact(cause) }
}
