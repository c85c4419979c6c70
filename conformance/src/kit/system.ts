import type { Check, Target } from './check.ts'
import type { DescribedConfig } from './config/describe-config.ts'
import type { TranscriptEntry } from './transcript.ts'
import type { Wait } from './waits.ts'

/** The session of one check. */
export interface Session<Context> {
  readonly context: Context
  /** Removes secrets from a text, such as the message of a failure. */
  redact(text: string): string
  transcript(): readonly TranscriptEntry[]
  /** The current waits of the check, the longest first. */
  waits(): readonly Wait[]
  /** Breaks off what the check waits for, and refuses what it asks for from then on, with this error. */
  abort(reason: Error): void
  /**
   * Ends what the check left open. Resolves with the faults that were seen beside what the check looked at, one sentence
   * each, for example an answer that breaks the contract; any of them fails the check.
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
  /** Which needs of checks it meets. */
  readonly capabilities: ReadonlySet<string>
  /** How many checks may run at once. */
  readonly concurrency: number
  /** How many checks that want the whole system may each have an instance of it, beside the others. Default: none. */
  readonly instances?: number
  /** The longest single wait of a check that finds everything as it should be, in milliseconds. */
  readonly waitMs: number
  /** Checks that the system answers. @throws {SystemAbsentError} no answer in time. */
  greet(): Promise<void>
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
