import type { Check, Target } from './check.ts'
import type { DescribedConfig } from './config/describe-config.ts'
import type { TranscriptEntry } from './transcript.ts'
import type { Wait } from './waits.ts'

/** The session of one check. */
export interface Session<Context> {
  readonly context: Context
  /** Removes secrets from a text, such as a failure's message. */
  redact(text: string): string
  transcript(): readonly TranscriptEntry[]
  /** The current waits of the check, the longest first. */
  waits(): readonly Wait[]
  /** Rejects the check's current waits and all its further requests with this error. */
  abort(reason: Error): void
  /**
   * Releases what the check left open. Resolves with faults that the check itself did not look for, such as an answer
   * that violates the contract. Each is a sentence, and any of them fails the check.
   */
  close(): Promise<readonly string[]>
}

/** A started system under test, against which the checks of one target run. */
export interface System<Context> {
  readonly target: Target
  /** How reports name it. */
  readonly name: string
  /** Its configuration without secrets. */
  readonly configuration: DescribedConfig
  /** The needs of checks that it meets. */
  readonly capabilities: ReadonlySet<string>
  /** Maximum number of concurrent checks. */
  readonly concurrency: number
  /**
   * Maximum number of further instances for checks that need a whole system, in parallel with the other checks.
   * Default: none.
   */
  readonly instances?: number
  /** Longest single wait of a passing check, in milliseconds. */
  readonly waitMs: number
  /** Verifies that the system answers. @throws {SystemAbsentError} It does not answer in time. */
  probe(): Promise<void>
  open(check: Check<Context>): Promise<Session<Context>>
  /** Delays by the system's rate limits so far. Absent: the system has no rate limits. */
  pacing?(): Pacing
  /** Ends everything started for the suite. */
  stop(): Promise<void>
}

/** Delays of the suite by a system's rate limits. */
export interface Pacing {
  /** How often a request was refused and sent again. */
  readonly waits: number
  /** Total time without requests, in milliseconds. */
  readonly pausedMs: number
}

export const NO_PACING: Pacing = { waits: 0, pausedMs: 0 }

export const addPacing = (one: Pacing, other: Pacing): Pacing => ({
  waits: one.waits + other.waits,
  pausedMs: one.pausedMs + other.pausedMs,
})

/** The system under test does not answer. */
export class SystemAbsentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SystemAbsentError'
  }
}
