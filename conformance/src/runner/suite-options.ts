import type { Target } from '../check.ts'
import type { KnownFailure } from './baseline.ts'
import type { Selection } from './selection.ts'

/** What a run of the suite is told; plain data, so that it can be handed to another process. */
export interface SuiteOptions extends Selection {
  readonly target: Target
  /** A configuration file, or the name of a ready one. */
  readonly config: string
  readonly baseline?: readonly KnownFailure[]
  /** Checks at once. Default: the target's own. */
  readonly concurrency?: number
  /** Keeps the transcript of checks that passed, too. */
  readonly keepTranscripts?: boolean
}
