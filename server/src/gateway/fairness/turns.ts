import type { Timers } from '../../runtime/timers.ts'
import type { Senders } from './senders.ts'

/**
 * Shares a resource between applications. An application that is the only sender never waits. Otherwise an application
 * has at most `atOnce` turns at a time, in the order of its requests. `rest` makes an application pause for twice the
 * duration of its turn, so that the others get the resource most of the time.
 */
export interface Turns {
  /** Whether the application's next turn must wait. */
  isHeld(appId: string): boolean
  /**
   * Takes a turn, at once or later. Resolves to null if too many turns are queued, or if it has waited longer than
   * `waitMs`.
   */
  take(appId: string): EndTurn | Promise<EndTurn | null>
  /** Begins a pause of the application, unless it is the only sender. */
  rest(appId: string, tookMs: number): void
}

/** Ends a turn. Must be called only once. */
export type EndTurn = () => void

export interface TurnsOptions {
  readonly senders: Senders
  readonly atOnce: number
  /** Maximum queued turns of one application. */
  readonly waitingAtMost: number
  /** Maximum wait, in milliseconds. */
  readonly waitMs: number
  /** The longest pause, in milliseconds. Default 1000, because the measured duration of a turn may include waiting. */
  readonly restAtMostMs?: number
  readonly timers: Pick<Timers, 'after'>
}

/** The pause, as a multiple of the turn's duration. */
const REST = 2

interface App {
  /** Number of current turns and pauses. */
  holds: number
  /** In order of arrival. */
  readonly waiting: Set<() => void>
}

export const createTurns = ({
  senders,
  atOnce,
  waitingAtMost,
  waitMs,
  restAtMostMs = 1000,
  timers,
}: TurnsOptions): Turns => {
  /** Applications with turns or pauses. */
  const apps = new Map<string, App>()

  const mayStart = (appId: string, { holds }: App): boolean => holds < atOnce || senders.isAlone(appId)

  const startWaiting = (appId: string, app: App): void => {
    for (const start of app.waiting) {
      if (!mayStart(appId, app)) return
      app.waiting.delete(start)
      start()
    }
  }

  const hold = (appId: string, app: App): EndTurn => {
    app.holds += 1
    apps.set(appId, app)
    return () => {
      app.holds -= 1
      startWaiting(appId, app)
      if (app.holds === 0) apps.delete(appId)
    }
  }

  const appOf = (appId: string): App => apps.get(appId) ?? { holds: 0, waiting: new Set() }

  return {
    isHeld: (appId) => {
      const app = apps.get(appId)
      return app !== undefined && !mayStart(appId, app)
    },
    take: (appId) => {
      const app = appOf(appId)
      startWaiting(appId, app)
      if (app.waiting.size === 0 && mayStart(appId, app)) return hold(appId, app)
      if (app.waiting.size >= waitingAtMost) return Promise.resolve(null)
      return new Promise((resolve) => {
        const start = (): void => {
          cancel()
          resolve(hold(appId, app))
        }
        const cancel = timers.after(waitMs, () => {
          app.waiting.delete(start)
          resolve(null)
        })
        app.waiting.add(start)
      })
    },
    rest: (appId, tookMs) => {
      if (!senders.isAlone(appId)) timers.after(Math.min(REST * tookMs, restAtMostMs), hold(appId, appOf(appId)))
    },
  }
}
