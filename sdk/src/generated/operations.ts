// Generated from openapi/gateway.yaml by `npm run generate`. Do not edit.

import type { ErrorCode } from './errors.ts'

/** What an operation is, and how the client treats it. */
export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: `/api/v1/runs/{run_id}`. */
  readonly path: string
  /** HTTP status of success. */
  readonly status: number
  /** Set if the operation takes an idempotency key, which the gateway remembers for `retentionMs`. */
  readonly key?: { readonly header: string; readonly retentionMs: number }
  /** Set for a write without a key. */
  readonly repeat?: Repeat
  /** Set when the answer is a resumable event stream. */
  readonly stream?: StreamInfo
  /** Set when the answer is neither JSON nor a stream: bytes, or 204 without a body. */
  readonly answer?: 'bytes' | 'nothing'
  /** The lowest role of an operator that may call it; absent for operations that are not the operator's. */
  readonly operatorRole?: 'read' | 'operate' | 'admin'
}

/**
 * The effect of a repeated write without a key. `same`: it has the same result. `gone`: it has no effect and is
 * answered with NOT_FOUND. `again`: it takes effect a second time.
 */
export type Repeat = 'same' | 'gone' | 'again'

/** A resumable stream of server-sent events. */
export interface StreamInfo {
  readonly over: 'conversation' | 'run'
  /** The query parameter and the header for the seq to resume after; the header takes precedence. */
  readonly resume: { readonly header: string; readonly query: string }
  /** The error code for a position that is no longer retained. */
  readonly expired: ErrorCode
  readonly pingSeconds: number
  readonly retryMs: number
  /** Event types after which no event of the stream follows; empty when it has no end. */
  readonly terminal: readonly string[]
}

export const OPERATIONS = {
  listConversations: {
    operationId: "listConversations",
    method: "GET",
    path: "/api/v1/conversations",
    status: 200
  },
  createConversation: {
    operationId: "createConversation",
    method: "POST",
    path: "/api/v1/conversations",
    status: 201,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  getConversation: {
    operationId: "getConversation",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}",
    status: 200
  },
  listMessages: {
    operationId: "listMessages",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}/messages",
    status: 200
  },
  sendMessage: {
    operationId: "sendMessage",
    method: "POST",
    path: "/api/v1/conversations/{conversation_id}/messages",
    status: 202,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  streamConversationEvents: {
    operationId: "streamConversationEvents",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}/events",
    status: 200,
    stream: {
      over: "conversation",
      resume: {header: "Last-Event-ID", query: "after"},
      expired: "CURSOR_EXPIRED",
      pingSeconds: 15,
      retryMs: 1000,
      terminal: []
    }
  },
  resetConversation: {
    operationId: "resetConversation",
    method: "POST",
    path: "/api/v1/conversations/{conversation_id}/reset",
    status: 202,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  getRun: {operationId: "getRun", method: "GET", path: "/api/v1/runs/{run_id}", status: 200},
  streamRunEvents: {
    operationId: "streamRunEvents",
    method: "GET",
    path: "/api/v1/runs/{run_id}/events",
    status: 200,
    stream: {
      over: "run",
      resume: {header: "Last-Event-ID", query: "after"},
      expired: "CURSOR_EXPIRED",
      pingSeconds: 15,
      retryMs: 1000,
      terminal: ["run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired"]
    }
  },
  cancelRun: {
    operationId: "cancelRun",
    method: "POST",
    path: "/api/v1/runs/{run_id}/cancel",
    status: 202,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  getOperation: {
    operationId: "getOperation",
    method: "GET",
    path: "/api/v1/operations/{operation_id}",
    status: 200
  },
  getAgentEndpoint: {
    operationId: "getAgentEndpoint",
    method: "GET",
    path: "/api/v1/agent-endpoints/{endpoint_id}",
    status: 200
  },
  createRun: {
    operationId: "createRun",
    method: "POST",
    path: "/api/v1/agent-endpoints/{endpoint_id}/runs",
    status: 202,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  createResource: {
    operationId: "createResource",
    method: "POST",
    path: "/api/v1/resources",
    status: 201,
    key: {header: "Idempotency-Key", retentionMs: 604800000}
  },
  getResource: {
    operationId: "getResource",
    method: "GET",
    path: "/api/v1/resources/{resource_id}",
    status: 200
  },
  deleteResource: {
    operationId: "deleteResource",
    method: "DELETE",
    path: "/api/v1/resources/{resource_id}",
    status: 204,
    repeat: "gone",
    answer: "nothing"
  },
  getResourceContent: {
    operationId: "getResourceContent",
    method: "GET",
    path: "/api/v1/resources/{resource_id}/content",
    status: 200,
    answer: "bytes"
  },
  putResourceContent: {
    operationId: "putResourceContent",
    method: "PUT",
    path: "/api/v1/resources/{resource_id}/content",
    status: 200,
    repeat: "same"
  }
} as const satisfies Record<string, OperationInfo>

export type OperationId = keyof typeof OPERATIONS

/** The operations that are replayed under an idempotency key. */
export type IdempotentOperationId = 'createConversation' | 'sendMessage' | 'resetConversation' | 'cancelRun' | 'createRun' | 'createResource'
