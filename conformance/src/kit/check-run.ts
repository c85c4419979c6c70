import type { TranscriptEntry } from './transcript.ts'

/** How a check ended. */
export type Outcome =
  | { readonly kind: 'passed' }
  /** @see Failure */
  | { readonly kind: 'failed'; readonly message: string; readonly cause: string }
  /** It could not be examined with this configuration. Never reported as passed. */
  | { readonly kind: 'untestable'; readonly reason: string }
  /** The driver of the configuration failed, so there is no verdict. */
  | { readonly kind: 'undecided'; readonly reason: string }
  /** The run ended before the check did. */
  | { readonly kind: 'not-run'; readonly reason: string }

export interface CheckRun {
  readonly id: string
  readonly outcome: Outcome
  readonly durationMs: number
  /** The recorded traffic. */
  readonly transcript: readonly TranscriptEntry[]
}
