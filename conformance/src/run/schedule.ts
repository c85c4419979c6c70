/** Properties of a check that the scheduler needs. */
export interface Scheduled {
  readonly alone?: string
  readonly streams?: number
}

export interface ScheduleOptions {
  /** Maximum number of concurrent checks, not counting those on instances of their own. */
  readonly concurrency: number
  /** Maximum number of open event streams of all checks that share the system. */
  readonly streams: number
  /** Maximum number of concurrent checks on instances of their own. */
  readonly instances: number
}

/** Decides when a check may run. Checks must be passed in the order in which they should start. */
export interface Schedule {
  /** Runs the task as soon as the limits allow it, and settles as the task does. */
  run<Value>(check: Scheduled, task: () => Promise<Value>): Promise<Value>
}

interface Waiting {
  readonly check: Scheduled
  start(): void
}

const wantsAll = ({ alone }: Scheduled): boolean => alone === 'all'

/**
 * Runs checks in parallel within the limits. Checks with the same `alone` run in sequence. Those that need the whole
 * system (`all`) run on instances of their own, or, without instances, one by one while nothing else runs or waits.
 */
export function createSchedule({ concurrency, streams, instances }: ScheduleOptions): Schedule {
  const waiting: Waiting[] = []
  const inUse = new Set<string>()
  let shared = 0
  let whole = 0
  let openStreams = 0

  const mayStart = (check: Scheduled): boolean => {
    const { alone, streams: wanted = 0 } = check
    if (wantsAll(check)) {
      if (instances > 0) return whole < instances
      return shared + whole === 0 && waiting.every((other) => wantsAll(other.check))
    }
    if (instances === 0 && whole > 0) return false
    if (shared >= concurrency || openStreams + wanted > Math.max(streams, wanted)) return false
    return alone === undefined || !inUse.has(alone)
  }
  const count = (check: Scheduled, by: 1 | -1): void => {
    if (wantsAll(check)) whole += by
    else {
      shared += by
      openStreams += by * (check.streams ?? 0)
      if (check.alone !== undefined) inUse[by === 1 ? 'add' : 'delete'](check.alone)
    }
  }
  const startNext = (): void => {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at]
      if (next === undefined || !mayStart(next.check)) at += 1
      else {
        waiting.splice(at, 1)
        count(next.check, 1)
        next.start()
      }
    }
  }
  return {
    run: async (check, task) => {
      await new Promise<void>((resolve) => {
        waiting.push({ check, start: resolve })
        // All checks passed in the same tick are queued before any starts.
        queueMicrotask(startNext)
      })
      try {
        return await task()
      } finally {
        count(check, -1)
        startNext()
      }
    },
  }
}
