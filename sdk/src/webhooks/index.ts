export type { Answer, Call } from '../client/pending-call.ts'
export { ApiError, ConnectionError, GatewayError, isApiError, NotSentError, TimeoutError } from '../errors.ts'
export type { WebhookAcceptance, WebhookBody } from '../generated/gateway.ts'
export type { Decision, DecisionListener, Trouble } from '../transport/decision-report.ts'
export type { Fetch, FetchInit, FetchResponse } from '../transport/fetch.ts'
export type { Backoff } from '../transport/retry.ts'
export type { Timing } from '../transport/timing.ts'
export type { WebhookHandle } from './deliver.ts'
export { UnknownDeliveryError } from './deliver.ts'
export {
  createWebhookSender,
  type SendWebhookOptions,
  type WebhookDelivery,
  type WebhookOutcome,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhook-sender.ts'
