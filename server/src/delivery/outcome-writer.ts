import { setImmediate } from 'node:timers/promises'
import type { GatewayContext } from '../gateway/context.ts'
import type { Persist } from '../gateway/database/persist.ts'
import { oneAtATime } from '../runtime/one-at-a-time.ts'
import type { FinishedAttempt } from '../store/deliveries.ts'
import { finishAttempts } from '../store/deliveries.ts'

export interface OutcomeWriterOptions {
  readonly context: Pick<GatewayContext, 'db' | 'clock'>
  readonly workerId: string
  readonly persist: Persist
  /** Abandons unwritten outcomes. */
  readonly signal: AbortSignal
  /** Called for outcomes that cannot be written; their deliveries are claimed again when their leases lapse. */
  readonly onError: (error: unknown) => void
}

/** Resolves when the outcome is written or abandoned. */
export type RecordOutcome = (attempt: FinishedAttempt) => Promise<void>

/** Maximum attempts that one statement records. */
const BATCH = 128

/** Outcomes of one turn of the event loop are written together, and so are those that arrive during a statement. */
export const createOutcomeWriter = ({
  context: { db, clock },
  workerId,
  persist,
  signal,
  onError,
}: OutcomeWriterOptions): RecordOutcome => {
  const waiting: { readonly attempt: FinishedAttempt; readonly resolve: () => void }[] = []
  const flush = oneAtATime(async () => {
    await setImmediate()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      const attempts = batch.map(({ attempt }) => attempt)
      await persist(signal, () => finishAttempts(db, workerId, clock.now(), attempts)).catch(onError)
      for (const { resolve } of batch) resolve()
    }
  }, onError)
  return (attempt) =>
    new Promise((resolve) => {
      waiting.push({ attempt, resolve })
      void flush()
    })
}
