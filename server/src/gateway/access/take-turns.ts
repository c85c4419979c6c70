import { type Refusal, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { CancelTimer, Timers } from '../../runtime/timers.ts'
import type { Senders } from './senders.ts'

/**
 * Performs a request when its application's turn has come. Refused (RATE_LIMITED) when too many of the application
 * wait already, or it has waited for too long.
 */
export type InTurn = <Result>(appId: string, perform: () => Promise<Result>) => Promise<Result | Refusal>

export interface TurnsOptions {
  readonly senders: Senders
  /** Requests of one application that are worked on at once while another one sends requests, too. Default 8. */
  readonly atOnce?: number
  /** Requests of one application that wait. Default 500. */
  readonly waitingAtMost?: number
  /** How long one may wait, in milliseconds. */
  readonly waitMs: number
  readonly timers: Pick<Timers, 'after'>
}

interface App {
  active: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

/**
 * Keeps an application that sends many requests at once from standing before another one in every queue of the
 * process: beside others it has a few requests under way, and the rest waits here. Alone it is not held up.
 */
export const createInTurn = ({ senders, atOnce = 8, waitingAtMost = 500, waitMs, timers }: TurnsOptions): InTurn => {
  const apps = new Map<string, App>()
  const mayStart = (appId: string, { active }: App): boolean => active < atOnce || senders.isAlone(appId)

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
    senders.see(appId)
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

const TOO_MANY = refuse('RATE_LIMITED', 'Too many requests of this application are waiting.', {
  retryAfterSeconds: 1,
})
