import type { Times } from '../client/options.ts'
import { GatewayError, NotSentError } from '../errors.ts'
import { signedHeaders } from '../signature/sign.ts'
import { attemptOnce } from '../transport/attempt.ts'
import { runRetryLoop } from '../transport/retry-loop.ts'
import type { SendSettings, Sent } from '../transport/send.ts'

/**
 * An event whose outcome is unknown: everything needed to send it again with its ID and bytes. Its only secret is the
 * body. Plain JSON, so it can be stored anywhere and sent by another process.
 */
export interface WebhookHandle {
  readonly version: 1
  readonly url: string
  readonly id: string
  /** The exact text of the body. */
  readonly body: string
  /** When the event was first sent, ISO 8601. */
  readonly createdAt: string
  /** Until when the gateway remembers the ID (D-34): sent after this, the event could be handled a second time. */
  readonly resendBefore: string
}

/**
 * It is unknown whether the gateway accepted the event: an answer was lost, and no later attempt settled the outcome.
 * Keep the `handle` and settle it with `sender.resend(handle)`, in this or another process. `cause` is the error of the
 * last attempt, or the reason of an abort.
 */
export class UnknownDeliveryError extends GatewayError {
  override readonly name = 'UnknownDeliveryError'
  readonly handle: WebhookHandle

  constructor(handle: WebhookHandle, cause: unknown) {
    super(
      `Whether event ${handle.id} was accepted is not known. Keep error.handle and finish it with sender.resend().`,
      {
        cause,
        requestId: cause instanceof GatewayError ? cause.requestId : null,
      },
    )
    this.handle = handle
  }
}

export interface DeliverySettings extends Omit<SendSettings, 'maxAnswerBytes'>, Times {
  readonly secret: string
  readonly maxAttempts: number
}

/** An acceptance is a few hundred bytes. */
const MAX_ANSWER_BYTES = 1_048_576
const OPERATION_ID = 'receiveWebhook'

/**
 * Sends an event until an answer settles it, or the rules of `retry.ts` end it. Every attempt has the same ID and
 * bytes, and its own timestamp and signature, so that a late attempt still has a valid timestamp (SIG-16, SIG-17).
 *
 * @param mayHaveArrived Whether the event may have been accepted before.
 */
export const deliver = async (
  settings: DeliverySettings,
  handle: WebhookHandle,
  mayHaveArrived: boolean,
  signal: AbortSignal | undefined,
): Promise<Sent> => {
  const { secret, timing } = settings
  const body = new TextEncoder().encode(handle.body)
  const call = settings.observe(OPERATION_ID)
  const settled = await runRetryLoop({
    ...settings,
    operationId: OPERATION_ID,
    mayHaveHappened: mayHaveArrived,
    signal,
    attempt: async (timeoutMs) => {
      const headers = await signedHeaders({ id: handle.id, body, secret, now: new Date(timing.now()) })
      return call.send({ url: handle.url, method: 'POST', headers: new Headers(headers), body }, (request) =>
        attemptOnce(request, {
          ...settings,
          expected: 'json',
          status: 202,
          timeoutMs,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          signal,
        }),
      )
    },
    isRepeatable: true,
  })
  const cause = settled.kind === 'failed' ? settled.error : signal?.reason
  call.end(settled.kind === 'answered' ? undefined : cause)
  if (settled.kind === 'answered') return settled
  if (settled.mayHaveHappened) throw new UnknownDeliveryError(handle, cause)
  throw settled.kind === 'failed'
    ? settled.error
    : new NotSentError('The event was aborted before anything could happen.', { cause })
}
