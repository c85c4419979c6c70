export type { RecordedRequest } from './answer-request.ts'
export type { RecordedCallback, TestCallbacks } from './callbacks.ts'
export {
  createTestGateway,
  type TestConversation,
  type TestGateway,
  type TestGatewayOptions,
} from './create-test-gateway.ts'
export type { Fault, FaultRule, ForeignAnswer, InjectedRefusal, StreamCut } from './faults.ts'
export type { TestedOperationId } from './operations.ts'
export type { Reply, ReplyStep, RunEnding } from './replies.ts'
export type { TestWebhook, WebhookAction } from './webhooks.ts'
