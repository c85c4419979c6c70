import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerCheck } from './context.ts'
import { namesCode } from './expectations.ts'
import { nameRequest } from './operations.ts'
import type { Answer, WireRequest } from './wire.ts'

/**
 * Obeys the gateway's rate limits: a request that is rate-limited with `Retry-After` is sent again after that time.
 * Until then no check sends a request.
 */
export interface Pacer {
  /**
   * Resolves with the first result other than a rate-limit refusal, or with the last refusal once waiting is abandoned.
   */
  send<Sent extends object>(request: WireRequest, options: PacedOptions<Sent>): Promise<Sent>
  /** How often a request was refused and sent again. */
  waits(): number
  /** Total time without requests, in milliseconds. */
  pausedMs(): number
}

export interface PacedOptions<Sent> {
  attempt(): Promise<Sent>
  /** Whether the check examines this refusal itself. */
  isMet(answer: Answer): boolean
  readonly signal: AbortSignal
}

/** Maximum pause. The suite does not wait for longer pauses. */
const MAX_PAUSE_MS = 30_000
/** Maximum total delay of one request before its refusal is returned. */
const MAX_REQUEST_DELAY_MS = 30_000
/** Maximum total delay of a whole run. */
const MAX_RUN_DELAY_MS = 600_000

export interface PacerClock {
  /** In milliseconds. */
  now(): number
  wait(milliseconds: number, signal: AbortSignal): Promise<unknown>
}

const REAL_CLOCK: PacerClock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}

export function createPacer({ now, wait }: PacerClock = REAL_CLOCK): Pacer {
  let resumesAt = now()
  let waits = 0
  let pausedMs = 0
  /** Operations whose wait was abandoned. Their next refusals are returned immediately. */
  const abandoned = new Set<string>()

  const pause = (milliseconds: number): void => {
    const until = now() + milliseconds
    pausedMs += Math.max(0, until - Math.max(now(), resumesAt))
    resumesAt = Math.max(resumesAt, until)
  }
  return {
    waits: () => waits,
    pausedMs: () => pausedMs,
    send: async (request, { attempt, isMet, signal }) => {
      const startedAt = now()
      const operation = nameRequest(request)
      for (;;) {
        while (resumesAt > now()) await wait(resumesAt - now(), signal)
        const sent = await attempt()
        const pauseMs = isAnswer(sent) && !isMet(sent) ? requestedPauseMs(sent) : null
        if (pauseMs === null) {
          abandoned.delete(operation)
          return sent
        }
        const isPointless = pauseMs > MAX_PAUSE_MS || pausedMs >= MAX_RUN_DELAY_MS || abandoned.has(operation)
        if (isPointless) return sent
        if (now() + pauseMs - startedAt > MAX_REQUEST_DELAY_MS) {
          abandoned.add(operation)
          return sent
        }
        waits += 1
        pause(pauseMs)
      }
    },
  }
}

const isAnswer = (sent: object): sent is Answer => 'status' in sent

/** The contract's codes for a 429 that a slower pace would not avoid. */
const CODES_OF_OTHER_LIMITS = ['QUEUE_FULL', 'PENDING_LIMIT', 'STREAM_LIMIT']

/** The pause that a refusal requests, in milliseconds; null if the refusal does not depend on the request rate. */
function requestedPauseMs({ status, headers, body }: Answer): number | null {
  const isRateLimit =
    status === 429
      ? !CODES_OF_OTHER_LIMITS.some((code) => namesCode(body, code))
      : // A refusal with an unknown outcome must be examined by the check.
        status === 503 && !namesCode(body, 'unknown')
  const value = headers['retry-after']
  if (!isRateLimit || value === undefined) return null
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds, MIN_PAUSE_MS)
}

/** `Retry-After: 0` must not cause a busy loop. */
const MIN_PAUSE_MS = 100

/** Needs of checks that can make the gateway refuse requests with 503. */
const MAKE_UNAVAILABLE: ReadonlySet<string> = new Set([
  'admin',
  'driver.pauseAdmission',
  'driver.pauseDevice',
  'driver.disableDevice',
  'driver.takeDeviceOffline',
  'driver.restartServer',
  'driver.shutDownServer',
])

/** Returns a predicate for the refusals that a check provokes and examines itself. */
export function refusalsExaminedBy({
  meetsRateLimit = false,
  tags = [],
  needs = [],
}: ServerCheck): (answer: Answer) => boolean {
  const isAboutLimits = tags.includes('limit')
  const isAboutAvailability = needs.some((need) => MAKE_UNAVAILABLE.has(need))
  return ({ status, body }) =>
    meetsRateLimit || (status === 503 ? isAboutAvailability : isAboutLimits && !namesCode(body, 'RATE_LIMITED'))
}
