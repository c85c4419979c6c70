// Generated from openapi/*.yaml by `npm run generate`. Do not edit.

import type { ErrorCode } from './errors.ts'

/** The keywords that the in-memory gateway validates. A new keyword in the contract does not compile until it is added here. */
export interface BodySchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer'
  readonly enum?: readonly string[]
  readonly format?: 'date-time'
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: BodySchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  /** Alternatives, at least one of which must match: each requires a member. */
  readonly anyOf?: readonly (BodySchema & { readonly required: readonly string[] })[]
  readonly default?: string | number
  readonly 'x-max-bytes'?: number
  readonly 'x-max-depth'?: number
  readonly 'x-well-formed'?: boolean
}

export interface ParameterInfo {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required: boolean
  readonly schema: BodySchema
}

export interface ContractOperation {
  readonly method: string
  /** OpenAPI template, prefix included: `/api/v1/runs/{run_id}`. */
  readonly path: string
  readonly security: 'apiKey' | 'webhookSignature'
  /** Names in PARAMETERS. */
  readonly parameters?: readonly (keyof typeof PARAMETERS)[]
  /** A name in BODIES; absent if the body is bytes or the operation has none. */
  readonly body?: keyof typeof BODIES
  readonly bodyBytes?: number
  /** The object whose events the answer streams. */
  readonly stream?: 'conversation' | 'run'
  /** Status of a successful answer. */
  readonly status: number
  /** An example of the body of a successful answer, if it is JSON. */
  readonly example?: object
}

/** Query parameters and headers, by their component in the contract. */
export const PARAMETERS = {
  EndpointQuery: {name: "endpoint_id", in: "query", required: true, schema: {type: "string"}},
  ConversationKeyQuery: {name: "conversation_key", in: "query", required: false, schema: {type: "string", minLength: 1, maxLength: 256, "x-well-formed": true, pattern: "^\\S(?:[\\s\\S]*\\S)?$"}},
  Limit: {name: "limit", in: "query", required: false, schema: {type: "integer", minimum: 1, maximum: 200, default: 50}},
  BeforeConversation: {name: "before", in: "query", required: false, schema: {type: "string"}},
  ServiceSubject: {name: "X-Service-Subject", in: "header", required: true, schema: {type: "string", minLength: 1, maxLength: 256, pattern: "^[^\\s\\x00-\\x1f\\x7f-\\x9f](?:[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f])?$"}},
  RequestId: {name: "X-Request-Id", in: "header", required: false, schema: {type: "string"}},
  IdempotencyKey: {name: "Idempotency-Key", in: "header", required: true, schema: {type: "string", pattern: "^[\\x21-\\x7e]{1,128}$"}},
  GenerationQuery: {name: "generation", in: "query", required: false, schema: {type: "integer", minimum: 1, maximum: 9007199254740991}},
  BeforeCursor: {name: "before", in: "query", required: false, schema: {type: "integer", minimum: 1, maximum: 9007199254740991}},
  LastEventId: {name: "Last-Event-ID", in: "header", required: false, schema: {type: "string", pattern: "^[0-9]+$"}},
  After: {name: "after", in: "query", required: false, schema: {type: "string", pattern: "^[0-9]+$"}},
} as const satisfies Record<string, ParameterInfo>

