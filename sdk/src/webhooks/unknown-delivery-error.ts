import { GatewayError } from '../errors.ts'
import type { WebhookHandle } from './webhook-handle.ts'

/**
 * Whether the gateway accepted the event is not known: answers were lost and the time or the caller's patience ended.
 * Keep the `handle` and finish it with `sender.resend(handle)`, in another process too. `cause` is what the last
 * attempt met.
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
