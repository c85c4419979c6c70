import type { Claimed, News, Session } from '../generated/worker.ts'
import type { Fetch } from '../transport/fetch.ts'
import type { WorkerAssistant } from './assistant.ts'
import { type Execution, executeRun, type WorkerLog } from './execute-run.ts'
import {
  createGatewayCalls,
  type GatewayCalls,
  isTransient,
  jsonWith,
  nothing,
  pause,
  pauseMs,
} from './gateway-calls.ts'

export interface WorkerOptions {
  /** The gateway's origin, such as `https://gateway.example.com`. */
  readonly url: string
  /** A device key, `gd_…`. */
  readonly key: string
  /**
   * The assistants by the IDs of their services, or one assistant for all services. A run of a service without an
   * assistant fails with ASSISTANT_MISSING. One assistant for all services can read `request.endpointId` and the
   * published `request.assistant`.
   */
  readonly assistants: Readonly<Record<string, WorkerAssistant>> | WorkerAssistant
  /** Runs executed at once, 1 to 1,000. Runs that wait for an approval do not count. Default 8. */
  readonly slots?: number
  /** Shown to operators. Default `worker`. */
  readonly name?: string
  /** Shown to operators. */
  readonly version?: string
  /** How long executing runs may continue after the signal fires, in milliseconds. Default 20,000. */
  readonly drainMs?: number
  /** Default: warnings and errors go to the console. */
  readonly log?: WorkerLog
  readonly fetch?: Fetch
}

export interface Worker {
  /**
   * Serves the device until `signal` fires. Then it takes no more runs, lets executing runs continue for `drainMs`,
   * stops the rest, and resolves. It retries an unreachable gateway indefinitely. Rejects with {@link
   * WorkerRefusedError} when the gateway does not accept the key or the options.
   */
  run(options?: { readonly signal?: AbortSignal }): Promise<void>
}

/** The gateway refuses the worker; a retry does not help. */
export class WorkerRefusedError extends Error {
  override readonly name = 'WorkerRefusedError'
  /** The problem's code, such as `UNAUTHENTICATED`. */
  readonly code: string
  constructor(code: string, detail: string) {
    super(`The gateway refuses the worker: ${detail}`)
    this.code = code
  }
}

const DEFAULT_SLOTS = 8
const DRAIN_MS = 20_000
/** How long runs may take to stop. */
const STOP_MS = 5000
const CLAIM_WAIT_MS = 20_000
/** A heartbeat with executing runs long-polls no longer than this, so that the next one soon reports new runs. */
const BUSY_BEAT_MS = 1000
/** A long-poll answer that takes less time than this is a quick answer. */
const QUICK_MS = 50
/** Minimum number of heartbeats in a lease. */
const BEATS_IN_LEASE = 3

const toConsole =
  (level: 'warn' | 'error'): WorkerLog['warn'] =>
  (fields, message) =>
    // biome-ignore lint/suspicious/noConsole: the default log; without it failed runs would leave no trace
    console[level](message, fields)

const CONSOLE: WorkerLog = { info: () => {}, warn: toConsole('warn'), error: toConsole('error') }

/** A worker that executes runs of one device in this process. */
export const createWorker = (options: WorkerOptions): Worker => {
  const calls = createGatewayCalls(options.url, options.key, options.fetch)
  return {
    run: async ({ signal = new AbortController().signal } = {}) => {
      while (!signal.aborted) {
        const session = await openSession(calls, options, signal)
        if (session !== null) await serveSession(calls, session, options, signal)
      }
    },
  }
}

const readSession = jsonWith<Session>({ session_id: 'string', lease_ms: 'number', services: 'array' })
const readClaimed = jsonWith<Claimed>({ runs: 'array' })
const readNews = jsonWith<News>({ stop: 'array', lost: 'array', decisions: 'array' })

interface OpenedSession extends Session {
  /** When the request for it was sent. */
  readonly sentAtMs: number
}

/** Null when the signal fires first. */
const openSession = async (
  calls: GatewayCalls,
  { url, name = 'worker', version, slots = DEFAULT_SLOTS, log = CONSOLE }: WorkerOptions,
  signal: AbortSignal,
): Promise<OpenedSession | null> => {
  let isLogged = false
  const logOnce = (reason: string): void => {
    if (!isLogged) log.warn({ url, reason }, 'the worker has no session yet; trying again')
    isLogged = true
  }
  for (let attempt = 0; ; attempt += 1) {
    const sentAtMs = performance.now()
    const body = { name, ...(version === undefined ? {} : { version }), slots }
    const opening = calls.persist('POST', '/worker/v1/sessions', body, readSession, signal, logOnce)
    const answer = await opening.catch(() => null)
    if (answer === null) return null
    if (answer.code !== null) throw new WorkerRefusedError(answer.code, answer.detail)
    // An answer that took longer than the lease is useless.
    if (performance.now() - sentAtMs < answer.value.lease_ms) return { ...answer.value, sentAtMs }
    await pause(pauseMs(attempt), signal)
    if (signal.aborted) return null
  }
}

