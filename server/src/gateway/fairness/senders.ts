import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'

/** Which applications send requests to this process. */
export interface Senders {
  see(appId: string): void
  /** Whether no other application has sent anything recently. */
  isAlone(appId: string): boolean
}

/** The time of an application's last request. */
interface LastRequest {
  readonly appId: string
  readonly atMs: number
}

/** @param presentMs How long an application is considered a sender after a request, in milliseconds. Default 2000. */
export const createSenders = (clock: Clock, presentMs = 2000): Senders => {
  let last: LastRequest = { appId: '', atMs: Number.NEGATIVE_INFINITY }
  /** The last request of any application other than that of `last`. */
  let other = last
  return {
    see(appId) {
      if (last.appId !== appId) other = last
      last = { appId, atMs: clock.now().getTime() }
    },
    isAlone: (appId) => clock.now().getTime() - (last.appId === appId ? other : last).atMs > presentMs,
  }
}
