import type { Logger } from 'pino'
import { advanceDueWork } from '../gateway/advance-work.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { advanceErasures } from '../gateway/erase.ts'
import type { Retention, Sweep } from '../gateway/retention.ts'
import { createSweeps, removeDiscardedContent } from '../gateway/retention.ts'
import type { CancelTimer, Timers } from '../runtime/timers.ts'
import { DatabaseUnavailable } from '../store/db.ts'
import { keepUpDatabase } from '../store/maintenance/upkeep.ts'

export interface MaintenanceOptions {
  readonly context: GatewayContext
  readonly timers: Timers
  /** Whether this process can tell at the moment which others are dead. Default: always. */
  readonly canJudge?: () => boolean
  /** Called for every fault, but during an outage of the database at most once a minute for each kind of work. */
  readonly log: Pick<Logger, 'error'>
  /** The retention. Default: 7 days for events, 30 days for bodies. */
  readonly retention?: Retention
}

export interface MaintenanceWorker {
  start(): void
  /** Resolves when the current round has ended; a long one ends after its current batch. */
  stop(): Promise<void>
}

/** Pause between two polls for due work. */
export const ADVANCE_EVERY_MS = 500
/** Pause between two rounds of retention. */
const RETAIN_EVERY_MS = 5 * 60_000
/** Pause before each round of database upkeep. */
const UPKEEP_EVERY_MS = 1000
/** Pause between two log lines about an outage, for each kind of work. */
const OUTAGE_LOG_MS = 60_000
/** Maximum batches of due work in one round. */
const ADVANCES_PER_ROUND = 100

/**
 * Does the work that becomes due with time: deadlines, lapsed leases, erasures, retention and upkeep of the database.
 * Several processes may run this at once.
 */
export const createMaintenanceWorker = ({
  context,
  timers,
  log,
  canJudge = () => true,
  retention,
}: MaintenanceOptions): MaintenanceWorker => {
  const stopping = new AbortController()
  const { signal } = stopping
  const sweeps = createSweeps(context, retention)

  /** Until when an outage is not logged again, by kind of work. */
  const quietUntilMs = new Map<string, number>()

  /** Undefined if the work failed or was not started because of the stop. */
  const attempt = async <Result>(during: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      if (signal.aborted) return undefined
      const result = await work()
      quietUntilMs.delete(during)
      return result
    } catch (error) {
      // During an outage several rounds fail each second.
      if (error instanceof DatabaseUnavailable) {
        const nowMs = context.clock.now().getTime()
        if (nowMs < (quietUntilMs.get(during) ?? 0)) return undefined
        quietUntilMs.set(during, nowMs + OUTAGE_LOG_MS)
      }
      log.error({ err: error, during }, 'maintenance failed, the next round tries again')
      return undefined
    }
  }

  const advance = (): Promise<void> =>
    attempt('due work', async () => {
      for (let batch = 0; batch < ADVANCES_PER_ROUND && !signal.aborted; batch += 1)
        if ((await advanceDueWork(context, canJudge())) === 0) return
    })

  const erase = (): Promise<void> => attempt('erasures', () => advanceErasures(context, signal))

  const clear = (): Promise<void> => attempt('discarded content', () => removeDiscardedContent(context, signal))

  /** Kinds with a backlog take turns until nothing is due. */
  const retain = async (): Promise<void> => {
    for (let due: readonly Sweep[] = sweeps; due.length > 0; ) {
      const unfinished: Sweep[] = []
      for (const sweep of due)
        if ((await attempt(sweep.name, () => sweep.run(signal))) === false) unfinished.push(sweep)
      due = unfinished
    }
  }

  const keepUp = (): Promise<void> => attempt('upkeep', () => keepUpDatabase(context.db, signal))

  const loops = [
    createLoop(timers, ADVANCE_EVERY_MS, advance),
    createLoop(timers, ADVANCE_EVERY_MS, erase),
    createLoop(timers, ADVANCE_EVERY_MS, clear),
    createLoop(timers, RETAIN_EVERY_MS, retain),
    createLoop(timers, UPKEEP_EVERY_MS, keepUp, UPKEEP_EVERY_MS),
  ]
  return {
    start: () => {
      for (const loop of loops) loop.start()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Runs rounds one after the other, with a pause after each. The first round starts after `firstAfterMs`. */
const createLoop = (timers: Timers, pauseMs: number, round: () => Promise<void>, firstAfterMs = 0) => {
  let current = Promise.resolve()
  let cancel: CancelTimer = () => {}
  let stopped = false
  const run = (): void => {
    current = round().then(() => {
      if (!stopped) cancel = timers.after(pauseMs, run)
    })
  }
  return {
    start: (): void => {
      if (firstAfterMs > 0) cancel = timers.after(firstAfterMs, run)
      else run()
    },
    stop: (): Promise<void> => {
      stopped = true
      cancel()
      return current
    },
  }
}
