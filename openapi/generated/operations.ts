// Generated from openapi/*.yaml by `pnpm generate`. Do not edit.

import type { ErrorCode } from './errors.ts'

export interface OperationInfo {
  readonly operationId: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI template, prefix included: `/api/v1/runs/{run_id}`. */
  readonly path: string
  readonly tag: string
  /** Name of the security scheme. */
  readonly security: 'apiKey' | 'adminToken' | 'webhookSignature'
  /** Alternatives: a key needs every scope of one of them. */
  readonly scopes: readonly (readonly string[])[]
  /** The least role of an operator who may ask for it; null for what is not the operator's. */
  readonly operatorRole: 'read' | 'operate' | 'admin' | null
  readonly parameters: {
    readonly path: readonly string[]
    readonly query: readonly string[]
    readonly header: readonly string[]
  }
  /** Empty for operations without a body. */
  readonly requestContentTypes: readonly string[]
  /** Largest body in bytes; null for operations without a body. */
  readonly maxBodyBytes: number | null
  readonly successStatus: number
  /** Empty for an answer without a body. */
  readonly responseContentTypes: readonly string[]
  readonly errorCodes: readonly ErrorCode[]
  /** Whether the operation is replayed under an Idempotency-Key. */
  readonly idempotent: boolean
  readonly stream: StreamInfo | null
  readonly pagination: PaginationInfo | null
  readonly longRunning: LongRunningInfo | null
}

/** A resumable stream of server-sent events. */
export interface StreamInfo {
  readonly over: 'conversation' | 'run'
  /** Where the seq to resume after is sent; the header wins. */
  readonly resume: { readonly header: string; readonly query: string }
  /** The code that says that the position is no longer retained. */
  readonly expired: ErrorCode
  readonly pingSeconds: number
  readonly retryMs: number
  /** Event types after which no event of the stream follows; empty when it has no end. */
  readonly terminal: readonly string[]
}

/** Pages follow each other through `cursor.query`, which takes `cursor.field` of the first or last item. */
export interface PaginationInfo {
  readonly items: string
  readonly limit: string
  readonly cursor: { readonly query: string; readonly field: string; readonly from: 'first' | 'last' }
  readonly order: string
  readonly end: 'empty-page'
}

/** The answer only admits; the operation `poll`, called with the answer's `id`, tells when it is `done`. */
export interface LongRunningInfo {
  readonly poll: string
  readonly id: string
  readonly done: readonly string[]
}

