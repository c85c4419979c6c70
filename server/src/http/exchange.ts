import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { ErrorCode } from '@conversation-gateway/openapi/generated/errors'
import type { Traceparent } from '../domain/trace-context.ts'
import type { Caller } from '../gateway/access/authenticate.ts'
import type { DeviceIdentity } from '../gateway/access/device-gate.ts'
import type { OperatorIdentity } from '../gateway/access/operator-gate.ts'
import type { RequestInput } from './requests/read-request.ts'

/** The state of a request while it is answered: for its handler, the log and the metrics. */
export interface Exchange {
  /** Null for requests without an operation of a contract. */
  operationId: string | null
  /** Set when the guard has accepted the application's key. */
  caller: Caller | null
  /** Set when the guard has accepted the subject, too. */
  tenant: Tenant | null
  /** The operator; set by the guard of the operator's API. */
  operator: OperatorIdentity | null
  /** The worker's device; set by the guard of the worker API. */
  device: DeviceIdentity | null
  /** Set when the request was read and is valid. */
  input: RequestInput | null
  /** The caller's trace context; null if none. */
  readonly traceparent: Traceparent | null
  /** The IDs in the answer to admitted work: a conversation, a run, an operation. */
  answerIds: Readonly<Record<string, unknown>> | null
  /** The error code of a refusal; null for other answers. */
  code: ErrorCode | null
  /** Whether an admission under an Idempotency-Key was new or a replay; null for other requests. */
  admission: 'new' | 'replayed' | null
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

export const openExchange = (traceparent: Traceparent | null): Exchange => ({
  traceparent,
  operationId: null,
  caller: null,
  tenant: null,
  operator: null,
  device: null,
  input: null,
  answerIds: null,
  code: null,
  admission: null,
})
