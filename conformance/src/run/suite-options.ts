import type { Target } from '../kit/check.ts'
import type { CheckRun } from '../kit/check-run.ts'
import type { ClientConfigSource } from '../kit/config/client-config.ts'
import type { ReceiverConfigSource } from '../kit/config/receiver-config.ts'
import type { ServerConfigSource } from '../kit/config/server-config.ts'
import type { WorkerConfigSource } from '../kit/config/worker-config.ts'
import type { KnownFailure } from '../report/baseline.ts'
import type { Selection } from './selection.ts'

/** Options of a run of the suite. */
export interface SuiteOptions extends Selection {
  readonly target: Target
  /** A configuration file, the name of a built-in configuration, or the configuration itself. */
  readonly config: string | ServerConfigSource | ClientConfigSource | ReceiverConfigSource | WorkerConfigSource
  /**
   * Which checks count: `latest` (default), the newest requirement set of the profile; the name of a set, such as
   * `core-2026-12`; or `all`, every selected check. Other checks are run and their failures are shown, without effect
   * on the verdict.
   */
  readonly requirements?: string
  /**
   * Topics (`webhooks`) and checks (`general/ids-tell-their-kind`) that this system deliberately does not offer. If
   * they are untestable, the system can still be conformant, and the verdict names them. Default: none.
   */
  readonly allowUntestable?: readonly string[]
  readonly baseline?: readonly KnownFailure[]
  /** Maximum number of concurrent checks. Default: depends on the target. */
  readonly concurrency?: number
  /** Time limit of one check, in milliseconds. Default: ten times the longest configured wait, at least a minute. */
  readonly timeoutMs?: number
  /** Starts no further check after this many failures. Default: never. */
  readonly bail?: number
  /** Also keeps the transcripts of passed checks. */
  readonly keepTranscripts?: boolean
  /**
   * When aborted, ends the run: running checks are aborted, and the remaining ones are not run. The report states this.
   */
  readonly signal?: AbortSignal
  /** Called with each check when it ends. @param total Number of selected checks. */
  onProgress?(progress: {
    readonly run: CheckRun
    readonly done: number
    readonly failed: number
    readonly total: number
  }): void
}