export const OPERATIONS = {
  listConversations: {
    operationId: "listConversations",
    method: "GET",
    path: "/api/v1/conversations",
    tag: "conversations",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: [],
      query: ["endpoint_id", "limit", "before"],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "conversations",
      limit: "limit",
      cursor: {
        query: "before",
        field: "conversation_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createConversation: {
    operationId: "createConversation",
    method: "POST",
    path: "/api/v1/conversations",
    tag: "conversations",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: [],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "BUSY", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getConversation: {
    operationId: "getConversation",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}",
    tag: "conversations",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["conversation_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listMessages: {
    operationId: "listMessages",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}/messages",
    tag: "messages",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["conversation_id"],
      query: ["generation", "limit", "before"],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "messages",
      limit: "limit",
      cursor: {
        query: "before",
        field: "cursor",
        from: "first"
      },
      order: "oldest-first-pages-backwards",
      end: "empty-page"
    },
    longRunning: null
  },
  sendMessage: {
    operationId: "sendMessage",
    method: "POST",
    path: "/api/v1/conversations/{conversation_id}/messages",
    tag: "messages",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["conversation_id"],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "GENERATION_CONFLICT", "BUSY", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "QUEUE_FULL", "PENDING_LIMIT", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: {
      poll: "getRun",
      id: "run_id",
      done: ["succeeded", "failed", "cancelled", "interrupted", "expired"]
    }
  },
  streamConversationEvents: {
    operationId: "streamConversationEvents",
    method: "GET",
    path: "/api/v1/conversations/{conversation_id}/events",
    tag: "conversations",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["conversation_id"],
      query: ["after"],
      header: ["Last-Event-ID", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["text/event-stream"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "NOT_ACCEPTABLE", "CURSOR_EXPIRED", "STREAM_LIMIT", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: {
      over: "conversation",
      resume: {
        header: "Last-Event-ID",
        query: "after"
      },
      expired: "CURSOR_EXPIRED",
      pingSeconds: 15,
      retryMs: 1000,
      terminal: []
    },
    pagination: null,
    longRunning: null
  },
  resetConversation: {
    operationId: "resetConversation",
    method: "POST",
    path: "/api/v1/conversations/{conversation_id}/reset",
    tag: "conversations",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["conversation_id"],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "GENERATION_CONFLICT", "BUSY", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: {
      poll: "getOperation",
      id: "operation_id",
      done: ["succeeded", "failed"]
    }
  },
  getRun: {
    operationId: "getRun",
    method: "GET",
    path: "/api/v1/runs/{run_id}",
    tag: "runs",
    security: "apiKey",
    scopes: [
      ["runs:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["run_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  streamRunEvents: {
    operationId: "streamRunEvents",
    method: "GET",
    path: "/api/v1/runs/{run_id}/events",
    tag: "runs",
    security: "apiKey",
    scopes: [
      ["runs:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["run_id"],
      query: ["after"],
      header: ["Last-Event-ID", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["text/event-stream"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "NOT_ACCEPTABLE", "CURSOR_EXPIRED", "STREAM_LIMIT", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: {
      over: "run",
      resume: {
        header: "Last-Event-ID",
        query: "after"
      },
      expired: "CURSOR_EXPIRED",
      pingSeconds: 15,
      retryMs: 1000,
      terminal: ["run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired"]
    },
    pagination: null,
    longRunning: null
  },
  cancelRun: {
    operationId: "cancelRun",
    method: "POST",
    path: "/api/v1/runs/{run_id}/cancel",
    tag: "runs",
    security: "apiKey",
    scopes: [
      ["runs:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["run_id"],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: {
      poll: "getOperation",
      id: "operation_id",
      done: ["succeeded", "failed"]
    }
  },
  getOperation: {
    operationId: "getOperation",
    method: "GET",
    path: "/api/v1/operations/{operation_id}",
    tag: "operations",
    security: "apiKey",
    scopes: [
      ["conversations:read"],
      ["runs:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["operation_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  createRun: {
    operationId: "createRun",
    method: "POST",
    path: "/api/v1/agent-endpoints/{endpoint_id}/runs",
    tag: "runs",
    security: "apiKey",
    scopes: [
      ["runs:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["endpoint_id"],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "GENERATION_CONFLICT", "BUSY", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "QUEUE_FULL", "PENDING_LIMIT", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: {
      poll: "getRun",
      id: "run_id",
      done: ["succeeded", "failed", "cancelled", "interrupted", "expired"]
    }
  },
  createResource: {
    operationId: "createResource",
    method: "POST",
    path: "/api/v1/resources",
    tag: "resources",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: [],
      query: [],
      header: ["Idempotency-Key", "X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: true,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getResource: {
    operationId: "getResource",
    method: "GET",
    path: "/api/v1/resources/{resource_id}",
    tag: "resources",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["resource_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  deleteResource: {
    operationId: "deleteResource",
    method: "DELETE",
    path: "/api/v1/resources/{resource_id}",
    tag: "resources",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["resource_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 204,
    responseContentTypes: [],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "BUSY", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getResourceContent: {
    operationId: "getResourceContent",
    method: "GET",
    path: "/api/v1/resources/{resource_id}/content",
    tag: "resources",
    security: "apiKey",
    scopes: [
      ["conversations:read"]
    ],
    operatorRole: null,
    parameters: {
      path: ["resource_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["*/*"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  putResourceContent: {
    operationId: "putResourceContent",
    method: "PUT",
    path: "/api/v1/resources/{resource_id}/content",
    tag: "resources",
    security: "apiKey",
    scopes: [
      ["conversations:write"]
    ],
    operatorRole: null,
    parameters: {
      path: ["resource_id"],
      query: [],
      header: ["X-Service-Subject", "X-Request-Id"]
    },
    requestContentTypes: ["*/*"],
    maxBodyBytes: 16777216,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  receiveWebhook: {
    operationId: "receiveWebhook",
    method: "POST",
    path: "/api/v1/webhooks/{integration_id}",
    tag: "webhooks",
    security: "webhookSignature",
    scopes: [
      []
    ],
    operatorRole: null,
    parameters: {
      path: ["integration_id"],
      query: [],
      header: ["webhook-id", "webhook-timestamp", "webhook-signature", "X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "WEBHOOK_CONFLICT", "GENERATION_CONFLICT", "BUSY", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "QUEUE_FULL", "PENDING_LIMIT", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  }
} as const satisfies Record<string, OperationInfo>

export const ADMIN_OPERATIONS = {
  listApps: {
    operationId: "listApps",
    method: "GET",
    path: "/admin/v1/apps",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "apps",
      limit: "limit",
      cursor: {
        query: "before",
        field: "app_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createApp: {
    operationId: "createApp",
    method: "POST",
    path: "/admin/v1/apps",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getApp: {
    operationId: "getApp",
    method: "GET",
    path: "/admin/v1/apps/{app_id}",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["app_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  updateApp: {
    operationId: "updateApp",
    method: "PATCH",
    path: "/admin/v1/apps/{app_id}",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["app_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listKeys: {
    operationId: "listKeys",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/keys",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["app_id"],
      query: ["limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "keys",
      limit: "limit",
      cursor: {
        query: "before",
        field: "key_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createKey: {
    operationId: "createKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["app_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  revokeKey: {
    operationId: "revokeKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys/{key_id}/revoke",
    tag: "apps",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["app_id", "key_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  eraseSubject: {
    operationId: "eraseSubject",
    method: "DELETE",
    path: "/admin/v1/apps/{app_id}/subjects/{subject}",
    tag: "erasures",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["app_id", "subject"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listEndpoints: {
    operationId: "listEndpoints",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints",
    tag: "endpoints",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["app_id"],
      query: ["limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "endpoints",
      limit: "limit",
      cursor: {
        query: "before",
        field: "endpoint_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createEndpoint: {
    operationId: "createEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints",
    tag: "endpoints",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["app_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getEndpoint: {
    operationId: "getEndpoint",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}",
    tag: "endpoints",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["app_id", "endpoint_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  publishVersion: {
    operationId: "publishVersion",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/versions",
    tag: "endpoints",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["app_id", "endpoint_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listDevices: {
    operationId: "listDevices",
    method: "GET",
    path: "/admin/v1/devices",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "devices",
      limit: "limit",
      cursor: {
        query: "before",
        field: "device_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createDevice: {
    operationId: "createDevice",
    method: "POST",
    path: "/admin/v1/devices",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getDevice: {
    operationId: "getDevice",
    method: "GET",
    path: "/admin/v1/devices/{device_id}",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  updateDevice: {
    operationId: "updateDevice",
    method: "PATCH",
    path: "/admin/v1/devices/{device_id}",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  pauseDevice: {
    operationId: "pauseDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/pause",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  resumeDevice: {
    operationId: "resumeDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/resume",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  disableDevice: {
    operationId: "disableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/disable",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  enableDevice: {
    operationId: "enableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/enable",
    tag: "devices",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["device_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listOperators: {
    operationId: "listOperators",
    method: "GET",
    path: "/admin/v1/operators",
    tag: "operators",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "operators",
      limit: "limit",
      cursor: {
        query: "before",
        field: "operator_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createOperator: {
    operationId: "createOperator",
    method: "POST",
    path: "/admin/v1/operators",
    tag: "operators",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  revokeOperator: {
    operationId: "revokeOperator",
    method: "POST",
    path: "/admin/v1/operators/{operator_id}/revoke",
    tag: "operators",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["operator_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getOperatorSelf: {
    operationId: "getOperatorSelf",
    method: "GET",
    path: "/admin/v1/operator",
    tag: "operators",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listAuditRecords: {
    operationId: "listAuditRecords",
    method: "GET",
    path: "/admin/v1/audit",
    tag: "audit",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["operator", "operation", "created_after", "created_before", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "audit_records",
      limit: "limit",
      cursor: {
        query: "before",
        field: "audit_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  listUsage: {
    operationId: "listUsage",
    method: "GET",
    path: "/admin/v1/usage",
    tag: "gateway",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "created_after", "created_before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getOverview: {
    operationId: "getOverview",
    method: "GET",
    path: "/admin/v1/overview",
    tag: "gateway",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listRunRecords: {
    operationId: "listRunRecords",
    method: "GET",
    path: "/admin/v1/runs",
    tag: "runs",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "subject", "conversation_id", "endpoint_id", "device_id", "state", "error_code", "created_after", "created_before", "older_than_seconds", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "runs",
      limit: "limit",
      cursor: {
        query: "before",
        field: "run_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  getRunRecord: {
    operationId: "getRunRecord",
    method: "GET",
    path: "/admin/v1/runs/{run_id}",
    tag: "runs",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["run_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getRunTimeline: {
    operationId: "getRunTimeline",
    method: "GET",
    path: "/admin/v1/runs/{run_id}/timeline",
    tag: "runs",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["run_id"],
      query: ["include_text"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listConversationRecords: {
    operationId: "listConversationRecords",
    method: "GET",
    path: "/admin/v1/conversations",
    tag: "conversations",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "subject", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "conversations",
      limit: "limit",
      cursor: {
        query: "before",
        field: "conversation_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  listApprovals: {
    operationId: "listApprovals",
    method: "GET",
    path: "/admin/v1/approvals",
    tag: "approvals",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "state", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "approvals",
      limit: "limit",
      cursor: {
        query: "before",
        field: "approval_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  decideApproval: {
    operationId: "decideApproval",
    method: "POST",
    path: "/admin/v1/approvals/{approval_id}/decision",
    tag: "approvals",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["approval_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_DECIDED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getAdmission: {
    operationId: "getAdmission",
    method: "GET",
    path: "/admin/v1/admission",
    tag: "admission",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  setAdmission: {
    operationId: "setAdmission",
    method: "PUT",
    path: "/admin/v1/admission",
    tag: "admission",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  pruneEvents: {
    operationId: "pruneEvents",
    method: "POST",
    path: "/admin/v1/events/prune",
    tag: "retention",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listWebhooks: {
    operationId: "listWebhooks",
    method: "GET",
    path: "/admin/v1/webhooks",
    tag: "webhooks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "webhooks",
      limit: "limit",
      cursor: {
        query: "before",
        field: "integration_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createWebhook: {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/v1/webhooks",
    tag: "webhooks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getWebhook: {
    operationId: "getWebhook",
    method: "GET",
    path: "/admin/v1/webhooks/{integration_id}",
    tag: "webhooks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["integration_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  updateWebhook: {
    operationId: "updateWebhook",
    method: "PATCH",
    path: "/admin/v1/webhooks/{integration_id}",
    tag: "webhooks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["integration_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  rotateWebhookSecret: {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/v1/webhooks/{integration_id}/rotate-secret",
    tag: "webhooks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["integration_id"],
      query: ["overlap_seconds"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listCallbacks: {
    operationId: "listCallbacks",
    method: "GET",
    path: "/admin/v1/callbacks",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "callbacks",
      limit: "limit",
      cursor: {
        query: "before",
        field: "callback_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  createCallback: {
    operationId: "createCallback",
    method: "POST",
    path: "/admin/v1/callbacks",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 201,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getCallback: {
    operationId: "getCallback",
    method: "GET",
    path: "/admin/v1/callbacks/{callback_id}",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["callback_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  updateCallback: {
    operationId: "updateCallback",
    method: "PATCH",
    path: "/admin/v1/callbacks/{callback_id}",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["callback_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  rotateCallbackSecret: {
    operationId: "rotateCallbackSecret",
    method: "POST",
    path: "/admin/v1/callbacks/{callback_id}/rotate-secret",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["callback_id"],
      query: ["overlap_seconds"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  reencryptSecrets: {
    operationId: "reencryptSecrets",
    method: "POST",
    path: "/admin/v1/secrets/reencrypt",
    tag: "secrets",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getConversationRecord: {
    operationId: "getConversationRecord",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}",
    tag: "conversations",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["conversation_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  eraseConversation: {
    operationId: "eraseConversation",
    method: "DELETE",
    path: "/admin/v1/conversations/{conversation_id}",
    tag: "erasures",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "admin",
    parameters: {
      path: ["conversation_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getErasure: {
    operationId: "getErasure",
    method: "GET",
    path: "/admin/v1/erasures/{erasure_id}",
    tag: "erasures",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["erasure_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  listDeliveries: {
    operationId: "listDeliveries",
    method: "GET",
    path: "/admin/v1/deliveries",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: [],
      query: ["app_id", "callback_id", "state", "limit", "before"],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: {
      items: "deliveries",
      limit: "limit",
      cursor: {
        query: "before",
        field: "delivery_id",
        from: "last"
      },
      order: "newest-first",
      end: "empty-page"
    },
    longRunning: null
  },
  retryDeliveries: {
    operationId: "retryDeliveries",
    method: "POST",
    path: "/admin/v1/delivery-retries",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: [],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: ["application/json"],
    maxBodyBytes: 1048576,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNKNOWN_FIELD", "UNAUTHENTICATED", "PERMISSION_DENIED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  getDelivery: {
    operationId: "getDelivery",
    method: "GET",
    path: "/admin/v1/deliveries/{delivery_id}",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "read",
    parameters: {
      path: ["delivery_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 200,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  },
  retryDelivery: {
    operationId: "retryDelivery",
    method: "POST",
    path: "/admin/v1/deliveries/{delivery_id}/retry",
    tag: "callbacks",
    security: "adminToken",
    scopes: [
      []
    ],
    operatorRole: "operate",
    parameters: {
      path: ["delivery_id"],
      query: [],
      header: ["X-Request-Id"]
    },
    requestContentTypes: [],
    maxBodyBytes: null,
    successStatus: 202,
    responseContentTypes: ["application/json"],
    errorCodes: ["INVALID_REQUEST", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RETRY_REFUSED", "RATE_LIMITED", "INTERNAL", "CAPABILITY_UNAVAILABLE"],
    idempotent: false,
    stream: null,
    pagination: null,
    longRunning: null
  }
} as const satisfies Record<string, OperationInfo>

export type OperationId = keyof typeof OPERATIONS
export type AdminOperationId = keyof typeof ADMIN_OPERATIONS
