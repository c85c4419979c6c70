import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'

/** Which applications send requests to this process. */
export interface Senders {
  see(appId: string): void
  /** Whether no other application has sent anything recently. */
  isAlone(appId: string): boolean
}

/** The time of an application's last request. */
interface Sight {
  readonly appId: string
  readonly atMs: number
}

/** @param presentMs How long an application counts as sending after a request, in milliseconds. Default 2000. */
export const createSenders = (clock: Clock, presentMs = 2000): Senders => {
  let last: Sight = { appId: '', atMs: Number.NEGATIVE_INFINITY }
  /** The last one that was not `last`. */
  let other = last
  return {
    see(appId) {
      if (last.appId !== appId) other = last
      last = { appId, atMs: clock.now().getTime() }
    },
    isAlone: (appId) => clock.now().getTime() - (last.appId === appId ? other : last).atMs > presentMs,
  }
}
