import type { AttemptResult } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import { checkCallbackUrl } from '../domain/callback-url.ts'
import { SecretBoxError } from '../domain/secret-box.ts'
import { signPayload } from '../domain/webhook-signature.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { openCallbackSecret } from '../gateway/secrets/signing-secret.ts'
import { openUrl, urlQueryContext } from '../gateway/secrets/stored-url.ts'
import type { SpanEnd, Tracing } from '../gateway/tracing.ts'
import { NO_TRACING } from '../gateway/tracing.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import type { PostEvent } from './post-event.ts'

/**
 * Makes one attempt at a delivery: the stored bytes, under a fresh timestamp and signature (D-40). A failed attempt is
 * a result, not a rejection.
 */
export type Attempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptResult>

export const createAttempt =
  (
    { clock, secrets, callbackTargets }: Pick<GatewayContext, 'clock' | 'secrets' | 'callbackTargets'>,
    post: PostEvent,
    tracing: Tracing = NO_TRACING,
  ): Attempt =>
  async (delivery, signal) => {
    const { callbackId, eventId, sealedSecret } = delivery
    let url: string
    let secret: string
    try {
      url = openUrl(secrets, urlQueryContext(callbackId), delivery)
      secret = openCallbackSecret(secrets, callbackId, sealedSecret)
    } catch (error) {
      if (error instanceof SecretBoxError) return { kind: 'failed', message: error.message }
      throw error
    }
    // The current allowlist applies, not the one at the time the configuration was saved.
    const verdict = checkCallbackUrl(url, callbackTargets)
    if (!verdict.ok) return { kind: 'blocked', message: `The URL ${verdict.message}.` }
    const body = Buffer.from(delivery.body)
    const span = tracing.begin({
      name: 'callback attempt',
      kind: 'client',
      parent: delivery.traceparent,
      attributes: {
        'http.request.method': 'POST',
        'server.address': verdict.url.hostname,
        'conversation_gateway.app_id': delivery.appId,
        'conversation_gateway.delivery_id': delivery.deliveryId,
        'conversation_gateway.attempt': delivery.attemptsEver,
      },
    })
    const timestamp = String(Math.floor(clock.now().getTime() / 1000))
    const headers = {
      'content-type': 'application/json',
      'content-length': body.byteLength,
      'user-agent': 'conversation-gateway',
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signPayload({ id: eventId, timestamp, body }, secret),
      ...(span.traceparent === null ? {} : { traceparent: span.traceparent }),
    }
    const result = await post({ url: verdict.url, isExempt: verdict.isExempt, headers, body }, signal)
    span.end(endOf(result))
    return result
  }

const endOf = (result: AttemptResult): SpanEnd => {
  if (result.kind !== 'answered') return { error: result.kind }
  const { status } = result
  return {
    attributes: { 'http.response.status_code': status },
    ...(status >= 200 && status < 300 ? {} : { error: String(status) }),
  }
}
