export type { SignatureHeaders } from '../signature/headers.ts'
export type { SignedHeaders } from '../signature/sign.ts'
export { SignatureError, type SignatureErrorReason } from '../signature/signature-error.ts'
export type { CallbackDelivery, CallbackStore, CallbackVerdict } from './callback-store.ts'
export { type MemoryCallbackStoreOptions, memoryCallbackStore } from './callback-store.ts'
export { type FastifyResponse, type FastifyScope, toFastifyPlugin } from './fastify-adapter.ts'
export { toFetchHandler } from './fetch-adapter.ts'
export {
  type ExpressRequest,
  type NodeRequest,
  type NodeResponse,
  toExpressHandler,
  toNodeHandler,
} from './node-adapter.ts'
export {
  CALLBACK_INBOX_TABLE,
  type PostgresCallbackStore,
  type PostgresCallbackStoreOptions,
  type PostgresPool,
  type PostgresTransaction,
  type PostgresTransactor,
  postgresCallbackStore,
} from './postgres-callback-store.ts'
export {
  CallbackConflictError,
  type CallbackReceiver,
  type CallbackReply,
  createReceiver,
  type IncomingCallback,
  type ReceiverOptions,
} from './receiver.ts'
export { type SignCallbackOptions, type SignedCallback, signCallback } from './sign-callback.ts'
export { type CallbackEvent, type VerifyCallbackOptions, verifyCallback } from './verify-callback.ts'
