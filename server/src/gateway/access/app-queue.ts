import type { Timers } from '../../runtime/timers.ts'

/** Says that what had a turn, or kept others from having one, does so no longer. */
export type LetGo = () => void

/** Turns of applications: one at a time of each, in the order in which they were asked for. */
export interface AppQueue {
  /** Whether who asks for a turn of the application now has to wait. */
  isHeld(appId: string): boolean
  /** Keeps turns of the application from beginning, beside what else does. */
  hold(appId: string): LetGo
  /** A turn, once nothing holds the application's turns up; null when too many wait already, or it has waited for too long. */
  turn(appId: string): Promise<LetGo | null>
}

export interface AppQueueOptions {
  /** Turns of one application that wait. */
  readonly waitingAtMost: number
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  readonly timers: Pick<Timers, 'after'>
}

interface App {
  holds: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

export const createAppQueue = ({ waitingAtMost, waitMs, timers }: AppQueueOptions): AppQueue => {
  /** Those that something holds up. */
  const apps = new Map<string, App>()

  const hold = (appId: string): LetGo => {
    const app = apps.get(appId) ?? { holds: 0, waiting: new Set() }
    apps.set(appId, app)
    app.holds += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      app.holds -= 1
      if (app.holds > 0) return
      const [next] = app.waiting
      if (next) next()
      else apps.delete(appId)
    }
  }

  return {
    isHeld: (appId) => apps.has(appId),
    hold,
    turn: (appId) =>
      new Promise((resolve) => {
        const waiting = apps.get(appId)?.waiting
        if (waiting === undefined) return resolve(hold(appId))
        if (waiting.size >= waitingAtMost) return resolve(null)
        const start = (): void => {
          cancel()
          waiting.delete(start)
          resolve(hold(appId))
        }
        const cancel = timers.after(waitMs, () => {
          waiting.delete(start)
          resolve(null)
        })
        waiting.add(start)
      }),
  }
}