/** JSON bodies of requests, by their schema in the contract; references are written out. */
export const BODIES = {
  CreateConversation: {type: "object", additionalProperties: false, required: ["endpoint_id"], properties: {endpoint_id: {type: "string", minLength: 1, "x-well-formed": true}, conversation_key: {type: "string", minLength: 1, maxLength: 256, "x-well-formed": true, pattern: "^\\S(?:[\\s\\S]*\\S)?$"}}},
  SendMessage: {type: "object", additionalProperties: false, required: ["expected_generation", "input"], properties: {expected_generation: {type: "integer", minimum: 1, maximum: 9007199254740991}, input: {type: "object", additionalProperties: false, properties: {text: {type: "string", "x-max-bytes": 65536, "x-well-formed": true}, data: {type: "object", additionalProperties: true, "x-max-depth": 128, "x-well-formed": true}, resource_ids: {type: "array", maxItems: 5, uniqueItems: true, "x-well-formed": true, items: {type: "string"}}}, anyOf: [{required: ["text"], properties: {text: {minLength: 1}}}, {required: ["data"], properties: {data: {minProperties: 1}}}, {required: ["resource_ids"], properties: {resource_ids: {minItems: 1}}}]}, start_before: {type: "string", format: "date-time"}}},
  ResetConversation: {type: "object", additionalProperties: false, required: ["expected_generation"], properties: {expected_generation: {type: "integer", minimum: 1, maximum: 9007199254740991}, busy_policy: {type: "string", enum: ["reject", "cancel_and_reset"], default: "reject"}}},
  CancelRun: {type: "object", additionalProperties: false, maxProperties: 0},
  CreateRun: {type: "object", additionalProperties: false, required: ["input"], dependentRequired: {expected_generation: ["conversation_key"]}, properties: {input: {type: "object", additionalProperties: false, properties: {text: {type: "string", "x-max-bytes": 65536, "x-well-formed": true}, data: {type: "object", additionalProperties: true, "x-max-depth": 128, "x-well-formed": true}, resource_ids: {type: "array", maxItems: 5, uniqueItems: true, "x-well-formed": true, items: {type: "string"}}}, anyOf: [{required: ["text"], properties: {text: {minLength: 1}}}, {required: ["data"], properties: {data: {minProperties: 1}}}, {required: ["resource_ids"], properties: {resource_ids: {minItems: 1}}}]}, conversation_key: {type: "string", minLength: 1, maxLength: 256, "x-well-formed": true, pattern: "^\\S(?:[\\s\\S]*\\S)?$"}, expected_generation: {type: "integer", minimum: 1, maximum: 9007199254740991}, start_before: {type: "string", format: "date-time"}}},
  CreateResource: {type: "object", additionalProperties: false, required: ["filename", "content_type", "size"], properties: {filename: {type: "string", minLength: 1, maxLength: 255, "x-well-formed": true, pattern: "^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]+$"}, content_type: {type: "string", maxLength: 255, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: *; *[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|\"[ !#-\\[\\]-~]*\"))*$"}, size: {type: "integer", minimum: 1, maximum: 16777216}, sha256: {type: "string", pattern: "^[0-9a-f]{64}$"}}},
} as const satisfies Record<string, BodySchema>

/** Every operation that takes an API key or a signature. */
export const CONTRACT = {
  listConversations: {method: "GET", path: "/api/v1/conversations", security: "apiKey", parameters: ["EndpointQuery", "ConversationKeyQuery", "Limit", "BeforeConversation", "ServiceSubject", "RequestId"], status: 200, example: {conversations: [{conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", owner_id: "owner_demo", app_id: "app_demo", subject: "customer-4711", endpoint_id: "ep_echo", binding_version: 3, generation: 1, state: "active", created_at: "2026-03-02T09:30:00.000Z"}]}},
  createConversation: {method: "POST", path: "/api/v1/conversations", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "CreateConversation", bodyBytes: 1048576, status: 201, example: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", owner_id: "owner_demo", app_id: "app_demo", subject: "customer-4711", endpoint_id: "ep_echo", binding_version: 3, generation: 1, business_key: "order-2026-0815", state: "active", created_at: "2026-03-02T09:30:00.000Z"}},
  getConversation: {method: "GET", path: "/api/v1/conversations/{conversation_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200, example: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1, watermark: 4, messages: [{cursor: 1, message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", generation: 1, role: "user", created_at: "2026-03-02T09:30:00.500Z", content: {text: "Hello"}}, {cursor: 2, message_id: "msg_0199d3a1c0f07a44b5c6d7e8f9011224", conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", generation: 1, role: "assistant", created_at: "2026-03-02T09:30:00.700Z", content: {text: "Hello", partial: false}}], runs: [{run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", generation: 1, state: "succeeded", device_received: true, result: {text: "Hello"}, result_available: true}]}},
  listMessages: {method: "GET", path: "/api/v1/conversations/{conversation_id}/messages", security: "apiKey", parameters: ["GenerationQuery", "Limit", "BeforeCursor", "ServiceSubject", "RequestId"], status: 200, example: {messages: [{cursor: 1, message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", generation: 1, role: "user", created_at: "2026-03-02T09:30:00.500Z", content: {text: "Hello"}}]}},
  sendMessage: {method: "POST", path: "/api/v1/conversations/{conversation_id}/messages", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "SendMessage", bodyBytes: 1048576, status: 202, example: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1, message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", state: "queued", event_cursor: 1}},
  streamConversationEvents: {method: "GET", path: "/api/v1/conversations/{conversation_id}/events", security: "apiKey", parameters: ["LastEventId", "After", "ServiceSubject", "RequestId"], stream: "conversation", status: 200},
  resetConversation: {method: "POST", path: "/api/v1/conversations/{conversation_id}/reset", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "ResetConversation", bodyBytes: 1048576, status: 202, example: {operation_id: "op_0199d3a2f0a17c66d7e8f90112233445", state: "stopping", ref: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1}}},
  getRun: {method: "GET", path: "/api/v1/runs/{run_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200, example: {run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1, state: "succeeded", delivery_state: "device_received", created_at: "2026-03-02T09:30:00.500Z", updated_at: "2026-03-02T09:30:01.250Z", result: {text: "Your order is on its way."}}},
  streamRunEvents: {method: "GET", path: "/api/v1/runs/{run_id}/events", security: "apiKey", parameters: ["LastEventId", "After", "ServiceSubject", "RequestId"], stream: "run", status: 200},
  cancelRun: {method: "POST", path: "/api/v1/runs/{run_id}/cancel", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "CancelRun", bodyBytes: 1048576, status: 202, example: {operation_id: "op_0199d3a2f0a17c66d7e8f90112233445", state: "stopping", ref: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1}}},
  getOperation: {method: "GET", path: "/api/v1/operations/{operation_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200, example: {operation_id: "op_0199d3a2f0a17c66d7e8f90112233445", state: "succeeded", ref: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 2}}},
  getAgentEndpoint: {method: "GET", path: "/api/v1/agent-endpoints/{endpoint_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200, example: {endpoint_id: "ep_orders", name: "Orders", binding_version: 3, accepts: ["text/*"], input_schema: null, output_schema: {type: "object", required: ["order"], properties: {order: {type: "string"}}}}},
  createRun: {method: "POST", path: "/api/v1/agent-endpoints/{endpoint_id}/runs", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "CreateRun", bodyBytes: 1048576, status: 202, example: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1, message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", state: "queued", event_cursor: 1}},
  createResource: {method: "POST", path: "/api/v1/resources", security: "apiKey", parameters: ["IdempotencyKey", "ServiceSubject", "RequestId"], body: "CreateResource", bodyBytes: 1048576, status: 201, example: {resource_id: "res_0199d39f00017e88f901122334455667", app_id: "app_demo", subject: "customer-4711", filename: "contract.pdf", content_type: "application/pdf", size: 48213, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", status: "ready", created_at: "2026-03-02T09:28:00.000Z"}},
  getResource: {method: "GET", path: "/api/v1/resources/{resource_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200, example: {resource_id: "res_0199d39f00017e88f901122334455667", app_id: "app_demo", subject: "customer-4711", filename: "contract.pdf", content_type: "application/pdf", size: 48213, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", status: "ready", created_at: "2026-03-02T09:28:00.000Z"}},
  deleteResource: {method: "DELETE", path: "/api/v1/resources/{resource_id}", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 204},
  getResourceContent: {method: "GET", path: "/api/v1/resources/{resource_id}/content", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], status: 200},
  putResourceContent: {method: "PUT", path: "/api/v1/resources/{resource_id}/content", security: "apiKey", parameters: ["ServiceSubject", "RequestId"], bodyBytes: 16777216, status: 200, example: {resource_id: "res_0199d39f00017e88f901122334455667", app_id: "app_demo", subject: "customer-4711", filename: "contract.pdf", content_type: "application/pdf", size: 48213, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", status: "ready", created_at: "2026-03-02T09:28:00.000Z"}},
  receiveWebhook: {method: "POST", path: "/api/v1/webhooks/{integration_id}", security: "webhookSignature", status: 202, example: {conversation_id: "conv_0199d3a1c0de7f30a1b2c3d4e5f60718", generation: 1, message_id: "msg_0199d3a1c0e27a44b5c6d7e8f9011223", run_id: "run_0199d3a1c0e37b55c6d7e8f901122334", state: "queued", event_cursor: 1}},
} as const satisfies Record<string, ContractOperation>

/** The title of each error code. */
export const TITLES = {UNKNOWN_FIELD: "Unknown field", INVALID_REQUEST: "Invalid request", UNAUTHENTICATED: "Not authenticated", PERMISSION_DENIED: "Permission denied", NOT_FOUND: "Not found", METHOD_NOT_ALLOWED: "Method not allowed", NOT_ACCEPTABLE: "Not acceptable", GENERATION_CONFLICT: "Generation conflict", BUSY: "Busy", IDEMPOTENCY_CONFLICT: "Idempotency conflict", WEBHOOK_CONFLICT: "Webhook conflict", CURSOR_EXPIRED: "Cursor expired", PAYLOAD_TOO_LARGE: "Payload too large", UNSUPPORTED_MEDIA_TYPE: "Unsupported media type", QUEUE_FULL: "Queue full", PENDING_LIMIT: "Too many unfinished runs", STREAM_LIMIT: "Too many event streams", RATE_LIMITED: "Too many requests", INTERNAL: "Internal error", CAPABILITY_UNAVAILABLE: "Capability unavailable", RETRY_REFUSED: "Retry refused", ALREADY_EXISTS: "Already exists", ALREADY_DECIDED: "Already decided", RUN_LOST: "The run is lost", STEPS_OUT_OF_ORDER: "Steps are missing", SESSION_LIMIT: "Too many sessions"} as const satisfies Record<ErrorCode, string>
