import type { WakeupBus } from '../gateway/wakeup-bus.ts'

/** Hints that it is worth looking at the database; a lost one costs latency only. */
export type WakeupSource = Pick<WakeupBus, 'onDevice' | 'onRun'>

/** Where a worker logs; a pino logger is one. */
export interface WorkerLog {
  readonly info: WriteLog
  readonly warn: WriteLog
  readonly error: WriteLog
}

type WriteLog = (fields: object, message: string) => void
