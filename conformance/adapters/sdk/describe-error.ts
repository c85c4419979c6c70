import { ApiError, CursorExpiredError, isUnknownOutcome } from '@conversation-gateway/sdk'
import { UnknownDeliveryError } from '@conversation-gateway/sdk/webhooks'

/** Converts an error of the SDK to an error of the protocol. */
export const describeError = (error: unknown, signal: AbortSignal): object => {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  if (signal.aborted) return { kind: 'stopped', message }
  if (error instanceof CursorExpiredError) return { kind: 'expired', message }
  if (error instanceof ApiError) {
    const { status, code, retryAfterMs } = error
    return {
      kind: 'refused',
      status,
      code,
      message,
      ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
    }
  }
  if (isUnknownOutcome(error) && error.handle !== null) return { kind: 'unknown', handle: error.handle, message }
  if (error instanceof UnknownDeliveryError) return { kind: 'unknown', message }
  return { kind: error instanceof TypeError || error instanceof RangeError ? 'invalid' : 'failed', message }
}
