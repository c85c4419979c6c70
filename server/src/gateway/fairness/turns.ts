import type { Timers } from '../../runtime/timers.ts'
import type { Senders } from './senders.ts'

/**
 * Turns of applications at something that all of them share. An application that sends alone is never held up. Beside
 * others it has at most `atOnce` turns at a time, in the order in which it asks, and after something that took long it
 * rests: it gets no turn for twice as long, so that the others have what is shared for most of the time.
 */
export interface Turns {
  /** Whether something keeps the application's next turn from beginning now. */
  isHeld(appId: string): boolean
  /** A turn, at once or later; null when too many wait already, or this one has waited for too long. */
  take(appId: string): EndTurn | Promise<EndTurn | null>
  /** Begins a rest of the application, unless it is alone. */
  rest(appId: string, tookMs: number): void
}

/** Called once. */
export type EndTurn = () => void

export interface TurnsOptions {
  readonly senders: Senders
  readonly atOnce: number
  /** Turns of one application that wait. */
  readonly waitingAtMost: number
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  /** The longest rest, in milliseconds. Default 1000: part of the time that something took may have been waiting. */
  readonly restAtMostMs?: number
  readonly timers: Pick<Timers, 'after'>
}

/** How many times as long as something took a rest is. */
const REST = 2

interface App {
  /** Turns and rests. */
  holds: number
  /** In the order in which they came. */
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
  /** Those that have turns or rest. */
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
