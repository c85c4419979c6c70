import type { Outbox } from '../outbox/outbox.ts'
import { checkHeaders } from '../transport/headers.ts'
import type { Backoff } from '../transport/retry-timing.ts'
import { systemTiming, type Timing } from '../transport/timing.ts'
import type { DecisionListener } from './decision.ts'
import { createLog, type Logger, type LogLevel } from './log.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /** The gateway's origin, without a path. HTTPS, except on loopback. Default: the environment variable `GATEWAY_BASE_URL`. */
  readonly baseUrl?: string
  /** The application key, `gk_…`. Default: the environment variable `GATEWAY_API_KEY`. */
  readonly apiKey?: string
  /** The business subject that calls act for (D-03); `client.forSubject()` gives a client of another one. */
  readonly subject?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Sent with every request; cannot replace the headers that the client sets itself. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest time for one attempt, body included, in milliseconds; of a stream, for its first byte. Default 30 000. */
  readonly attemptTimeoutMs?: number
  /** Longest time for a call with all its attempts and waits, in milliseconds. Default 120 000. */
  readonly timeoutMs?: number
  /** Longest time without progress before a stream gives up reconnecting, in milliseconds. Default 300 000. */
  readonly streamPatienceMs?: number
  /** Waits between attempts: full jitter below a bound that doubles from `baseMs` (default 250) to `maxMs` (default 8 000). */
  readonly backoff?: Partial<Backoff>
  /** Largest answer, in bytes. A larger one is not read to its end. Default 64 MiB. */
  readonly maxAnswerBytes?: number
  /** Records intentions before they are sent, so that `client.recover()` finishes what a crashed process left. */
  readonly outbox?: Outbox
  /** Told of every choice that the client makes: replay, reconnect, reload, poll, give up. */
  readonly onDecision?: DecisionListener
  /** Where log lines go. Default: nowhere. `console` fits. */
  readonly logger?: Logger
  /** Default `warn`. */
  readonly logLevel?: LogLevel
  /** Time and chance, for tests. */
  readonly timing?: Timing
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call. A read rejects with the signal's reason; a write with an error that says what is known. */
  readonly signal?: AbortSignal
  /** See {@link ClientOptions.timeoutMs}. */
  readonly timeoutMs?: number
  /** See {@link ClientOptions.attemptTimeoutMs}. */
  readonly attemptTimeoutMs?: number
  /** Sent with this call only. */
  readonly headers?: Readonly<Record<string, string>>
  /** The caller's name for the request: 1-128 visible ASCII characters (D-10). Default: the gateway makes one. */
  readonly requestId?: string
}

/** Options of calls that are replayed under a key. */
export interface MutationOptions extends CallOptions {
  /**
   * The key of this intention: 1-128 visible ASCII characters. Default: a new one for each call, used by all its
   * attempts. Give one to make the intention survive the process by other means than an outbox.
   */
  readonly idempotencyKey?: string
}

/** Options of calls that read pages. */
export interface PageOptions extends CallOptions {
  /** Iterating ends after this many items. Default: at the last page. */
  readonly maxItems?: number
}

/** Options of waits. */
export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Total wait in milliseconds. Default 600 000. */
  readonly timeoutMs?: number
}

/** The options of a client after defaults and checks. */
export interface Settings {
  readonly origin: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly attemptTimeoutMs: number
  readonly timeoutMs: number
  readonly streamPatienceMs: number
  readonly backoff: Backoff
  readonly maxAnswerBytes: number
  readonly outbox: Outbox | null
  readonly tell: DecisionListener
  readonly timing: Timing
}

/** Checks options and adds the defaults; throws a `TypeError` that names the option. */
export function resolveOptions(options: ClientOptions): Settings {
  const apiKey = options.apiKey ?? environment('GATEWAY_API_KEY')
  if (!apiKey) throw new TypeError('apiKey is missing: pass it or set GATEWAY_API_KEY.')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey has invisible characters; was a line break copied with it?')
  const log = createLog(options.logger, options.logLevel ?? 'warn')
  return {
    origin: parseOrigin(options.baseUrl ?? environment('GATEWAY_BASE_URL')),
    apiKey,
    // Bound late, so that a fetch that a test replaces later is used.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: checkHeaders(options.headers ?? {}),
    attemptTimeoutMs: positive('attemptTimeoutMs', options.attemptTimeoutMs ?? 30_000),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 120_000),
    streamPatienceMs: positive('streamPatienceMs', options.streamPatienceMs ?? 300_000),
    backoff: {
      baseMs: positive('backoff.baseMs', options.backoff?.baseMs ?? 250),
      maxMs: positive('backoff.maxMs', options.backoff?.maxMs ?? 8_000),
    },
    maxAnswerBytes: positive('maxAnswerBytes', options.maxAnswerBytes ?? 64 * 1024 * 1024),
    outbox: options.outbox ?? null,
    timing: options.timing ?? systemTiming,
    tell(decision) {
      for (const listener of [log, options.onDecision])
        try {
          listener?.(decision)
        } catch {
          // A listener that fails must not fail the call that it listens to.
        }
    },
  }
}

/** A duration or size that must be above zero; throws a `TypeError` that names it. */
export function positive(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, not ${String(value)}.`)
}

/** Whether what is named leads back to this machine, where plain HTTP shows nothing to a network. */
export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)

/** The origin that an address names; throws a `TypeError` that says what is wrong with anything else. */
export function parseOrigin(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing: pass it or set GATEWAY_BASE_URL.')
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an origin such as https://gateway.example.com.')
  if (url.username || url.password) throw new TypeError('baseUrl must hold no user or password; the key is apiKey.')
  if (url.pathname !== '/' || url.search || url.hash)
    throw new TypeError(`baseUrl must be an origin without a path: use ${url.origin}. The client adds /api/v1 itself.`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new TypeError('baseUrl must use https: over http the key is readable on the way.')
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
