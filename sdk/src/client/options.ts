import type { StreamOptions } from '../events/stream-source.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { DecisionListener } from '../transport/decision-report.ts'
import { type Fetch, resolveFetch } from '../transport/fetch.ts'
import { checkHeaders } from '../transport/headers.ts'
import { type Hooks, observer } from '../transport/observed-call.ts'
import type { Backoff } from '../transport/retry.ts'
import type { SendSettings } from '../transport/send.ts'
import { systemTiming, type Timing } from '../transport/timing.ts'
import { createReporter, type Logger, type LogLevel } from './log.ts'

/** Options of `createClient`. */
export interface ClientOptions extends Hooks {
  /**
   * The gateway's origin, without a path. HTTPS, except on loopback. Default: the environment variable
   * `GATEWAY_BASE_URL`.
   */
  readonly baseUrl?: string | undefined
  /** The application key, `gk_…`. Default: the environment variable `GATEWAY_API_KEY`. */
  readonly apiKey?: string | undefined
  /** The business subject that calls act for (D-03); `client.forSubject()` returns a client for another subject. */
  readonly subject?: string | undefined
  /**
   * Replaces the global `fetch`. For proxies and certificates, pass undici's `fetch` with a dispatcher of the same
   * undici version: `(url, init) => undici.fetch(url, { ...init, dispatcher })`. It must send exactly one request per
   * call: a `fetch` that retries hides whether an earlier request arrived.
   */
  readonly fetch?: Fetch | undefined
  /** Sent with every request; cannot replace the headers that the client sets itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Longest time for one attempt, body included, in milliseconds; for a stream, until its headers arrive. Default
   * 15 000, for the content of attachments 120 000.
   */
  readonly attemptTimeoutMs?: number | undefined
  /**
   * Longest time for a call with all its attempts and waits, in milliseconds. Default 30 000, for the content of
   * attachments 240 000. If the gateway is unreachable and no earlier attempt can have taken effect, the call fails
   * after 8 000.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum number of attempts of a call; 1 disables retries. Default: as many as the timeout allows. It does not limit
   * how often streams reconnect.
   */
  readonly maxAttempts?: number | undefined
  /** Longest time without progress before a stream gives up reconnecting, in milliseconds. Default 300 000. */
  readonly streamPatienceMs?: number | undefined
  /**
   * Waits between attempts: full jitter below a bound that doubles from `baseMs` (default 250) to `maxMs`
   * (default 8 000).
   */
  readonly backoff?: { readonly [name in keyof Backoff]?: Backoff[name] | undefined } | undefined
  /** Largest answer, in bytes. A larger one is not read to its end. Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined
  /** Records writes before they are sent, so that `client.recover()` can settle those of a crashed process. */
  readonly outbox?: Outbox | undefined
  /** Called with every decision of the client, such as a replay or reconnect, and with failures of hooks and outbox. */
  readonly onDecision?: DecisionListener | undefined
  /** Receives the log lines, for example `console`. Default: none. */
  readonly logger?: Logger | undefined
  /** Default `warn`. */
  readonly logLevel?: LogLevel | undefined
  /** Clock and random numbers, for tests. */
  readonly timing?: Timing | undefined
}

const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, 1>> = {
  baseUrl: 1,
  apiKey: 1,
  subject: 1,
  fetch: 1,
  headers: 1,
  attemptTimeoutMs: 1,
  timeoutMs: 1,
  maxAttempts: 1,
  streamPatienceMs: 1,
  backoff: 1,
  maxAnswerBytes: 1,
  outbox: 1,
  onDecision: 1,
  onRequest: 1,
  onResponse: 1,
  tracing: 1,
  logger: 1,
  logLevel: 1,
  timing: 1,
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call. A read rejects with the signal's reason, a write with a `NotSentError` or an
   * `UnknownOutcomeError`.
   */
  readonly signal?: AbortSignal | undefined
  /** See {@link ClientOptions.timeoutMs}. */
  readonly timeoutMs?: number | undefined
  /** See {@link ClientOptions.attemptTimeoutMs}. */
  readonly attemptTimeoutMs?: number | undefined
  /** See {@link ClientOptions.maxAttempts}. */
  readonly maxAttempts?: number | undefined
  /** Sent with this call only. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The caller's request ID: 1-128 visible ASCII characters (D-10). Default: the gateway creates one. */
  readonly requestId?: string | undefined
}

/** Options of calls that are replayed under a key. */
export interface MutationOptions extends CallOptions {
  /**
   * The key of this write: 1-128 visible ASCII characters. Default: a new one for each call, used by all its attempts.
   * Without an outbox, pass your own to repeat the write after a crash.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * The program's own name for this write, by which it recognises the write in `recover()`. Stored in the outbox; never
   * sent.
   */
  readonly tag?: string | undefined
}

/** Options of calls that read pages. */
export interface PageOptions extends CallOptions {
  /** Maximum number of items to iterate over. Default: all. */
  readonly maxItems?: number | undefined
}

/** The options of all kinds of calls. */
export const CALL_OPTIONS: Readonly<Record<keyof (MutationOptions & PageOptions), 1>> = {
  signal: 1,
  timeoutMs: 1,
  attemptTimeoutMs: 1,
  maxAttempts: 1,
  headers: 1,
  requestId: 1,
  idempotencyKey: 1,
  tag: 1,
  maxItems: 1,
}

