import type { Timers } from '../../runtime/timers.ts'
import type { WakeupBus } from '../wakeups/wakeup-bus.ts'

/** Wake-ups for heartbeats that wait for changes of their runs. */
export interface RunHints {
  /** Listens from now on, for at most `waitMs` or until `gone` fires. */
  watch(runIds: readonly string[], waitMs: number, gone: AbortSignal): RunWatch
  /** Ends all watches. */
  close(): void
}

export interface RunWatch {
  /** Resolves with true after a hint since the last call, and with false when the watch ends. */
  next(): Promise<boolean>
  end(): void
}

export const createRunHints = (wakeups: Pick<WakeupBus, 'onRun'>, timers: Timers): RunHints => {
  const byRun = new Map<string, Set<() => void>>()
  const watches = new Set<{ readonly hint: () => void; readonly end: () => void }>()
  let isClosed = false
  const stopListening = wakeups.onRun(
    (runId) => {
      for (const hint of byRun.get(runId) ?? []) hint()
    },
    () => {
      for (const { hint } of watches) hint()
    },
  )

  return {
    watch: (runIds, waitMs, gone) => {
      let isHinted = false
      let isOver = false
      let wake = (): void => {}
      const hint = (): void => {
        isHinted = true
        wake()
      }
      const end = (): void => {
        if (isOver) return
        isOver = true
        cancelTimer()
        gone.removeEventListener('abort', end)
        watches.delete(watch)
        for (const runId of runIds) {
          const hints = byRun.get(runId)
          hints?.delete(hint)
          if (hints?.size === 0) byRun.delete(runId)
        }
        wake()
      }
      const watch = { hint, end }
      const cancelTimer = timers.after(waitMs, end)
      gone.addEventListener('abort', end, { once: true })
      watches.add(watch)
      for (const runId of runIds) {
        const hints = byRun.get(runId) ?? new Set()
        hints.add(hint)
        byRun.set(runId, hints)
      }
      if (isClosed || gone.aborted) end()
      return {
        next: async () => {
          if (!isHinted && !isOver)
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          isHinted = false
          return !isOver
        },
        end,
      }
    },
    close: () => {
      isClosed = true
      stopListening()
      for (const { end } of [...watches]) end()
    },
  }
}
