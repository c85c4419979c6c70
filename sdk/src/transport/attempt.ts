import { ApiError, ConnectionError, type GatewayError, NotSentError, TimeoutError } from '../errors.ts'
import type { Trouble } from './decision-report.ts'
import type { FetchInit, HostFetch } from './fetch.ts'
import { findNoConnection } from './not-sent.ts'
import { type Expected, readAnswer, readError } from './read-answer.ts'
import { type Verdict, verdictOf } from './retry.ts'
import type { Timing } from './timing.ts'

/** One request as it is sent, the same for every attempt. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | Blob | undefined
}

export interface AttemptOptions {
  readonly fetch: HostFetch
  readonly timing: Timing
  readonly expected: Expected
  /** HTTP status of success. Any other 2xx answer did not come from the gateway. */
  readonly status: number
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  readonly signal: AbortSignal | undefined
}

export interface FailedAttempt {
  readonly kind: 'failed'
  readonly trouble: Trouble
  readonly error: GatewayError
  readonly verdict: Verdict
}

/** The result of one attempt. */
export type Attempt =
  | { readonly kind: 'answered'; readonly response: Response }
  | FailedAttempt
  /** The caller's signal aborted it. */
  | { readonly kind: 'aborted'; readonly wasSent: boolean }

/**
 * Sends the request once and reads the answer to its end, or only the head of a stream. Never rejects.
 * A stream's connection stays bound to `signal` after this.
 */
export async function attemptOnce(request: OutgoingRequest, options: AttemptOptions): Promise<Attempt> {
  const { signal, timing } = options
  if (signal?.aborted) return { kind: 'aborted', wasSent: false }
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  // The caller's own fetch may ignore its signal; a timeout or abort still ends the attempt.
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  let isLate = false
  const cancelTimer = timing.after(options.timeoutMs, () => {
    isLate = true
    controller.abort()
  })
  let keepsSignal = false
  try {
    const answer = await Promise.race([exchange(request, options, controller.signal), ended])
    if (answer instanceof ApiError) return failed('refused', answer)
    keepsSignal = options.expected === 'stream'
    return { kind: 'answered', response: answer }
  } catch (cause) {
    // Cancel the unread rest of the answer to release its connection.
    controller.abort()
    if (signal?.aborted) return { kind: 'aborted', wasSent: true }
    if (isLate)
      return failed('timeout', new TimeoutError(`No complete answer within ${options.timeoutMs} ms.`, { cause }))
    if (cause instanceof ConnectionError) return failed('broken-answer', cause)
    const refused = findNoConnection(cause)
    if (!refused) return failed('connection', new ConnectionError(`No complete answer: ${reasonOf(cause)}.`, { cause }))
    const { reason, isTransient } = refused
    return failed('connection', new NotSentError(`Nothing was sent: ${reason}.`, { cause, isTransient }))
  } finally {
    cancelTimer()
    if (!keepsSignal) signal?.removeEventListener('abort', abort)
  }
}

const failed = (trouble: Trouble, error: GatewayError): FailedAttempt => ({
  kind: 'failed',
  trouble,
  error,
  verdict: verdictOf(error),
})

async function exchange(
  { url, method, headers, body }: OutgoingRequest,
  { fetch, timing, expected, status, maxAnswerBytes }: AttemptOptions,
  signal: AbortSignal,
): Promise<Response | ApiError> {
  const response = await fetch(url, {
    method,
    headers: [...headers],
    // Some hosts reject `body: undefined` in a Request.
    ...(body === undefined ? {} : { body: body as NonNullable<FetchInit['body']> }),
    redirect: 'manual',
    signal,
  })
  // For server-sent events, 204 means "do not reconnect".
  const isRefusedStream = expected === 'stream' && response.status === 204
  return response.ok && !isRefusedStream
    ? readAnswer(response, expected, status, maxAnswerBytes)
    : readError(response, timing.now())
}

/** Hosts wrap the reason: "fetch failed" with the cause ECONNREFUSED. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const { cause } = error
  return cause instanceof Error && cause.message ? cause.message : error.message
}

/** The description of a failed attempt in a decision. */
export const describeFailure = ({ trouble, error }: Pick<FailedAttempt, 'trouble' | 'error'>) => ({
  trouble,
  status: error instanceof ApiError ? error.status : null,
  code: error instanceof ApiError ? error.code : null,
  requestId: error.requestId,
})