/** Resolves when the session ends, because the worker drains or has lost the session. */
const serveSession = async (
  calls: GatewayCalls,
  session: OpenedSession,
  options: WorkerOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { slots = DEFAULT_SLOTS, assistants, drainMs = DRAIN_MS, log = CONSOLE } = options
  const { session_id: sessionId, lease_ms: leaseMs } = session
  const at = `/worker/v1/sessions/${encodeURIComponent(sessionId)}`
  const held = new Map<string, Execution>()
  const over = new AbortController()
  let refused: WorkerRefusedError | null = null
  let leaseEndMs = session.sentAtMs + leaseMs
  const claiming = new AbortController()
  let isDraining = false
  let wakeClaims = (): void => {}
  let wakeBeat = (): void => {}

  const assistantOf = (endpointId: string): WorkerAssistant | undefined => {
    if (typeof assistants === 'function') return assistants
    return Object.hasOwn(assistants, endpointId) ? assistants[endpointId] : undefined
  }

  const isHeld = (): boolean => !over.signal.aborted && performance.now() < leaseEndMs
  const loseSession = (why: string): void => {
    if (over.signal.aborted) return
    if (held.size > 0)
      log.warn({ session_id: sessionId, runs: [...held.keys()] }, `${why}; the worker stops the runs of the session`)
    else log.info({ session_id: sessionId }, why)
    for (const execution of held.values()) execution.lose()
    over.abort()
  }

  // The worker measures its lease from when it sent the last answered heartbeat, so it ends no later than the gateway's
  // lease.
  let watchdog: ReturnType<typeof setTimeout> | undefined
  const watch = (): void => {
    clearTimeout(watchdog)
    watchdog = setTimeout(
      () => {
        if (performance.now() < leaseEndMs) return watch()
        const lateMs = Math.round(performance.now() - leaseEndMs)
        const blocked = lateMs > leaseMs / BEATS_IN_LEASE ? `, the event loop was blocked for ${lateMs} ms` : ''
        loseSession(`the lease is over, because no heartbeat was answered in time${blocked}`)
      },
      Math.max(0, leaseEndMs - performance.now()),
    )
  }

  const busy = (): number => [...held.values()].filter(({ approvalId }) => approvalId === null).length

  const take = ({ runs }: Claimed): void => {
    for (const run of runs) {
      if (held.has(run.run_id)) continue
      const assistant = assistantOf(run.endpoint_id)
      const changed = (): void => {
        wakeClaims()
        wakeBeat()
      }
      const execution = executeRun(run, assistant, { calls, sessionId, log, isHeld, changed })
      held.set(run.run_id, execution)
      void execution.done.then(() => {
        held.delete(run.run_id)
        wakeClaims()
      })
    }
    if (runs.length > 0) wakeBeat()
  }

  const claim = async (): Promise<void> => {
    for (let failures = 0; !over.signal.aborted && !isDraining; ) {
      const limit = slots - busy()
      const awake = new AbortController()
      wakeClaims = () => awake.abort()
      if (limit <= 0) {
        await pause(leaseMs, AbortSignal.any([awake.signal, over.signal, signal]))
        continue
      }
      const body = { limit, wait_ms: CLAIM_WAIT_MS, runs: [...held.keys()] }
      const until = AbortSignal.any([over.signal, claiming.signal, AbortSignal.timeout(CLAIM_WAIT_MS + leaseMs)])
      const sentAtMs = performance.now()
      const answer = await calls.send('POST', `${at}/claims`, body, readClaimed, until).catch(() => null)
      if (answer !== null && answer.code !== null && !isTransient(answer.status)) {
        refuse(answer)
        continue
      }
      const runs = answer?.code === null ? answer.value.runs : []
      if (runs.length > 0 && isHeld()) take({ runs })
      // Treat a quick answer without runs as a failure too, so that a gateway that never waits is not polled without a
      // pause.
      const isFailure = answer?.code !== null || (runs.length === 0 && performance.now() - sentAtMs < QUICK_MS)
      failures = isFailure ? failures + 1 : 0
      if (isFailure) await pause(pauseMs(failures - 1), AbortSignal.any([over.signal, claiming.signal]))
    }
  }

  const beat = async (): Promise<void> => {
    for (let failures = 0; !over.signal.aborted; ) {
      const sent = [...held.values()]
      const awake = new AbortController()
      // Only an idle worker waits so long that a new run must interrupt the wait.
      wakeBeat = sent.length === 0 ? () => awake.abort() : () => {}
      const waitMs = Math.min(leaseMs / BEATS_IN_LEASE, sent.length === 0 ? leaseMs : BUSY_BEAT_MS)
      const sentAtMs = performance.now()
      const body = { runs: sent.map(describe), wait_ms: Math.floor(waitMs) }
      const until = AbortSignal.any([over.signal, awake.signal, AbortSignal.timeout(Math.ceil(waitMs + leaseMs))])
      const answer = await calls.send('POST', `${at}/heartbeats`, body, readNews, until).catch(() => null)
      if (awake.signal.aborted) continue
      if (answer !== null && answer.code !== null && !isTransient(answer.status)) {
        refuse(answer)
        continue
      }
      if (answer?.code === null) {
        leaseEndMs = Math.max(leaseEndMs, sentAtMs + leaseMs)
        watch()
        applyNews(answer.value, sent)
      }
      // Pause after every quick answer, even one with news; otherwise a gateway that never waits would be polled
      // without a pause.
      const isFailure = answer?.code !== null || performance.now() - sentAtMs < QUICK_MS
      failures = isFailure ? failures + 1 : 0
      if (isFailure) await pause(Math.min(pauseMs(failures - 1), leaseMs / 10), over.signal)
    }
  }

  const applyNews = ({ stop, lost, decisions }: News, sent: readonly Execution[]): void => {
    for (const { run_id } of stop) held.get(run_id)?.stop('cancelled')
    for (const runId of lost) {
      const execution = held.get(runId)
      // A run whose end is being sent may be reported as lost because it has just ended: let the end request decide.
      // Ignore runs that were claimed after the heartbeat was sent.
      if (execution !== undefined && sent.includes(execution) && !execution.isEnding) execution.lose()
    }
    for (const { run_id, approval_id, decision } of decisions) held.get(run_id)?.decide(approval_id, decision)
  }

  const refuse = ({ status, code, detail }: { status: number; code: string; detail: string }): void => {
    if (status !== 404) refused = new WorkerRefusedError(code, detail)
    loseSession(status === 404 ? 'the gateway does not know the session any more' : detail)
  }

  const settled = async (): Promise<void> => {
    while (held.size > 0) await Promise.all([...held.values()].map(({ done }) => done))
  }

  /**
   * Sends a claim for no new runs. It ends the waiting claim, and returns claimed runs that the worker does not know of
   * yet.
   */
  const takeLast = async (): Promise<void> => {
    const body = { limit: 0, runs: [...held.keys()] }
    const until = AbortSignal.any([over.signal, AbortSignal.timeout(leaseMs)])
    const answer = await calls.send('POST', `${at}/claims`, body, readClaimed, until).catch(() => null)
    if (answer?.code === null && isHeld()) take(answer.value)
    claiming.abort()
  }

  const drain = async (): Promise<void> => {
    isDraining = true
    wakeClaims()
    await takeLast()
    await Promise.race([settled(), pause(drainMs, over.signal)])
    for (const execution of held.values()) execution.stop('interrupted')
    await Promise.race([settled(), pause(STOP_MS, over.signal)])
    for (const execution of held.values()) execution.lose()
    if (!over.signal.aborted)
      await calls.send('DELETE', at, null, nothing, AbortSignal.timeout(STOP_MS)).catch(() => null)
    over.abort()
  }

  log.info({ session_id: sessionId, device_id: session.device_id, slots }, 'the worker serves its device')
  const missing = session.services.filter(({ endpoint_id }) => assistantOf(endpoint_id) === undefined)
  if (missing.length > 0)
    log.warn(
      { services: missing.map(({ endpoint_id }) => endpoint_id) },
      'the worker has no assistant for these services',
    )
  watch()
  const draining = new Promise<void>((resolve) => {
    const begin = (): void => void drain().then(resolve)
    if (signal.aborted) begin()
    else signal.addEventListener('abort', begin, { once: true })
    over.signal.addEventListener('abort', () => {
      signal.removeEventListener('abort', begin)
      if (!isDraining) resolve()
    })
  })
  await Promise.all([claim(), beat(), draining])
  clearTimeout(watchdog)
  if (refused !== null) throw refused
}

const describe = ({ runId, approvalId, isStopping }: Execution) => ({
  run_id: runId,
  ...(approvalId === null ? {} : { approval_id: approvalId }),
  ...(isStopping ? { stopping: true } : {}),
})
