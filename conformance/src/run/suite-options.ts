import type { Target } from '../kit/check.ts'
import type { CheckRun } from '../kit/check-run.ts'
import type { ClientConfigSource } from '../kit/config/client-config.ts'
import type { ReceiverConfigSource } from '../kit/config/receiver-config.ts'
import type { ServerConfigSource } from '../kit/config/server-config.ts'
import type { KnownFailure } from '../report/baseline.ts'
import type { Selection } from './selection.ts'

/** Options of a run of the suite. */
export interface SuiteOptions extends Selection {
  readonly target: Target
  /** A configuration file, the name of a ready one, or the configuration itself. */
  readonly config: string | ServerConfigSource | ClientConfigSource | ReceiverConfigSource
  /**
   * Which checks count: `latest` (default), the newest requirement set of the profile; the name of one, `core-2026-12`; or `all`, every
   * selected check. The others are run, and their failures are shown and count for nothing.
   */
  readonly requirements?: string
  /**
   * Topics (`webhooks`) and checks (`general/ids-tell-their-kind`) that this system does not offer on purpose: untestable ones of them
   * do not keep it from being conformant, and the verdict names them. Default: none.
   */
  readonly allowUntestable?: readonly string[]
  readonly baseline?: readonly KnownFailure[]
  /** Checks at once. Default: the target's own. */
  readonly concurrency?: number
  /** How long one check may take, in milliseconds. Default: ten of the configuration's longest waits, at least a minute. */
  readonly timeoutMs?: number
  /** After so many failures nothing more is begun. Default: never. */
  readonly bail?: number
  /** Keeps the transcript of checks that passed, too. */
  readonly keepTranscripts?: boolean
  /** Ends the run: what is under way is broken off, the rest is not run, and the report says so. */
  readonly signal?: AbortSignal
  /** Called with each check as it ends. @param total how many there are. */
  onProgress?(progress: {
    readonly run: CheckRun
    readonly done: number
    readonly failed: number
    readonly total: number
  }): void
}