/** Options of waits. */
export interface WaitOptions extends Pick<CallOptions, 'headers' | 'requestId'> {
  readonly signal?: AbortSignal | undefined
  /** Total wait in milliseconds. Default 600 000. */
  readonly timeoutMs?: number | undefined
}

export const WAIT_OPTIONS: Readonly<Record<keyof WaitOptions, 1>> = {
  signal: 1,
  timeoutMs: 1,
  headers: 1,
  requestId: 1,
}
export const STREAM_OPTIONS: Readonly<Record<keyof StreamOptions, 1>> = {
  after: 1,
  onOpen: 1,
  waitForStream: 1,
  signal: 1,
  headers: 1,
  requestId: 1,
}

/** How long a call, and each of its attempts, may take, in milliseconds. */
export interface Times {
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
}

/** For calls without a file, and for webhooks. */
export const CALL_TIMES: Times = { timeoutMs: 30_000, attemptTimeoutMs: 15_000 }

/** The options of a client after defaults and checks. */
export interface Settings extends SendSettings {
  readonly origin: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly times: Times
  /** For calls that transfer a file. */
  readonly transferTimes: Times
  readonly maxAttempts: number
  readonly streamPatienceMs: number
  readonly outbox: Outbox | null
}

/** Checks options and adds the defaults; throws a `TypeError` that names the option. */
export function resolveOptions(options: ClientOptions): Settings {
  checkNames(options, CLIENT_OPTIONS)
  const apiKey = options.apiKey ?? environment('GATEWAY_API_KEY')
  if (!apiKey) throw new TypeError('apiKey is missing: pass it or set GATEWAY_API_KEY.')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey has invalid characters; was a line break copied with it?')
  return {
    ...resolveSending(options, createReporter(options.logger, options.logLevel ?? 'warn', options.onDecision)),
    origin: parseOrigin(options.baseUrl ?? environment('GATEWAY_BASE_URL')),
    apiKey,
    headers: checkHeaders(options.headers ?? {}),
    times: timesOf(options, CALL_TIMES),
    transferTimes: timesOf(options, { timeoutMs: 240_000, attemptTimeoutMs: 120_000 }),
    streamPatienceMs: positive('streamPatienceMs', options.streamPatienceMs ?? 300_000),
    maxAnswerBytes: positive('maxAnswerBytes', options.maxAnswerBytes ?? 64 * 1024 * 1024),
    outbox: options.outbox ?? null,
  }
}

/** What clients and webhook senders have in common. */
export function resolveSending(
  options: Pick<ClientOptions, 'fetch' | 'maxAttempts' | 'backoff' | 'timing' | keyof Hooks>,
  report: DecisionListener,
) {
  const timing = options.timing ?? systemTiming
  return {
    fetch: resolveFetch(options.fetch),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? Number.POSITIVE_INFINITY),
    backoff: {
      baseMs: positive('backoff.baseMs', options.backoff?.baseMs ?? 250),
      maxMs: positive('backoff.maxMs', options.backoff?.maxMs ?? 8_000),
    },
    timing,
    report,
    observe: observer(options, { timing, report }),
  }
}

/** The times from the options, which override the given defaults. */
export const timesOf = (options: Pick<CallOptions, keyof Times>, times: Times): Times => ({
  timeoutMs: positive('timeoutMs', options.timeoutMs ?? times.timeoutMs),
  attemptTimeoutMs: positive('attemptTimeoutMs', options.attemptTimeoutMs ?? times.attemptTimeoutMs),
})

/** A number that must be above zero; throws a `TypeError` that names it. */
export function positive(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, not ${String(value)}.`)
}

/** Whether the host is a loopback address, where plain HTTP exposes nothing to a network. */
export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)

/** The origin of an address. Throws a `TypeError` that says what is wrong with it. */
export function parseOrigin(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing: pass it or set GATEWAY_BASE_URL.')
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an origin such as https://gateway.example.com.')
  if (url.username || url.password)
    throw new TypeError('baseUrl must not contain a user or password; pass the key as apiKey.')
  if (url.pathname !== '/' || url.search || url.hash)
    throw new TypeError(`baseUrl must be an origin without a path: use ${url.origin}. The client adds /api/v1 itself.`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new TypeError('baseUrl must use https: over http the key is readable in transit.')
  return url.origin
}

function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]
  } catch {
    // Deno throws where reading the environment is not permitted.
    return undefined
  }
}

/** Throws a `TypeError` for an unknown option; it names the nearest known one. */
export function checkNames(options: object, known: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const [nearest] = Object.keys(known).sort((one, other) => distance(name, one) - distance(name, other))
    throw new TypeError(`${name} is not an option; did you mean ${nearest}?`)
  }
}

/** The Levenshtein distance between two names. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const letter of one)
    row = row.reduce<number[]>((next, above, index) => {
      const changed = (row[index - 1] ?? 0) + (letter.toLowerCase() === other[index - 1]?.toLowerCase() ? 0 : 1)
      next.push(index === 0 ? above + 1 : Math.min(above + 1, (next[index - 1] ?? 0) + 1, changed))
      return next
    }, [])
  return row.at(-1) ?? 0
}
