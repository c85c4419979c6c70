import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { ErrorCode } from '@conversation-gateway/openapi/generated/errors'
import type { Traceparent } from '../domain/trace-context.ts'
import type { Caller } from '../gateway/access/authenticate.ts'
import type { DeviceIdentity } from '../gateway/access/device-gate.ts'
import type { OperatorIdentity } from '../gateway/access/operator-gate.ts'
import type { RequestInput } from './requests/read-request.ts'

/** What is learned about a request while it is answered: for its handler, the log and the metrics. */
export interface Exchange {
  /** Null for what is no operation of a contract. */
  operationId: string | null
  /** Set once the guard of the route let the request in. */
  caller: Caller | null
  tenant: Tenant | null
  /** Who asks for an operation of the operator's API; set by the guard. */
  operator: OperatorIdentity | null
  /** Whose worker asks for an operation of the worker API; set by the guard. */
  device: DeviceIdentity | null
  /** Set once the request was read and keeps the contract. */
  input: RequestInput | null
  /** Where the caller's trace has come to; null where it has none. */
  readonly traceparent: Traceparent | null
  /** What it made or asked for, as its answer names it: a conversation, a run, a control operation. */
  made: Readonly<Record<string, unknown>> | null
  /** Why it was refused. */
  code: ErrorCode | null
  /** Whether it was admitted under an Idempotency-Key, and if so, whether as a replay. */
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
  made: null,
  code: null,
  admission: null,
})
