import type { TranscriptEntry } from './transcript.ts'

/** How a check ended. */
export type Outcome =
  | { readonly kind: 'passed' }
  /** @see Failure */
  | { readonly kind: 'failed'; readonly message: string; readonly cause: string }
  /** It could not be examined here; never a pass. */
  | { readonly kind: 'untestable'; readonly reason: string }
  /** What the configuration provides failed, so that nobody can say. */
  | { readonly kind: 'undecided'; readonly reason: string }
  /** The run ended before the check did. */
  | { readonly kind: 'not-run'; readonly reason: string }

export interface CheckRun {
  readonly id: string
  readonly outcome: Outcome
  readonly durationMs: number
  /** What went over the wire. */
  readonly transcript: readonly TranscriptEntry[]
}
