import { type Check, UntestableError } from '../check.ts'
import type { System } from '../system.ts'
import type { TranscriptEntry } from '../transcript.ts'

/** How a check ended. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly message: string }
  /** It could not be examined here; never a pass. */
  | { readonly kind: 'untestable'; readonly reason: string }

export interface CheckRun {
  readonly id: string
  readonly outcome: Outcome
  readonly durationMs: number
  /** What went over the wire. */
  readonly transcript: readonly TranscriptEntry[]
}

/** Runs one check against a system. Never rejects: whatever goes wrong is the check's failure. */
export async function runCheck<Context>(check: Check<Context>, system: System<Context>): Promise<CheckRun> {
  const startedAt = performance.now()
  const missing = (check.needs ?? []).filter((need) => !system.capabilities.has(need))
  if (missing.length > 0) {
    const reason = `the configuration has no ${missing.join(', ')}`
    return { id: check.id, outcome: { kind: 'untestable', reason }, durationMs: 0, transcript: [] }
  }
  let outcome: Outcome = { kind: 'passed' }
  let transcript: () => readonly TranscriptEntry[] = () => []
  let redact = (text: string): string => text
  try {
    const session = await system.open(check)
    transcript = session.transcript
    redact = session.redact
    try {
      await check.run(session.context)
    } catch (error) {
      outcome = toOutcome(error, redact)
    } finally {
      const faults = await session.close()
      if (faults.length > 0 && outcome.kind === 'passed') outcome = { kind: 'failed', message: faults.join('\n') }
    }
  } catch (error) {
    if (outcome.kind !== 'failed') outcome = toOutcome(error, redact)
  }
  return { id: check.id, outcome, durationMs: Math.round(performance.now() - startedAt), transcript: transcript() }
}

const toOutcome = (error: unknown, redact: (text: string) => string): Outcome => {
  if (error instanceof UntestableError) return { kind: 'untestable', reason: error.message }
  return { kind: 'failed', message: redact(error instanceof Error ? error.message : String(error)) }
}
