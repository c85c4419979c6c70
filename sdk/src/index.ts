export type { ConversationView, ViewMessage, ViewRun } from './client/conversation-view.ts'
export { createClient, type GatewayClient } from './client/create-client.ts'
export type { Logger, LogLevel } from './client/log.ts'
export type { CallOptions, ClientOptions, MutationOptions, PageOptions, WaitOptions } from './client/options.ts'
export type { Pages } from './client/pages.ts'
export type { Answer, Call, Mutation, Outcome } from './client/pending-call.ts'
export type { Recovery } from './client/recover.ts'
export type { AskedReply, AskTarget, DataReply, FollowOptions, OutputOptions } from './client/reply/ask.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './client/reply/output.ts'
export { OutputMismatchError } from './client/reply/output.ts'
export type { ReadingOptions, Reply } from './client/reply/reply.ts'
export type { ActivityPiece, RunEnd, TextPiece } from './client/reply/reply-progress.ts'
export type { Bytes, Upload } from './client/upload.ts'
export type { UploadOptions } from './client/uploaded-resources.ts'
export type { WatchItem, WatchOptions } from './client/watch.ts'
export type { KeyedConversation } from './client/watched-conversations.ts'
export {
  ApiError,
  ConnectionError,
  CursorExpiredError,
  GatewayError,
  isApiError,
  isUnknownOutcome,
  NotSentError,
  RunFailedError,
  StreamInterruptedError,
  TimeoutError,
  UnknownOutcomeError,
} from './errors.ts'
export { isKnownEvent, isTerminalRunEvent } from './events/event-guards.ts'
export type { StreamOptions } from './events/stream-source.ts'
export type { EventStream } from './events/subscribe.ts'
export * from './generated/enums.ts'
export { ERRORS, type ErrorCode, type ErrorInfo } from './generated/errors.ts'
export { CALLBACK_EVENT_TYPES, EVENT_TYPES, TERMINAL_RUN_EVENT_TYPES } from './generated/events.ts'
export type { Namespaces, ReplayedAnswers } from './generated/namespaces.ts'
export { type IdempotentOperationId, OPERATIONS, type OperationInfo, type StreamInfo } from './generated/operations.ts'
export type * from './generated/types.ts'
export type { DamagedEntry, Leftover, Outbox, Recorded } from './outbox/outbox.ts'
export { checkReplayHandle, type ReplayHandle } from './replay-handle.ts'
export type { Decision, DecisionListener, Trouble } from './transport/decision-report.ts'
export type { Fetch, FetchInit, FetchResponse } from './transport/fetch.ts'
export type {
  Hooks,
  RequestHook,
  RequestInfo,
  ResponseHook,
  ResponseInfo,
  TracedCall,
  Tracing,
} from './transport/observed-call.ts'
export type { Backoff } from './transport/retry.ts'
export type { Timing } from './transport/timing.ts'
