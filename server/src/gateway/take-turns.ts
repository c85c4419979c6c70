import type { Clock } from '../domain/clock.ts'
import { type Refusal, refuse } from '../domain/refusal.ts'
import type { CancelTimer, Timers } from './stream/timers.ts'

/**
 * Performs a request when its application's turn has come. Refused (RATE_LIMITED) when too many of the application
 * wait already, or it has waited for too long.
 */
export type InTurn = <Result>(appId: string, perform: () => Promise<Result>) => Promise<Result | Refusal>

export interface TurnsOptions {
  /** Requests of one application that are worked on at once while another one sends requests, too. Default 8. */
  readonly atOnce?: number
  /** How long an application counts as sending after a request of its own, in milliseconds. Default 2000. */
  readonly presentMs?: number
  /** Requests of one application that wait. Default 500. */
  readonly waitingAtMost?: number
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  readonly clock: Clock
  readonly timers: Pick<Timers, 'after'>
}

interface App {
  active: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

/** When an application has sent its last request. */
interface Sight {
  readonly appId: string
  readonly atMs: number
}

/**
 * Keeps an application that sends many requests at once from standing before another one in every queue of the
 * process: beside others it has a few requests under way, and the rest waits here. Alone it is not held up.
 */
export const createInTurn = ({
  atOnce = 8,
  presentMs = 2000,
  waitingAtMost = 500,
  waitMs,
  clock,
  timers,
}: TurnsOptions): InTurn => {
  const apps = new Map<string, App>()
  let last: Sight = { appId: '', atMs: Number.NEGATIVE_INFINITY }
  /** The last one that was not `last`. */
  let other = last

  const see = (appId: string): void => {
    if (last.appId !== appId) other = last
    last = { appId, atMs: clock.now().getTime() }
  }
  const isAlone = (appId: string): boolean =>
    clock.now().getTime() - (last.appId === appId ? other : last).atMs > presentMs
  const mayStart = (appId: string, { active }: App): boolean => active < atOnce || isAlone(appId)

  const leave = (appId: string, app: App): void => {
    app.active -= 1
    for (const start of app.waiting) {
      if (!mayStart(appId, app)) break
      app.waiting.delete(start)
      app.active += 1
      start()
    }
    if (app.active === 0) apps.delete(appId)
  }

  /** Whether it may start now, once that is known. */
  const wait = (app: App): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel: CancelTimer = timers.after(waitMs, () => {
        app.waiting.delete(start)
        resolve(false)
      })
      const start = (): void => {
        cancel()
        resolve(true)
      }
      app.waiting.add(start)
    })

  return async (appId, perform) => {
    see(appId)
    const app = apps.get(appId) ?? { active: 0, waiting: new Set() }
    apps.set(appId, app)
    if (app.waiting.size === 0 && mayStart(appId, app)) app.active += 1
    else if (app.waiting.size >= waitingAtMost || !(await wait(app))) return TOO_MANY
    try {
      return await perform()
    } finally {
      leave(appId, app)
    }
  }
}

const TOO_MANY = refuse('RATE_LIMITED', 'Too many requests of this application wait to be worked on.', {
  retryAfterSeconds: 1,
})
