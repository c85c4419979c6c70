import type { WakeupBus } from '../gateway/wakeups/wakeup-bus.ts'
import type { ClaimedRun } from '../store/claims.ts'

/** Hints that it is worth looking at the database; a lost one costs latency only. */
export type WakeupSource = Pick<WakeupBus, 'onDevice' | 'onRun'>

/** Told what a worker does with runs; nothing waits for it. */
export interface WorkObserver {
  /** A run began to execute. */
  began(run: ClaimedRun): void
  /** It gave the first piece of its answer. */
  answered(run: ClaimedRun): void
  /** Its assistant failed it. */
  failed(run: ClaimedRun, code: string): void
}

/** Where a worker logs; a pino logger is one. */
export interface WorkerLog {
  readonly info: WriteLog
  readonly warn: WriteLog
  readonly error: WriteLog
}

type WriteLog = (fields: object, message: string) => void
