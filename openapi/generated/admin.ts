// Generated from openapi/admin.yaml by `npm run generate`. Do not edit.

import type { Activity, AppId, ApprovalId, BindingVersion, BusyPolicy, ConversationId, EndpointId, EventId, Generation, IntegrationId, MessageId, OperationId, OwnerId, RequestId, ResourceId, RunError, RunId, RunState, RunUsage, Subject, Timestamp } from './gateway.ts'
export type { Activity, ActivityState, AppId, ApprovalId, BindingVersion, BusyPolicy, ConversationId, EndpointId, EventId, FieldError, Generation, IntegrationId, MessageId, OperationId, OwnerId, Problem, RequestId, ResourceId, RunError, RunId, RunState, RunUsage, Subject, Timestamp } from './gateway.ts'

/**
 * @description Whether the gateway as a whole admits new work. While it is paused, new work and new conversations are answered with 503 CAPABILITY_UNAVAILABLE.
 * @example {
 *       "paused": false
 *     }
 */
export interface AdmissionSwitch {
    paused: boolean;
}
/**
 * @description A customer application.
 * @example {
 *       "app_id": "app_demo",
 *       "owner_id": "owner_demo",
 *       "name": "Order desk",
 *       "state": "active",
 *       "pending_limit": null,
 *       "rate_limit_per_second": null,
 *       "stream_limit": null,
 *       "subject_stream_limit": 8,
 *       "limits_in_force": {
 *         "pending_limit": 200,
 *         "rate_limit_per_second": 500,
 *         "stream_limit": 16,
 *         "subject_stream_limit": 8
 *       },
 *       "created_at": "2026-03-01T08:00:00.000Z"
 *     }
 */
export interface App {
    app_id: AppId;
    owner_id: OwnerId;
    name: NullableName;
    state: AppState;
    /** @description Unfinished runs of the application; null for the default, 200 (D-24). */
    pending_limit: Limit;
    rate_limit_per_second: RateLimit;
    /** @description Concurrent event streams of the application; null for the default, 16. */
    stream_limit: Limit;
    /** @description Concurrent event streams of one subject; null for the default, 4. */
    subject_stream_limit: Limit;
    /** @description The effective limits: the application's own, or the defaults of the process that answers. */
    limits_in_force: {
        /**
         * Format: int64
         * @description Unfinished runs.
         */
        pending_limit: number;
        /**
         * Format: int64
         * @description Requests per second of each key, in each process; null for no limit.
         */
        rate_limit_per_second: number | null;
        /**
         * Format: int64
         * @description Event streams.
         */
        stream_limit: number;
        /**
         * Format: int64
         * @description Event streams of one subject.
         */
        subject_stream_limit: number;
    };
    created_at: Timestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "apps": [
 *         {
 *           "app_id": "app_demo",
 *           "owner_id": "owner_demo",
 *           "name": "Order desk",
 *           "state": "active",
 *           "pending_limit": null,
 *           "rate_limit_per_second": null,
 *           "stream_limit": null,
 *           "subject_stream_limit": 8,
 *           "limits_in_force": {
 *             "pending_limit": 200,
 *             "rate_limit_per_second": 500,
 *             "stream_limit": 16,
 *             "subject_stream_limit": 8
 *           },
 *           "created_at": "2026-03-01T08:00:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface AppList {
    apps: App[];
}
/**
 * @description `disabled` answers every route of the application with 403 (D-05). Open (D-15).
 * @example active
 */
export type AppState = "active" | "disabled" | (string & {});
/**
 * @description A decision that a run waits for.
 * @example {
 *       "approval_id": "apr_0199d3a1c2c17f99a011223344556677",
 *       "app_id": "app_demo",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "summary": "Refund 40 EUR to the customer",
 *       "state": "pending",
 *       "created_at": "2026-03-02T09:30:00.900Z",
 *       "decided_at": null
 *     }
 */
export interface Approval {
    approval_id: ApprovalId;
    app_id: AppId;
    conversation_id: ConversationId;
    run_id: RunId;
    /** @description What is to be approved, in words for people. */
    summary: string;
    state: ApprovalState;
    created_at: Timestamp;
    /** @description When it was decided or withdrawn; null while it is pending. */
    decided_at: NullableTimestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "approvals": [
 *         {
 *           "approval_id": "apr_0199d3a1c2c17f99a011223344556677",
 *           "app_id": "app_demo",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "summary": "Refund 40 EUR to the customer",
 *           "state": "pending",
 *           "created_at": "2026-03-02T09:30:00.900Z",
 *           "decided_at": null
 *         }
 *       ]
 *     }
 */
export interface ApprovalList {
    approvals: Approval[];
}
/**
 * @description `withdrawn`: the run ended before a decision. Open (D-15).
 * @example pending
 */
export type ApprovalState = "pending" | "approved" | "denied" | "withdrawn" | (string & {});
/**
 * @description The assistant that executes a service's runs. Its secrets stay in the environment of the worker.
 * @example {
 *       "type": "echo"
 *     }
 */
export type Assistant = EchoAssistant | ScriptAssistant | OpenaiAssistant | ModuleAssistant | HttpAssistant | WorkerAssistant;
/**
 * @description A change that an operator requested, or a request that read the contents of messages.
 * @example {
 *       "audit_id": "aud_0199d39d00037bbbb122334455667788",
 *       "at": "2026-03-02T09:30:00.123Z",
 *       "operator_id": "opr_0199d39d00037bbbb122334455667788",
 *       "operator": "Night shift",
 *       "role": "operate",
 *       "operation": "revokeKey",
 *       "target": {
 *         "app_id": "app_demo",
 *         "key_id": "key_0199d39d00037bbbb122334455667788"
 *       },
 *       "input": {},
 *       "request_id": "req_0199d3a1c0d07000a1b2c3d4e5f60718",
 *       "status": 200,
 *       "code": null,
 *       "result": {}
 *     }
 */
export interface AuditRecord {
    /** @description Opaque. */
    audit_id: string;
    at: Timestamp;
    /** @description Null for the token of `GATEWAY_ADMIN_TOKEN`. */
    operator_id: OperatorId | null;
    /** @description The name. */
    operator: string;
    role: OperatorRole;
    /** @description The `operationId`. */
    operation: string;
    /** @description The IDs of the records concerned, by name. A subject is never included. */
    target: {
        [key: string]: string;
    };
    /** @description Members of the request's body: booleans, numbers, IDs, times and enumeration values as they were sent, `***` in place of anything else. */
    input: {
        [key: string]: unknown;
    };
    request_id: RequestId;
    /**
     * Format: int32
     * @description The status of the answer; null if it is unknown how the request ended.
     */
    status: number | null;
    /** @description Why it was refused; null if it was not. */
    code: string | null;
    /** @description Numbers of the answer by name, such as how many runs were cancelled; null if it is unknown how the request ended, and for changes that were recorded before this field existed. */
    result: {
        [key: string]: number;
    } | null;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "audit_records": [
 *         {
 *           "audit_id": "aud_0199d39d00037bbbb122334455667788",
 *           "at": "2026-03-02T09:30:00.123Z",
 *           "operator_id": "opr_0199d39d00037bbbb122334455667788",
 *           "operator": "Night shift",
 *           "role": "operate",
 *           "operation": "revokeKey",
 *           "target": {
 *             "app_id": "app_demo",
 *             "key_id": "key_0199d39d00037bbbb122334455667788"
 *           },
 *           "input": {},
 *           "request_id": "req_0199d3a1c0d07000a1b2c3d4e5f60718",
 *           "status": 200,
 *           "code": null,
 *           "result": {}
 *         }
 *       ]
 *     }
 */
export interface AuditRecordList {
    audit_records: AuditRecord[];
}
/**
 * @description A callback configuration without its secret.
 * @example {
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "device_id": "dev_demo",
 *       "url": "https://orders.example.com/assistant/events",
 *       "events": [
 *         "run.completed",
 *         "run.failed"
 *       ],
 *       "enabled": true,
 *       "version": 1,
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "updated_at": "2026-03-01T08:00:00.000Z"
 *     }
 */
export interface Callback {
    callback_id: CallbackId;
    app_id: AppId;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    url: ShownCallbackUrl;
    events: CallbackEvents;
    enabled: boolean;
    /**
     * Format: int64
     * @description Grows by 1 when the URL changes or the secret is rotated.
     */
    version: number;
    /** @description Until this time callbacks are signed with the secret from before the rotation; null if they are signed with the current one. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * @description `pending` and `sending`: waiting or in flight. `delivered`: a 2xx was received, which does not prove that it was processed. `needs_action`: the receiver refused. `expired`: attempts or window have ended. `cancelled_config_changed`: the configuration changed; old events are not sent to a new destination. Open (D-15).
 * @example delivered
 */
export type CallbackDeliveryState = "pending" | "sending" | "delivered" | "needs_action" | "expired" | "cancelled_config_changed" | (string & {});
/**
 * @description The event types that callbacks can subscribe to (D-26).
 * @example run.completed
 * @enum {string}
 */
export type CallbackEventType = "run.completed" | "run.failed" | "run.cancelled" | "run.interrupted" | "run.expired" | "approval.required";
/**
 * @description The event types that are sent.
 * @example [
 *       "run.completed",
 *       "run.failed",
 *       "approval.required"
 *     ]
 */
export type CallbackEvents = CallbackEventType[];
/**
 * @description A callback configuration. Opaque.
 * @example cb_0199d39e00037aaab122334455667788
 */
export type CallbackId = string;
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "callbacks": [
 *         {
 *           "callback_id": "cb_0199d39e00037aaab122334455667788",
 *           "app_id": "app_demo",
 *           "endpoint_id": "ep_echo",
 *           "device_id": "dev_demo",
 *           "url": "https://orders.example.com/assistant/events",
 *           "events": [
 *             "run.completed",
 *             "run.failed"
 *           ],
 *           "enabled": true,
 *           "version": 1,
 *           "previous_secret_expires_at": null,
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "updated_at": "2026-03-01T08:00:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface CallbackList {
    callbacks: Callback[];
}
/**
 * Format: uri
 * @description A public HTTPS URL on port 443 whose host is in the administrator's allowlist, without userinfo or fragment; anything else is 400. For local development also the exact origins of `GATEWAY_CALLBACK_DEV_TARGETS` (D-41). A query is stored encrypted and never shown again.
 * @example https://orders.example.com/assistant/events?token=6b1d0c3e9f4a
 */
export type CallbackUrl = string;
/**
 * @description Which unfinished runs to cancel. The members select runs like the query parameters of the list of runs.
 * @example {
 *       "app_id": "app_demo",
 *       "state": "queued",
 *       "older_than_seconds": 300
 *     }
 * @example {
 *       "endpoint_id": "ep_demo",
 *       "dry_run": false
 *     }
 */
export interface CancelRuns {
    /** @description Only runs of this application. */
    app_id?: string;
    /** @description Only runs for this subject. Needs `app_id`, because each application has its own subjects. */
    subject?: NamedSubject;
    /** @description Only runs of this conversation. */
    conversation_id?: string;
    /** @description Only runs of this service. */
    endpoint_id?: string;
    /** @description Only runs of this device. */
    device_id?: string;
    /**
     * @description Only runs that are still in this state when they are stopped.
     * @enum {string}
     */
    state?: "queued" | "running" | "waiting_approval" | "reconciling";
    /**
     * Format: date-time
     * @description Only runs created at this time or later, RFC 3339 with a timezone.
     */
    created_after?: string;
    /**
     * Format: date-time
     * @description Only runs created before this time, RFC 3339 with a timezone.
     */
    created_before?: string;
    /**
     * Format: int32
     * @description Only runs created at least this many seconds ago.
     */
    older_than_seconds?: number;
    /** @description Only runs that precede this one; `next_before` of the previous answer. */
    before?: string;
    /**
     * @description Whether to only count the runs, without cancelling them.
     * @default true
     */
    dry_run?: boolean;
}
/**
 * @description An ID that the operator chooses instead of a generated one; an ID that is taken is 409 ALREADY_EXISTS.
 * @example app_demo
 */
export type ChosenId = string;
/**
 * @description Whether conversations bound to an older version continue with the new one (`compatible`), or are refused with 409 GENERATION_CONFLICT until they are reset (`breaking`) (D-23).
 * @default compatible
 * @example compatible
 * @enum {string}
 */
export type Compatibility = "compatible" | "breaking";
/**
 * @description Whether runs get the activities of earlier answers as context (D-69).
 * @default false
 * @example false
 */
export type ContextActivities = boolean;
/**
 * @description A conversation of any application.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "endpoint_id": "ep_echo",
 *       "device_id": "dev_demo",
 *       "business_key": "order-2026-0815",
 *       "binding_version": 3,
 *       "generation": 1,
 *       "state": "active",
 *       "queued_runs": 2,
 *       "executing_run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "last_seq": 42,
 *       "erasure_id": null,
 *       "created_at": "2026-03-02T09:30:00.123Z"
 *     }
 */
export interface ConversationRecord {
    conversation_id: ConversationId;
    app_id: AppId;
    /** @description The business subject; null after it was erased. */
    subject: string | null;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    /** @description The application's own key; null without one. */
    business_key: string | null;
    binding_version: BindingVersion;
    generation: Generation;
    /**
     * @description `resetting`: a reset waits until earlier work has ended. Open (D-15).
     * @example active
     */
    state: "active" | "resetting" | (string & {});
    /**
     * Format: int32
     * @description Queued runs of the conversation.
     */
    queued_runs: number;
    /** @description The executing run of the conversation; null if there is none. */
    executing_run_id: RunId | null;
    /** @description The newest event's position. */
    last_seq: Seq;
    /** @description The erasure of the conversation or of its subject; null if there is none. */
    erasure_id: ErasureId | null;
    created_at: Timestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "conversations": [
 *         {
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "app_id": "app_demo",
 *           "subject": "customer-4711",
 *           "endpoint_id": "ep_echo",
 *           "device_id": "dev_demo",
 *           "business_key": "order-2026-0815",
 *           "binding_version": 3,
 *           "generation": 1,
 *           "state": "active",
 *           "queued_runs": 2,
 *           "executing_run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "last_seq": 42,
 *           "erasure_id": null,
 *           "created_at": "2026-03-02T09:30:00.123Z"
 *         }
 *       ]
 *     }
 */
export interface ConversationRecordList {
    conversations: ConversationRecord[];
}
/**
 * @description A new application, active.
 * @example {
 *       "app_id": "app_demo",
 *       "owner_id": "owner_demo"
 *     }
 * @example {
 *       "owner_id": "owner_demo",
 *       "name": "Order desk",
 *       "rate_limit_per_second": 50
 *     }
 */
export interface CreateApp {
    app_id?: ChosenId;
    /** @description Who owns the application; shown in its conversations. */
    owner_id: string;
    name?: Name;
    /** @description Unfinished runs of the application; null for the default, 200 (D-24). */
    pending_limit?: Limit;
    rate_limit_per_second?: RateLimit;
    /** @description Concurrent event streams of the application; null for the default, 16. */
    stream_limit?: Limit;
    /** @description Concurrent event streams of one subject; null for the default, 4. */
    subject_stream_limit?: Limit;
}
/**
 * @description A new configuration. The service selects application and device: the receiver gets the events of all services of that application on that device. The secret is generated unless one is given.
 * @example {
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "url": "https://orders.example.com/assistant/events",
 *       "events": [
 *         "run.completed",
 *         "run.failed"
 *       ]
 *     }
 */
export interface CreateCallback {
    callback_id?: ChosenId;
    /** @description An unknown one is 404 NOT_FOUND. */
    app_id: string;
    /** @description A published service of that application; an unknown one is 404 NOT_FOUND. */
    endpoint_id: string;
    url: CallbackUrl;
    events: CallbackEvents;
    /** @default true */
    enabled?: boolean;
    secret?: Secret;
}
/**
 * @description A new device, active.
 * @example {
 *       "device_id": "dev_demo"
 *     }
 * @example {}
 */
export interface CreateDevice {
    device_id?: ChosenId;
    name?: Name;
    /** @description Unfinished runs on the device; null for the default, 1000 (D-24). */
    pending_limit?: Limit;
    /** @description Concurrent event streams over the device's conversations; null for the default, 32. */
    stream_limit?: Limit;
}
/**
 * @description A further key of the device; existing ones keep working.
 * @example {
 *       "name": "gpu-7"
 *     }
 */
export interface CreateDeviceKey {
    name?: Name;
}
/**
 * @description A new service, published as version 1.
 * @example {
 *       "endpoint_id": "ep_echo",
 *       "device_id": "dev_demo",
 *       "accepts": [
 *         "text/*"
 *       ]
 *     }
 * @example {
 *       "device_id": "dev_demo",
 *       "assistant": {
 *         "type": "script"
 *       }
 *     }
 * @example {
 *       "device_id": "dev_demo",
 *       "assistant": {
 *         "type": "http",
 *         "url": "https://agents.example.com/orders"
 *       }
 *     }
 */
export interface CreateEndpoint {
    endpoint_id?: ChosenId;
    /** @description The device that executes the service; an unknown one is 404 NOT_FOUND. */
    device_id: string;
    name?: Name;
    /** @description Default `{ "type":"echo" }`. */
    assistant?: Assistant;
    /** @description Media types of attachments that the service accepts. Default none. */
    accepts?: MediaRange[];
    input_schema?: NullableSchema;
    output_schema?: NullableSchema;
    context_activities?: ContextActivities;
    max_run_seconds?: MaxRunSeconds;
}
/**
 * @description A further key of the application; existing ones keep working.
 * @example {
 *       "scopes": [
 *         "conversations:read",
 *         "conversations:write",
 *         "runs:read",
 *         "runs:write"
 *       ]
 *     }
 * @example {
 *       "name": "reporting",
 *       "scopes": [
 *         "conversations:read",
 *         "runs:read"
 *       ],
 *       "expires_at": "2027-01-01T00:00:00Z"
 *     }
 */
export interface CreateKey {
    name?: Name;
    scopes: Scope[];
    /**
     * Format: date-time
     * @description When the key stops working, RFC 3339 with a timezone; absent for never.
     */
    expires_at?: string;
}
/**
 * @description A new operator.
 * @example {
 *       "name": "Night shift",
 *       "role": "operate"
 *     }
 * @example {
 *       "name": "Support",
 *       "role": "read",
 *       "may_read_text": true,
 *       "expires_at": "2027-01-01T00:00:00Z"
 *     }
 */
export interface CreateOperator {
    /** @description The name of the operator. It is 409 ALREADY_EXISTS if an operator who is not revoked has this name. */
    name: Name;
    role: OperatorRole;
    /**
     * @description Whether the operator may read the contents of messages.
     * @default false
     */
    may_read_text?: boolean;
    /**
     * Format: date-time
     * @description When the token stops working, RFC 3339 with a timezone; absent for never.
     */
    expires_at?: string;
}
/**
 * @description A new integration. Which settings it needs depends on its action; those that the action does not use are ignored. The secret is generated unless one is given.
 * @example {
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "subject": "order-system",
 *       "event_type_field": "type",
 *       "event_types": [
 *         "order.question"
 *       ],
 *       "action": "message",
 *       "match": "key",
 *       "message_field": "customer.message",
 *       "conversation_key_field": "order.id"
 *     }
 * @example {
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "subject": "order-system",
 *       "event_type_field": "type",
 *       "event_types": [
 *         "order.withdrawn"
 *       ],
 *       "action": "cancel",
 *       "run_id_field": "order.run"
 *     }
 */
export interface CreateWebhook {
    integration_id?: ChosenId;
    /** @description The application that the events act for; an unknown one is 404 NOT_FOUND. */
    app_id: string;
    /** @description The published service of that application that handles the events; an unknown one is 404 NOT_FOUND. */
    endpoint_id: string;
    /** @description The fixed business subject. A subject in the body cannot override it. */
    subject: NamedSubject;
    event_type_field: FieldPath;
    /** @description The exact event types that are accepted; any other gets 403. */
    event_types: string[];
    action: WebhookAction;
    /** @description The path of the text. */
    message_field?: FieldPath;
    /** @description The path of the structured data. */
    data_field?: FieldPath;
    /** @description The path of the list of attachment IDs. */
    resource_ids_field?: FieldPath;
    match?: WebhookMatch;
    /** @description The path of the business key, for `message` by key. */
    conversation_key_field?: FieldPath;
    /** @description The path of the conversation ID, for `message` by ID and for `reset`. */
    conversation_id_field?: FieldPath;
    /** @description The path of the current generation, for `message` by ID and for `reset`. */
    generation_field?: FieldPath;
    /** @description The path of the run ID, for `cancel`. */
    run_id_field?: FieldPath;
    busy_policy?: BusyPolicy;
    /**
     * @description Whether events are accepted; otherwise they are answered with 403.
     * @default true
     */
    enabled?: boolean;
    secret?: Secret;
}
/**
 * @description A new device key, with the secret that is never shown again.
 * @example {
 *       "key_id": "key_0199d39d00037bbbb122334455667788",
 *       "device_id": "dev_demo",
 *       "name": "gpu-7",
 *       "prefix": "gd_0199d39d00037bbbb122334455667788",
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "revoked_at": null,
 *       "last_used_at": "2026-03-02T09:30:00.000Z",
 *       "key": "gd_0199d39d00037bbbb122334455667788_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1"
 *     }
 */
export interface CreatedDeviceKey {
    key_id: KeyId;
    device_id: DeviceId;
    name: NullableName;
    /** @description The first characters of the key, which are not secret. */
    prefix: string;
    created_at: Timestamp;
    /** @description When the key was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description When the key was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
    /** @description The whole key, `gd_<key id>_<secret>`, as it is sent after `Bearer`. Shown only here. */
    key: string;
}
/**
 * @description A new application key, with the secret that is never shown again.
 * @example {
 *       "key_id": "key_0199d39d00037bbbb122334455667788",
 *       "app_id": "app_demo",
 *       "name": null,
 *       "scopes": [
 *         "conversations:read",
 *         "conversations:write",
 *         "runs:read",
 *         "runs:write"
 *       ],
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "expires_at": null,
 *       "revoked_at": null,
 *       "prefix": "gk_0199d39d00037bbbb122334455667788",
 *       "last_used_at": "2026-03-02T09:30:00.000Z",
 *       "key": "gk_0199d39d00037bbbb122334455667788_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1"
 *     }
 */
export interface CreatedKey {
    key_id: KeyId;
    app_id: AppId;
    name: NullableName;
    scopes: Scope[];
    created_at: Timestamp;
    /** @description When the key stops working; null for never. */
    expires_at: NullableTimestamp;
    /** @description When the key was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description The first characters of the key, which identify it and are not secret. Null for a key whose text an operator chose, and for a key that was created before this field existed. */
    prefix: string | null;
    /** @description When the key was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
    /** @description The whole key, `gk_<key id>_<secret>`, as it is sent after `Bearer`. Shown only here (D-04). */
    key: string;
}
/**
 * @description A new operator, with the token that is never shown again.
 * @example {
 *       "operator_id": "opr_0199d39d00037bbbb122334455667788",
 *       "name": "Night shift",
 *       "role": "operate",
 *       "may_read_text": false,
 *       "prefix": "gop_0199d39d00037bbbb122334455667788",
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "expires_at": null,
 *       "revoked_at": null,
 *       "last_used_at": null,
 *       "token": "gop_0199d39d00037bbbb122334455667788_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1"
 *     }
 */
export interface CreatedOperator {
    operator_id: OperatorId;
    /** @description The name, as the audit log and the log lines show it. */
    name: Name;
    role: OperatorRole;
    /** @description Whether the operator may read the contents of messages. */
    may_read_text: boolean;
    /** @description The beginning of the token, which is not secret. */
    prefix: string;
    created_at: Timestamp;
    /** @description When the token stops working; null for never. */
    expires_at: NullableTimestamp;
    /** @description When the token was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description When the token was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
    /** @description The token, as it is sent after `Bearer`. Shown only here; the gateway keeps its hash. */
    token: string;
}
/**
 * @description The operator's decision. The assistant gets it and the run continues; after a denial a script fails with code APPROVAL_DENIED.
 * @example {
 *       "decision": "approve"
 *     }
 */
export interface DecideApproval {
    /** @enum {string} */
    decision: "approve" | "deny";
}
/**
 * @description The delivery of one event to one configuration.
 * @example {
 *       "delivery_id": "dlv_0199d3a1c1b17d77e8f9011223344556",
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "callback_version": 1,
 *       "app_id": "app_demo",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "event_type": "run.completed",
 *       "seq": 4,
 *       "state": "pending",
 *       "attempts": 1,
 *       "last_error": {
 *         "message": "The receiver answered 503.",
 *         "status": 503
 *       },
 *       "next_attempt_at": "2026-03-02T09:30:06.250Z",
 *       "expires_at": "2026-03-03T09:30:01.250Z",
 *       "created_at": "2026-03-02T09:30:01.250Z",
 *       "updated_at": "2026-03-02T09:30:01.600Z"
 *     }
 */
export interface Delivery {
    delivery_id: DeliveryId;
    callback_id: CallbackId;
    /** Format: int64 */
    callback_version: number;
    app_id: AppId;
    conversation_id: ConversationId;
    event_id: EventId;
    event_type: CallbackEventType;
    seq: Seq;
    state: CallbackDeliveryState;
    /**
     * Format: int32
     * @description Attempts in the current window, at most 8.
     */
    attempts: number;
    last_error: DeliveryError | null;
    next_attempt_at: NullableTimestamp;
    /** @description End of the current 24-hour window. */
    expires_at: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * @description One attempt at a delivery.
 * @example {
 *       "attempt": 1,
 *       "started_at": "2026-03-02T09:30:01.300Z",
 *       "latency_ms": 84,
 *       "status": 503,
 *       "error": "The receiver answered 503.",
 *       "excerpt": "try again later"
 *     }
 */
export interface DeliveryAttempt {
    /**
     * Format: int32
     * @description Counts from 1 over the life of the delivery, manual retries included.
     */
    attempt: number;
    started_at: Timestamp;
    /**
     * Format: int32
     * @description Time until the answer or the failure; null when the process ended during the attempt.
     */
    latency_ms: number | null;
    /**
     * Format: int32
     * @description The status of the receiver's answer; null if none arrived.
     */
    status: number | null;
    /** @description Why the attempt failed; null when the event was delivered. */
    error: string | null;
    /** @description At most the first KiB of the answer's body, as text; null when there was no answer. */
    excerpt: string | null;
}
/**
 * @description A delivery with its payload, its URL and its latest attempts.
 * @example {
 *       "delivery_id": "dlv_0199d3a1c1b17d77e8f9011223344556",
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "callback_version": 1,
 *       "app_id": "app_demo",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "event_type": "run.completed",
 *       "seq": 4,
 *       "state": "pending",
 *       "attempts": 1,
 *       "last_error": {
 *         "message": "The receiver answered 503.",
 *         "status": 503
 *       },
 *       "next_attempt_at": "2026-03-02T09:30:06.250Z",
 *       "expires_at": "2026-03-03T09:30:01.250Z",
 *       "created_at": "2026-03-02T09:30:01.250Z",
 *       "updated_at": "2026-03-02T09:30:01.600Z",
 *       "attempt_log": [
 *         {
 *           "attempt": 1,
 *           "started_at": "2026-03-02T09:30:01.300Z",
 *           "latency_ms": 84,
 *           "status": 503,
 *           "error": "The receiver answered 503.",
 *           "excerpt": "try again later"
 *         }
 *       ],
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "url": "https://hooks.example.com/gateway",
 *       "has_body": true,
 *       "body": null
 *     }
 */
export interface DeliveryDetails {
    delivery_id: DeliveryId;
    callback_id: CallbackId;
    /** Format: int64 */
    callback_version: number;
    app_id: AppId;
    conversation_id: ConversationId;
    event_id: EventId;
    event_type: CallbackEventType;
    seq: Seq;
    state: CallbackDeliveryState;
    /**
     * Format: int32
     * @description Attempts in the current window, at most 8.
     */
    attempts: number;
    last_error: DeliveryError | null;
    next_attempt_at: NullableTimestamp;
    /** @description End of the current 24-hour window. */
    expires_at: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** @description Newest first, at most 100. */
    attempt_log: DeliveryAttempt[];
    /** @description The run that the event is about; null once the run is no longer retained. */
    run_id: RunId | null;
    /** @description The URL that it is sent to, with the query hidden; null once the configuration has a newer version. */
    url: string | null;
    /** @description Whether the payload is retained. The payload is no longer retained once the delivery has arrived. */
    has_body: boolean;
    /** @description The body that every attempt sends; null unless it was requested and is retained. */
    body: {
        [key: string]: unknown;
    } | null;
}
/**
 * @description Why the latest attempt failed.
 * @example {
 *       "message": "The receiver answered 503.",
 *       "status": 503
 *     }
 * @example {
 *       "message": "The receiver did not answer within 10 seconds.",
 *       "status": null
 *     }
 */
export interface DeliveryError {
    /** @description A sentence for people; never the receiver's body. */
    message: string;
    /**
     * Format: int32
     * @description The status of the receiver's answer; null for a timeout, a blocked address or a connection failure.
     */
    status: number | null;
}
/**
 * @description The delivery of one event to one callback configuration. Opaque.
 * @example dlv_0199d3a1c1b17d77e8f9011223344556
 */
export type DeliveryId = string;
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "deliveries": [
 *         {
 *           "delivery_id": "dlv_0199d3a1c1b17d77e8f9011223344556",
 *           "callback_id": "cb_0199d39e00037aaab122334455667788",
 *           "callback_version": 1,
 *           "app_id": "app_demo",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *           "event_type": "run.completed",
 *           "seq": 4,
 *           "state": "pending",
 *           "attempts": 1,
 *           "last_error": {
 *             "message": "The receiver answered 503.",
 *             "status": 503
 *           },
 *           "next_attempt_at": "2026-03-02T09:30:06.250Z",
 *           "expires_at": "2026-03-03T09:30:01.250Z",
 *           "created_at": "2026-03-02T09:30:01.250Z",
 *           "updated_at": "2026-03-02T09:30:01.600Z"
 *         }
 *       ]
 *     }
 */
export interface DeliveryList {
    deliveries: Delivery[];
}
/**
 * @description How many deliveries matched, and how many were retried.
 * @example {
 *       "dry_run": true,
 *       "retryable": 420,
 *       "retried": 0,
 *       "configuration_disabled": 0,
 *       "configuration_changed": 3,
 *       "payload_gone": 0,
 *       "more": false,
 *       "next_created_after": null
 *     }
 */
export interface DeliveryRetries {
    dry_run: boolean;
    /**
     * Format: int64
     * @description Deliveries that can be retried; if this was not a dry run, they were retried.
     */
    retryable: number;
    /**
     * Format: int64
     * @description Deliveries that are pending again.
     */
    retried: number;
    /**
     * Format: int64
     * @description Not retried, because the configuration is disabled.
     */
    configuration_disabled: number;
    /**
     * Format: int64
     * @description Not retried, because the configuration has a newer version.
     */
    configuration_changed: number;
    /**
     * Format: int64
     * @description Not retried, because the payload is no longer retained.
     */
    payload_gone: number;
    /** @description Whether the window has further deliveries that were not examined. */
    more: boolean;
    /** @description Where to continue; null if there is nothing more. */
    next_created_after: NullableTimestamp;
}
/**
 * @description A delivery and its latest attempts.
 * @example {
 *       "delivery_id": "dlv_0199d3a1c1b17d77e8f9011223344556",
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "callback_version": 1,
 *       "app_id": "app_demo",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "event_type": "run.completed",
 *       "seq": 4,
 *       "state": "pending",
 *       "attempts": 1,
 *       "last_error": {
 *         "message": "The receiver answered 503.",
 *         "status": 503
 *       },
 *       "next_attempt_at": "2026-03-02T09:30:06.250Z",
 *       "expires_at": "2026-03-03T09:30:01.250Z",
 *       "created_at": "2026-03-02T09:30:01.250Z",
 *       "updated_at": "2026-03-02T09:30:01.600Z",
 *       "attempt_log": [
 *         {
 *           "attempt": 1,
 *           "started_at": "2026-03-02T09:30:01.300Z",
 *           "latency_ms": 84,
 *           "status": 503,
 *           "error": "The receiver answered 503.",
 *           "excerpt": "try again later"
 *         }
 *       ]
 *     }
 */
export interface DeliveryWithAttempts {
    delivery_id: DeliveryId;
    callback_id: CallbackId;
    /** Format: int64 */
    callback_version: number;
    app_id: AppId;
    conversation_id: ConversationId;
    event_id: EventId;
    event_type: CallbackEventType;
    seq: Seq;
    state: CallbackDeliveryState;
    /**
     * Format: int32
     * @description Attempts in the current window, at most 8.
     */
    attempts: number;
    last_error: DeliveryError | null;
    next_attempt_at: NullableTimestamp;
    /** @description End of the current 24-hour window. */
    expires_at: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** @description Newest first, at most 100. */
    attempt_log: DeliveryAttempt[];
}
/**
 * @description A device executes the services that are published on it.
 * @example {
 *       "device_id": "dev_demo",
 *       "name": null,
 *       "state": "active",
 *       "online": true,
 *       "last_seen_at": "2026-03-02T09:29:58.000Z",
 *       "pending_limit": null,
 *       "stream_limit": null,
 *       "limits_in_force": {
 *         "pending_limit": 1000,
 *         "stream_limit": 32
 *       },
 *       "created_at": "2026-03-01T08:00:00.000Z"
 *     }
 */
export interface Device {
    device_id: DeviceId;
    name: NullableName;
    state: DeviceState;
    /** @description Whether a worker of the device has a fresh heartbeat. After the device has been offline for more than 30 s, new work is answered with 503. */
    online: boolean;
    /** @description The latest heartbeat; null before the first. */
    last_seen_at: NullableTimestamp;
    /** @description Unfinished runs on the device; null for the default, 1000 (D-24). */
    pending_limit: Limit;
    /** @description Concurrent event streams over the device's conversations; null for the default, 32. */
    stream_limit: Limit;
    /** @description The effective limits: the device's own, or the defaults of the process that answers. */
    limits_in_force: {
        /**
         * Format: int64
         * @description Unfinished runs.
         */
        pending_limit: number;
        /**
         * Format: int64
         * @description Event streams.
         */
        stream_limit: number;
    };
    created_at: Timestamp;
}
/**
 * @description A device. Opaque.
 * @example dev_demo
 */
export type DeviceId = string;
/**
 * @description A device key without its secret (D-67).
 * @example {
 *       "key_id": "key_0199d39d00037bbbb122334455667788",
 *       "device_id": "dev_demo",
 *       "name": "gpu-7",
 *       "prefix": "gd_0199d39d00037bbbb122334455667788",
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "revoked_at": null,
 *       "last_used_at": "2026-03-02T09:30:00.000Z"
 *     }
 */
export interface DeviceKey {
    key_id: KeyId;
    device_id: DeviceId;
    name: NullableName;
    /** @description The first characters of the key, which are not secret. */
    prefix: string;
    created_at: Timestamp;
    /** @description When the key was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description When the key was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
}
/**
 * @description One page, newest first; revoked keys included. An empty page ends the list.
 * @example {
 *       "keys": [
 *         {
 *           "key_id": "key_0199d39d00037bbbb122334455667788",
 *           "device_id": "dev_demo",
 *           "name": "gpu-7",
 *           "prefix": "gd_0199d39d00037bbbb122334455667788",
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "revoked_at": null,
 *           "last_used_at": "2026-03-02T09:30:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface DeviceKeyList {
    keys: DeviceKey[];
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "devices": [
 *         {
 *           "device_id": "dev_demo",
 *           "name": null,
 *           "state": "active",
 *           "online": true,
 *           "last_seen_at": "2026-03-02T09:29:58.000Z",
 *           "pending_limit": null,
 *           "stream_limit": null,
 *           "limits_in_force": {
 *             "pending_limit": 1000,
 *             "stream_limit": 32
 *           },
 *           "created_at": "2026-03-01T08:00:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface DeviceList {
    devices: Device[];
}
/**
 * @description The work of a device.
 * @example {
 *       "device_id": "dev_demo",
 *       "name": null,
 *       "state": "active",
 *       "online": true,
 *       "last_seen_at": "2026-03-02T09:29:58.000Z",
 *       "queued": 3,
 *       "executing": 4,
 *       "waiting_approval": 0,
 *       "run_slots": 16
 *     }
 */
export interface DeviceLoad {
    device_id: DeviceId;
    name: NullableName;
    state: DeviceState;
    /** @description Whether a worker of the device has a fresh heartbeat. */
    online: boolean;
    /** @description The latest heartbeat; null before the first. */
    last_seen_at: NullableTimestamp;
    /** Format: int64 */
    queued: number;
    /**
     * Format: int64
     * @description Runs in a slot of the device; those that wait for an approval occupy none.
     */
    executing: number;
    /** Format: int64 */
    waiting_approval: number;
    /**
     * Format: int64
     * @description Runs that all processes serving the device can execute at once.
     */
    run_slots: number;
}
/**
 * @description A worker that serves the device, as it described itself.
 * @example {
 *       "session_id": "ws_0199d3a1c0f17a44b5c6d7e8f9011223",
 *       "device_id": "dev_demo",
 *       "key_id": "key_0199d39d00037bbbb122334455667788",
 *       "name": "gpu-7",
 *       "version": "1.4.0",
 *       "slots": 8,
 *       "runs": 2,
 *       "opened_at": "2026-03-02T09:00:00.000Z",
 *       "last_heartbeat_at": "2026-03-02T09:29:58.000Z"
 *     }
 */
export interface DeviceSession {
    session_id: SessionId;
    device_id: DeviceId;
    key_id: KeyId;
    /** @description The worker's name. */
    name: string;
    /** @description The worker's version; null if it did not send one. */
    version: string | null;
    /**
     * Format: int32
     * @description Runs that it executes at once.
     */
    slots: number;
    /**
     * Format: int32
     * @description Runs that it has claimed and that have not ended, including those that wait for a decision.
     */
    runs: number;
    opened_at: Timestamp;
    last_heartbeat_at: Timestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "sessions": [
 *         {
 *           "session_id": "ws_0199d3a1c0f17a44b5c6d7e8f9011223",
 *           "device_id": "dev_demo",
 *           "key_id": "key_0199d39d00037bbbb122334455667788",
 *           "name": "gpu-7",
 *           "version": "1.4.0",
 *           "slots": 8,
 *           "runs": 2,
 *           "opened_at": "2026-03-02T09:00:00.000Z",
 *           "last_heartbeat_at": "2026-03-02T09:29:58.000Z"
 *         }
 *       ]
 *     }
 */
export interface DeviceSessionList {
    sessions: DeviceSession[];
}
/**
 * @description `paused`: new work is 503 CAPABILITY_UNAVAILABLE; `disabled`: new work is 403 PERMISSION_DENIED. Existing records stay readable. Open (D-15).
 * @example active
 */
export type DeviceState = "active" | "paused" | "disabled" | (string & {});
/**
 * @description Streams the input text back word by word; without a text, the JSON of `data`.
 * @example {
 *       "type": "echo"
 *     }
 */
export interface EchoAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "echo";
}
/**
 * @description A published service, at its current version.
 * @example {
 *       "endpoint_id": "ep_echo",
 *       "app_id": "app_demo",
 *       "device_id": "dev_demo",
 *       "name": null,
 *       "binding_version": 3,
 *       "compatibility": "compatible",
 *       "assistant": {
 *         "type": "echo"
 *       },
 *       "accepts": [
 *         "text/*"
 *       ],
 *       "input_schema": null,
 *       "output_schema": null,
 *       "context_activities": false,
 *       "max_run_seconds": 3600,
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "published_at": "2026-03-01T12:00:00.000Z"
 *     }
 */
export interface Endpoint {
    endpoint_id: EndpointId;
    app_id: AppId;
    device_id: DeviceId;
    name: NullableName;
    binding_version: BindingVersion;
    compatibility: Compatibility;
    assistant: Assistant;
    /** @description Media types of attachments that the service accepts. */
    accepts: MediaRange[];
    input_schema: NullableSchema;
    output_schema: NullableSchema;
    context_activities: ContextActivities;
    max_run_seconds: MaxRunSeconds;
    /** @description Until this time requests to an `http` assistant are signed with the secret from before the rotation; null if they are signed with the current one. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    /** @description When the current version was published. */
    published_at: Timestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "endpoints": [
 *         {
 *           "endpoint_id": "ep_echo",
 *           "app_id": "app_demo",
 *           "device_id": "dev_demo",
 *           "name": null,
 *           "binding_version": 3,
 *           "compatibility": "compatible",
 *           "assistant": {
 *             "type": "echo"
 *           },
 *           "accepts": [
 *             "text/*"
 *           ],
 *           "input_schema": null,
 *           "output_schema": null,
 *           "context_activities": false,
 *           "max_run_seconds": 3600,
 *           "previous_secret_expires_at": null,
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "published_at": "2026-03-01T12:00:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface EndpointList {
    endpoints: Endpoint[];
}
/**
 * @description What an `http` assistant answered to a rehearsal.
 * @example {
 *       "ok": true,
 *       "faults": [],
 *       "code": null,
 *       "ended": "succeeded",
 *       "steps": 4,
 *       "text": "You said: Hello",
 *       "first_step_ms": 12,
 *       "total_ms": 31
 *     }
 */
export interface EndpointTrial {
    /** @description Whether the answer is valid, and a forged signature was refused. */
    ok: boolean;
    /** @description One sentence for each fault, with the expected and the actual answer; empty if there is none. */
    faults: string[];
    /** @description The code with which such a run fails; null for a valid answer. */
    code: string | null;
    /**
     * @description How the answer ended; null if it is not valid.
     * @enum {string|null}
     */
    ended: "succeeded" | "failed" | "approval" | null;
    /**
     * Format: int32
     * @description How many steps came before the end.
     */
    steps: number;
    /** @description The beginning of the streamed text, at most 1,000 characters. */
    text: string;
    /**
     * Format: int32
     * @description Milliseconds until the first step; null if there was none.
     */
    first_step_ms: number | null;
    /**
     * Format: int32
     * @description Milliseconds until the end of the answer.
     */
    total_ms: number;
}
/**
 * @description How much has been erased so far.
 * @example {
 *       "conversations": 2,
 *       "runs": 14,
 *       "messages": 31,
 *       "events": 420,
 *       "resources": 1,
 *       "deliveries": 14,
 *       "replays": 17
 *     }
 */
export interface ErasedRecords {
    /**
     * Format: int64
     * @description Conversations, of which only IDs and times remain.
     */
    conversations: number;
    /**
     * Format: int64
     * @description Runs, with their results.
     */
    runs: number;
    /**
     * Format: int64
     * @description Messages.
     */
    messages: number;
    /**
     * Format: int64
     * @description Events, with the text of their deltas.
     */
    events: number;
    /**
     * Format: int64
     * @description Attachments, with their content.
     */
    resources: number;
    /**
     * Format: int64
     * @description Deliveries of callbacks, with their requests and answers.
     */
    deliveries: number;
    /**
     * Format: int64
     * @description Stored answers for repeated requests; such a repeat is answered with 404 from now on.
     */
    replays: number;
}
/**
 * @description The erasure of a conversation, or of all data of a subject. It records how much was erased and when, but neither the content nor the subject.
 * @example {
 *       "erasure_id": "ers_0199d3a1000a7aaab122334455667788",
 *       "app_id": "app_0199d39c00017aaab122334455667788",
 *       "conversation_id": null,
 *       "state": "succeeded",
 *       "erased": {
 *         "conversations": 2,
 *         "runs": 14,
 *         "messages": 31,
 *         "events": 420,
 *         "resources": 1,
 *         "deliveries": 14,
 *         "replays": 17
 *       },
 *       "created_at": "2026-03-02T09:30:00.123Z",
 *       "completed_at": "2026-03-02T09:30:01.456Z"
 *     }
 */
export interface Erasure {
    erasure_id: ErasureId;
    app_id: AppId;
    /** @description The conversation; null for the erasure of a subject. */
    conversation_id: ConversationId | null;
    state: ErasureState;
    erased: ErasedRecords;
    created_at: Timestamp;
    completed_at: NullableTimestamp;
}
/**
 * @description An erasure. Opaque.
 * @example ers_0199d3a1000a7aaab122334455667788
 */
export type ErasureId = string;
/**
 * @description `succeeded` once everything is erased. Open (D-15).
 * @example succeeded
 */
export type ErasureState = "pending" | "succeeded" | (string & {});
/**
 * @description The path of a value in the body, as member names joined by dots, at most five.
 * @example customer.message
 */
export type FieldPath = string;
/**
 * @description A service of the operator that the gateway posts runs to, and that streams steps in its answer (D-66). Requests are signed with a secret of the service, which needs GATEWAY_SECRET_KEY. The contract of the request is `executeRun` of the worker API.
 * @example {
 *       "type": "http",
 *       "url": "https://agents.example.com/orders",
 *       "first_byte_seconds": 60
 *     }
 */
export interface HttpAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "http";
    /**
     * Format: uri
     * @description Where runs are posted, without user name, password and fragment; private addresses are allowed. The query, which may hold a token, is stored encrypted and shown as `?***`.
     */
    url: string;
    /**
     * Format: int32
     * @description How long the service may take to send the head of its answer. The whole answer may take as long as the run may execute.
     * @default 300
     */
    first_byte_seconds?: number;
}
/**
 * @description An application key without its secret.
 * @example {
 *       "key_id": "key_0199d39d00037bbbb122334455667788",
 *       "app_id": "app_demo",
 *       "name": null,
 *       "scopes": [
 *         "conversations:read",
 *         "conversations:write",
 *         "runs:read",
 *         "runs:write"
 *       ],
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "expires_at": null,
 *       "revoked_at": null,
 *       "prefix": "gk_0199d39d00037bbbb122334455667788",
 *       "last_used_at": "2026-03-02T09:30:00.000Z"
 *     }
 */
export interface Key {
    key_id: KeyId;
    app_id: AppId;
    name: NullableName;
    scopes: Scope[];
    created_at: Timestamp;
    /** @description When the key stops working; null for never. */
    expires_at: NullableTimestamp;
    /** @description When the key was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description The first characters of the key, which identify it and are not secret. Null for a key whose text an operator chose, and for a key that was created before this field existed. */
    prefix: string | null;
    /** @description When the key was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
}
/**
 * @description A key's ID; no secret. Opaque.
 * @example key_0199d39d00037bbbb122334455667788
 */
export type KeyId = string;
/**
 * @description One page, newest first; revoked and expired keys included. An empty page ends the list.
 * @example {
 *       "keys": [
 *         {
 *           "key_id": "key_0199d39d00037bbbb122334455667788",
 *           "app_id": "app_demo",
 *           "name": null,
 *           "scopes": [
 *             "conversations:read",
 *             "conversations:write",
 *             "runs:read",
 *             "runs:write"
 *           ],
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "expires_at": null,
 *           "revoked_at": null,
 *           "prefix": "gk_0199d39d00037bbbb122334455667788",
 *           "last_used_at": "2026-03-02T09:30:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface KeyList {
    keys: Key[];
}
/**
 * @description The process that executes a run, or has lost it.
 * @example {
 *       "process_id": "7d0c3b60-6b7b-4a67-9a3d-0c8c0f1f8a11",
 *       "alive": true,
 *       "expires_at": "2026-03-02T09:30:15.000Z"
 *     }
 */
export interface Lease {
    /** @description The process, as its metrics and log lines name it. */
    process_id: string;
    /** @description Whether the process has reported within the lease. */
    alive: boolean;
    /** @description When the lease ends unless the process reports again. */
    expires_at: NullableTimestamp;
}
/**
 * Format: int32
 * @description A count that may not be exceeded; null for the gateway's default.
 * @example 200
 * @example null
 */
export type Limit = number | null;
/**
 * Format: int32
 * @description Longest execution of one run, in seconds. The time in which it waits for an approval does not count. A run that executes longer is stopped, and fails with RUN_TIMEOUT (D-59).
 * @default 3600
 * @example 3600
 */
export type MaxRunSeconds = number;
/**
 * @description A media type that the service accepts as an attachment: `type/subtype`, `type/*` or `*\/*`.
 * @example text/*
 * @example application/pdf
 */
export type MediaRange = string;
/**
 * @description A message of a conversation. Its content is null unless it was requested.
 * @example {
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "role": "user",
 *       "cursor": 1,
 *       "text": null,
 *       "data": null,
 *       "activities": null,
 *       "resource_ids": [],
 *       "partial": false,
 *       "created_at": "2026-03-02T09:30:00.500Z",
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "generation": 1
 *     }
 */
export interface MessageRecord {
    message_id: MessageId;
    /** @description Who wrote it. Open (D-15). */
    role: "user" | "assistant" | (string & {});
    /**
     * Format: int64
     * @description Position among the conversation's messages.
     */
    cursor: number;
    text: string | null;
    data: {
        [key: string]: unknown;
    } | null;
    /** @description The activities of the assistant for this answer (D-69); null unless contents were requested. */
    activities: Activity[] | null;
    /** @description Attachments of an input message. */
    resource_ids: ResourceId[];
    /** @description True while the message is being written, or if its run ended before the message was complete. */
    partial: boolean;
    created_at: Timestamp;
    run_id: RunId;
    generation: Generation;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "messages": [
 *         {
 *           "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *           "role": "user",
 *           "cursor": 1,
 *           "text": null,
 *           "data": null,
 *           "activities": null,
 *           "resource_ids": [],
 *           "partial": false,
 *           "created_at": "2026-03-02T09:30:00.500Z",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1
 *         }
 *       ]
 *     }
 */
export interface MessageRecordList {
    messages: MessageRecord[];
}
/**
 * @description A JavaScript module of the operator that exports an async generator.
 * @example {
 *       "type": "module",
 *       "path": "./assistants/orders.js"
 *     }
 */
export interface ModuleAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "module";
    /** @description File of the module, absolute or relative to the worker's working directory. */
    path: string;
}
/**
 * @description A name for people.
 * @example Order desk
 */
export type Name = string;
/**
 * @description A business subject, as an operator sends it: 1-256 code points, no control characters, white space inside allowed, none around (D-03, D-54).
 * @example customer-4711
 */
export type NamedSubject = string;
/**
 * @description A field path, or null to remove it.
 * @example customer.message
 * @example null
 */
export type NullableFieldPath = FieldPath | null;
/**
 * @description A name for people, or null without one.
 * @example Order desk
 * @example null
 */
export type NullableName = Name | null;
/**
 * @description A JSON Schema of draft 2020-12 (D-70), at most 64 KiB of JSON; null for none. References may only point into the schema itself. Any other schema is 400 INVALID_REQUEST, and `errors` names the fault.
 * @example {
 *       "type": "object",
 *       "required": [
 *         "order"
 *       ],
 *       "properties": {
 *         "order": {
 *           "type": "string"
 *         }
 *       }
 *     }
 * @example null
 */
export type NullableSchema = {
    [key: string]: unknown;
} | null;
/**
 * @description A time, or null.
 * @example 2026-03-02T09:30:00.123Z
 * @example null
 */
export type NullableTimestamp = Timestamp | null;
/**
 * @description Streams from a server that speaks the OpenAI chat-completions protocol, with the generation's history as context.
 * @example {
 *       "type": "openai",
 *       "base_url": "https://models.example.com/v1",
 *       "model": "small-1",
 *       "api_key_env": "MODEL_API_KEY",
 *       "system_prompt": "You answer questions about orders."
 *     }
 */
export interface OpenaiAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "openai";
    /**
     * Format: uri
     * @description The URL to which `/chat/completions` is appended.
     */
    base_url: string;
    model: string;
    /** @description Name of the worker's environment variable that holds the key; absent if the server needs no key. Variables of the gateway itself (`GATEWAY_…`, `SERVICE_GATEWAY_…`, `DATABASE_URL`, `PG…`, `OTEL_…`) are 400. */
    api_key_env?: string;
    system_prompt?: string;
    /**
     * @description Whether an answer that ended at the model's length limit is a success, with `result.truncated`. Otherwise such a run is `failed` with `ANSWER_TRUNCATED`, and its text is partial output.
     * @default false
     */
    accept_truncated?: boolean;
    /** @description Further members of the request to the model's server, such as `temperature`, `max_tokens` or `response_format`. Null omits a member that is sent by default: use `stream_options: null` for a server that does not support it. `model`, `messages`, `stream` and `n` cannot be set. */
    parameters?: {
        [key: string]: unknown;
    };
    /** @description Further headers of the request, with lower-case names. Operators can read them, so put secrets into the variable that `api_key_env` names. `authorization`, `host`, `content-*` and hop-by-hop headers cannot be set. */
    headers?: {
        [key: string]: string;
    };
}
/**
 * @description A person who may operate the gateway, without their token.
 * @example {
 *       "operator_id": "opr_0199d39d00037bbbb122334455667788",
 *       "name": "Night shift",
 *       "role": "operate",
 *       "may_read_text": false,
 *       "prefix": "gop_0199d39d00037bbbb122334455667788",
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "expires_at": null,
 *       "revoked_at": null,
 *       "last_used_at": "2026-03-02T09:30:00.000Z"
 *     }
 */
export interface Operator {
    operator_id: OperatorId;
    /** @description The name, as the audit log and the log lines show it. */
    name: Name;
    role: OperatorRole;
    /** @description Whether the operator may read the contents of messages. */
    may_read_text: boolean;
    /** @description The beginning of the token, which is not secret. */
    prefix: string;
    created_at: Timestamp;
    /** @description When the token stops working; null for never. */
    expires_at: NullableTimestamp;
    /** @description When the token was revoked; null if it is not revoked. */
    revoked_at: NullableTimestamp;
    /** @description When the token was last used, with a precision of one minute; null if it was never used. */
    last_used_at: NullableTimestamp;
}
/**
 * @description An operator; no secret. Opaque.
 * @example opr_0199d39d00037bbbb122334455667788
 */
export type OperatorId = string;
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "operators": [
 *         {
 *           "operator_id": "opr_0199d39d00037bbbb122334455667788",
 *           "name": "Night shift",
 *           "role": "operate",
 *           "may_read_text": false,
 *           "prefix": "gop_0199d39d00037bbbb122334455667788",
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "expires_at": null,
 *           "revoked_at": null,
 *           "last_used_at": "2026-03-02T09:30:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface OperatorList {
    operators: Operator[];
}
/**
 * @description `read` reads everything; the contents of messages also need `may_read_text`. `operate` also pauses and resumes admission, pauses, resumes, disables and enables devices, decides approvals, cancels runs, retries deliveries, tries assistants and revokes keys. `admin` changes everything.
 * @example read
 * @enum {string}
 */
export type OperatorRole = "read" | "operate" | "admin";
/**
 * @description The operator whose token authenticates the request.
 * @example {
 *       "operator_id": null,
 *       "name": "GATEWAY_ADMIN_TOKEN",
 *       "role": "admin",
 *       "may_read_text": true
 *     }
 */
export interface OperatorSelf {
    /** @description Null for the token of `GATEWAY_ADMIN_TOKEN`. */
    operator_id: OperatorId | null;
    name: Name;
    role: OperatorRole;
    may_read_text: boolean;
}
/**
 * @description The gateway at one moment.
 * @example {
 *       "at": "2026-03-02T09:30:00.123Z",
 *       "admission_paused": false,
 *       "runs": {
 *         "queued": 3,
 *         "running": 4,
 *         "waiting_approval": 0,
 *         "cancelling": 0,
 *         "reconciling": 0
 *       },
 *       "oldest_queued_seconds": 1.25,
 *       "recent": {
 *         "window_seconds": 300,
 *         "admitted": 120,
 *         "succeeded": 110,
 *         "failed": 2,
 *         "cancelled": 1,
 *         "interrupted": 0,
 *         "expired": 0
 *       },
 *       "open_streams": 12,
 *       "deliveries": {
 *         "pending": 2,
 *         "sending": 1,
 *         "needs_action": 0,
 *         "expired": 0,
 *         "cancelled_config_changed": 0
 *       },
 *       "approvals_pending": 0,
 *       "devices": [
 *         {
 *           "device_id": "dev_demo",
 *           "name": null,
 *           "state": "active",
 *           "online": true,
 *           "last_seen_at": "2026-03-02T09:29:58.000Z",
 *           "queued": 3,
 *           "executing": 4,
 *           "waiting_approval": 0,
 *           "run_slots": 16
 *         }
 *       ],
 *       "process": {
 *         "process_id": "7d0c3b60-6b7b-4a67-9a3d-0c8c0f1f8a11",
 *         "started_at": "2026-03-02T08:00:00.000Z",
 *         "admitted": 4200,
 *         "replayed": 17,
 *         "refusals": [
 *           {
 *             "code": "RATE_LIMITED",
 *             "count": 12
 *           }
 *         ]
 *       }
 *     }
 */
export interface Overview {
    at: Timestamp;
    admission_paused: boolean;
    runs: UnfinishedRuns;
    /** @description How long the oldest queued run has been waiting; null when none waits. */
    oldest_queued_seconds: number | null;
    recent: RecentRuns;
    /**
     * Format: int64
     * @description Event streams that are open on all processes.
     */
    open_streams: number;
    deliveries: UndeliveredCallbacks;
    /** Format: int64 */
    approvals_pending: number;
    /** @description At most 100, by ID. */
    devices: DeviceLoad[];
    process: ProcessCounts;
}
/**
 * @description The past hour of the gateway, as one process saw it.
 * @example {
 *       "process_id": "7d0c3b60-6b7b-4a67-9a3d-0c8c0f1f8a11",
 *       "interval_seconds": 15,
 *       "samples": [
 *         {
 *           "at": "2026-03-02T09:29:45.000Z",
 *           "runs": {
 *             "queued": 3,
 *             "running": 4,
 *             "waiting_approval": 0,
 *             "cancelling": 0,
 *             "reconciling": 0
 *           },
 *           "oldest_queued_seconds": 0.75,
 *           "open_streams": 12,
 *           "deliveries": {
 *             "pending": 2,
 *             "sending": 1,
 *             "needs_action": 0,
 *             "expired": 0,
 *             "cancelled_config_changed": 0
 *           },
 *           "admitted": 4180,
 *           "refused": 12
 *         }
 *       ]
 *     }
 */
export interface OverviewHistory {
    /** @description The process that answers. Its own counts are comparable with those of `process` in an overview of the same ID. */
    process_id: string;
    /**
     * Format: int32
     * @description The time between two samples. It is longer if the database did not answer.
     */
    interval_seconds: number;
    /** @description The oldest first. */
    samples: OverviewSample[];
}
/**
 * @description The gateway at one moment of the past.
 * @example {
 *       "at": "2026-03-02T09:29:45.000Z",
 *       "runs": {
 *         "queued": 3,
 *         "running": 4,
 *         "waiting_approval": 0,
 *         "cancelling": 0,
 *         "reconciling": 0
 *       },
 *       "oldest_queued_seconds": 0.75,
 *       "open_streams": 12,
 *       "deliveries": {
 *         "pending": 2,
 *         "sending": 1,
 *         "needs_action": 0,
 *         "expired": 0,
 *         "cancelled_config_changed": 0
 *       },
 *       "admitted": 4180,
 *       "refused": 12
 *     }
 */
export interface OverviewSample {
    at: Timestamp;
    runs: UnfinishedRuns;
    /** @description How long the oldest queued run had been waiting; null when none waited. */
    oldest_queued_seconds: number | null;
    /**
     * Format: int64
     * @description Event streams that were open on all processes.
     */
    open_streams: number;
    deliveries: UndeliveredCallbacks;
    /**
     * Format: int64
     * @description Requests that the process had admitted since it started.
     */
    admitted: number;
    /**
     * Format: int64
     * @description Requests that the process had refused since it started.
     */
    refused: number;
}
/**
 * @description What one process has admitted and refused since it started. Behind a load balancer each answer may come from another process.
 * @example {
 *       "process_id": "7d0c3b60-6b7b-4a67-9a3d-0c8c0f1f8a11",
 *       "started_at": "2026-03-02T08:00:00.000Z",
 *       "admitted": 4200,
 *       "replayed": 17,
 *       "refusals": [
 *         {
 *           "code": "RATE_LIMITED",
 *           "count": 12
 *         }
 *       ]
 *     }
 */
export interface ProcessCounts {
    process_id: string;
    started_at: Timestamp;
    /**
     * Format: int64
     * @description Requests admitted under an Idempotency-Key for the first time.
     */
    admitted: number;
    /**
     * Format: int64
     * @description Answers that were replayed under their key.
     */
    replayed: number;
    /** @description By error code, the most frequent first. */
    refusals: RefusalCount[];
}
/**
 * @description The events of every conversation that are older than this.
 * @example {
 *       "older_than_seconds": 86400
 *     }
 */
export interface PruneByAge {
    /** Format: int64 */
    older_than_seconds: number;
}
/**
 * @description The events of one conversation up to and including a seq.
 * @example {
 *       "app_id": "app_demo",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "up_to_seq": 42
 *     }
 */
export interface PruneConversation {
    app_id: string;
    /** @description An unknown one is 404 NOT_FOUND. */
    conversation_id: string;
    up_to_seq: Seq;
}
/**
 * @description Which events to drop, of one conversation up to a seq or of all conversations from a certain age.
 * @example {
 *       "older_than_seconds": 86400
 *     }
 */
export type PruneEvents = PruneConversation | PruneByAge;
/**
 * @description How many events were dropped. A stream position after which an event is missing is now 410 CURSOR_EXPIRED.
 * @example {
 *       "pruned": 42
 *     }
 */
export interface PrunedEvents {
    /**
     * Format: int64
     * @description Number of events.
     */
    pruned: number;
}
/**
 * @description The next version; members left out stay as in the current one.
 * @example {
 *       "assistant": {
 *         "type": "script"
 *       },
 *       "compatibility": "breaking"
 *     }
 * @example {
 *       "accepts": [
 *         "text/*",
 *         "application/pdf"
 *       ]
 *     }
 * @example {
 *       "max_run_seconds": 600
 *     }
 * @example {
 *       "output_schema": {
 *         "type": "object",
 *         "required": [
 *           "order"
 *         ],
 *         "properties": {
 *           "order": {
 *             "type": "string"
 *           }
 *         }
 *       }
 *     }
 * @example {
 *       "input_schema": null
 *     }
 */
export interface PublishVersion {
    assistant?: Assistant;
    accepts?: MediaRange[];
    input_schema?: NullableSchema;
    output_schema?: NullableSchema;
    /** @description Whether runs get the activities of earlier answers as context (D-69). */
    context_activities?: boolean;
    /**
     * Format: int32
     * @description Longest execution of one run, in seconds (D-59). Executing runs keep the limit with which they started.
     */
    max_run_seconds?: number;
    compatibility?: Compatibility;
}
/**
 * Format: int32
 * @description Requests per second of each key, in each process. The ratio of burst to rate is the gateway's. Null for the gateway's rate, by default 500 with a burst of 1,000 (D-61).
 * @example 50
 * @example null
 */
export type RateLimit = number | null;
/**
 * @description The runs that were recently admitted, and those that recently ended.
 * @example {
 *       "window_seconds": 300,
 *       "admitted": 120,
 *       "succeeded": 110,
 *       "failed": 2,
 *       "cancelled": 1,
 *       "interrupted": 0,
 *       "expired": 0
 *     }
 */
export interface RecentRuns {
    /**
     * Format: int32
     * @description The length of the counted period, which ends now.
     */
    window_seconds: number;
    /** Format: int64 */
    admitted: number;
    /** Format: int64 */
    succeeded: number;
    /** Format: int64 */
    failed: number;
    /** Format: int64 */
    cancelled: number;
    /** Format: int64 */
    interrupted: number;
    /** Format: int64 */
    expired: number;
}
/**
 * @description The result of re-encrypting all encrypted values. `reencrypted` + `current` + `unreadable` is their number.
 * @example {
 *       "reencrypted": 12,
 *       "current": 0,
 *       "unreadable": 1,
 *       "unreadable_ids": [
 *         "wh_0199d39e00027aaab122334455667788"
 *       ]
 *     }
 */
export interface ReencryptedSecrets {
    /**
     * Format: int64
     * @description Secrets and URL queries that this request encrypted with the first key.
     */
    reencrypted: number;
    /**
     * Format: int64
     * @description Those that were already encrypted with the first key.
     */
    current: number;
    /**
     * Format: int64
     * @description Those that none of the keys decrypts. They do not change: add the missing key, rotate the secret, or set the URL again.
     */
    unreadable: number;
    /** @description The integrations, callback configurations and services that the unreadable values belong to, at most 100. */
    unreadable_ids: string[];
}
/**
 * @description How often an error code was answered.
 * @example {
 *       "code": "RATE_LIMITED",
 *       "count": 12
 *     }
 */
export interface RefusalCount {
    code: string;
    /** Format: int64 */
    count: number;
}
/**
 * @description How many conversations were marked as restored. Their stream positions from before this call now answer 410 CURSOR_EXPIRED.
 * @example {
 *       "conversations": 1204
 *     }
 */
export interface RestoredMark {
    /**
     * Format: int64
     * @description Number of conversations, of all applications.
     */
    conversations: number;
}
/**
 * @description Which deliveries to retry, of those that are `expired` or `needs_action`.
 * @example {
 *       "created_after": "2026-03-02T09:00:00Z",
 *       "created_before": "2026-03-02T10:00:00Z"
 *     }
 * @example {
 *       "created_after": "2026-03-02T09:00:00Z",
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "dry_run": false
 *     }
 */
export interface RetryDeliveries {
    /**
     * Format: date-time
     * @description Only deliveries created at this time or later, RFC 3339 with a timezone.
     */
    created_after: string;
    /**
     * Format: date-time
     * @description Only deliveries created before this time, RFC 3339 with a timezone; absent for all until now.
     */
    created_before?: string;
    /** @description Only deliveries of this application. */
    app_id?: string;
    /** @description Only deliveries of this configuration. */
    callback_id?: string;
    /**
     * @description Only deliveries in this state; absent for both states.
     * @enum {string}
     */
    state?: "expired" | "needs_action";
    /**
     * @description Whether to only count the deliveries, without retrying them.
     * @default true
     */
    dry_run?: boolean;
}
/**
 * @description How many runs matched, and how many were stopped.
 * @example {
 *       "dry_run": true,
 *       "matching": 42,
 *       "cancelled": 40,
 *       "stopping": 2,
 *       "more": false,
 *       "next_before": null
 *     }
 */
export interface RunCancellations {
    dry_run: boolean;
    /**
     * Format: int64
     * @description Runs that matched.
     */
    matching: number;
    /**
     * Format: int64
     * @description Runs that have not started, and end at once.
     */
    cancelled: number;
    /**
     * Format: int64
     * @description Runs that end as soon as their assistant confirms.
     */
    stopping: number;
    /** @description Whether further runs may match that were not examined. */
    more: boolean;
    /** @description Where to continue; null if there is nothing more. */
    next_before: RunId | null;
}
/**
 * @description A run of any application.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "endpoint_id": "ep_echo",
 *       "device_id": "dev_demo",
 *       "binding_version": 3,
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "state": "failed",
 *       "delivery_state": "device_received",
 *       "error": {
 *         "code": "MODEL_UNAVAILABLE",
 *         "message": "The model did not answer.",
 *         "retryable": true
 *       },
 *       "lease": null,
 *       "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
 *       "start_before": "2026-03-02T09:35:00.500Z",
 *       "created_at": "2026-03-02T09:30:00.500Z",
 *       "updated_at": "2026-03-02T09:30:01.250Z",
 *       "finished_at": "2026-03-02T09:30:01.250Z"
 *     }
 */
export interface RunRecord {
    run_id: RunId;
    app_id: AppId;
    /** @description The business subject; null after it was erased. */
    subject: string | null;
    conversation_id: ConversationId;
    generation: Generation;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    binding_version: BindingVersion;
    message_id: MessageId;
    state: RunState;
    /**
     * @description Whether a device has taken the run for execution. Open (D-15).
     * @example waiting_device
     */
    delivery_state: "waiting_device" | "device_received" | (string & {});
    /** @description Why the run failed; null if it did not fail, and once the result is no longer retained. */
    error: RunError | null;
    /** @description The process that executes the run; null if there is none. */
    lease: Lease | null;
    /** @description The trace of the request that admitted the run, from its `traceparent`; null without one. */
    trace_id: string | null;
    /** @description Latest start time. */
    start_before: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** @description When the run ended; null before that. */
    finished_at: NullableTimestamp;
}
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "runs": [
 *         {
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "app_id": "app_demo",
 *           "subject": "customer-4711",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "generation": 1,
 *           "endpoint_id": "ep_echo",
 *           "device_id": "dev_demo",
 *           "binding_version": 3,
 *           "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *           "state": "failed",
 *           "delivery_state": "device_received",
 *           "error": {
 *             "code": "MODEL_UNAVAILABLE",
 *             "message": "The model did not answer.",
 *             "retryable": true
 *           },
 *           "lease": null,
 *           "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
 *           "start_before": "2026-03-02T09:35:00.500Z",
 *           "created_at": "2026-03-02T09:30:00.500Z",
 *           "updated_at": "2026-03-02T09:30:01.250Z",
 *           "finished_at": "2026-03-02T09:30:01.250Z"
 *         }
 *       ]
 *     }
 */
export interface RunRecordList {
    runs: RunRecord[];
}
/**
 * @description The run and all its records. Events whose retention has ended are missing. Only the first 50,000 events of the conversation since the admission of the run are examined.
 * @example {
 *       "run": {
 *         "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *         "app_id": "app_demo",
 *         "subject": "customer-4711",
 *         "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *         "generation": 1,
 *         "endpoint_id": "ep_echo",
 *         "device_id": "dev_demo",
 *         "binding_version": 3,
 *         "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *         "state": "running",
 *         "delivery_state": "device_received",
 *         "error": null,
 *         "lease": {
 *           "process_id": "7d0c3b60-6b7b-4a67-9a3d-0c8c0f1f8a11",
 *           "alive": true,
 *           "expires_at": "2026-03-02T09:30:15.000Z"
 *         },
 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
 *         "start_before": "2026-03-02T09:35:00.500Z",
 *         "created_at": "2026-03-02T09:30:00.500Z",
 *         "updated_at": "2026-03-02T09:30:00.600Z",
 *         "finished_at": null
 *       },
 *       "started_at": "2026-03-02T09:30:00.600Z",
 *       "first_output_at": "2026-03-02T09:30:00.700Z",
 *       "usage": null,
 *       "messages": [
 *         {
 *           "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *           "role": "user",
 *           "cursor": 1,
 *           "text": null,
 *           "data": null,
 *           "activities": null,
 *           "resource_ids": [],
 *           "partial": false,
 *           "created_at": "2026-03-02T09:30:00.500Z"
 *         }
 *       ],
 *       "events": [
 *         {
 *           "seq": 3,
 *           "type": "assistant.delta",
 *           "count": 12,
 *           "last_seq": 14,
 *           "state": null,
 *           "error_code": null,
 *           "activity": null,
 *           "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *           "created_at": "2026-03-02T09:30:00.700Z",
 *           "last_at": "2026-03-02T09:30:01.100Z"
 *         }
 *       ],
 *       "approvals": [],
 *       "stops": [],
 *       "deliveries": []
 *     }
 */
export interface RunTimeline {
    run: RunRecord;
    /** @description When execution began; null before that, and once the event is no longer retained. */
    started_at: NullableTimestamp;
    /** @description When the first piece of an answer arrived; null before that, and once the event is no longer retained. */
    first_output_at: NullableTimestamp;
    /** @description The usage (D-71); null if the assistant does not report it, and once the result is no longer retained. */
    usage: RunUsage | null;
    /** @description The input and the answers, by cursor. */
    messages: TimelineMessage[];
    /** @description By seq. */
    events: TimelineEvent[];
    /** @description The approvals that the run waited for, oldest first. */
    approvals: Approval[];
    /** @description Oldest first. */
    stops: TimelineStop[];
    /** @description The callbacks about the run, with the outcome of each attempt; by seq. */
    deliveries: DeliveryWithAttempts[];
}
/**
 * @description A callback configuration with its secret, which is shown only now (D-36).
 * @example {
 *       "callback_id": "cb_0199d39e00037aaab122334455667788",
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "device_id": "dev_demo",
 *       "url": "https://orders.example.com/assistant/events",
 *       "events": [
 *         "run.completed",
 *         "run.failed"
 *       ],
 *       "enabled": true,
 *       "version": 1,
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "updated_at": "2026-03-01T08:00:00.000Z",
 *       "secret": "whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e"
 *     }
 */
export interface SavedCallback {
    callback_id: CallbackId;
    app_id: AppId;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    url: ShownCallbackUrl;
    events: CallbackEvents;
    enabled: boolean;
    /**
     * Format: int64
     * @description Grows by 1 when the URL changes or the secret is rotated.
     */
    version: number;
    /** @description Until this time callbacks are signed with the secret from before the rotation; null if they are signed with the current one. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    secret: Secret;
}
/**
 * @description A published service. `secret` is present if this request created one: the publication of the first `http` assistant, or a rotation. The secret is shown only now (D-66).
 * @example {
 *       "endpoint_id": "ep_echo",
 *       "app_id": "app_demo",
 *       "device_id": "dev_demo",
 *       "name": null,
 *       "binding_version": 3,
 *       "compatibility": "compatible",
 *       "assistant": {
 *         "type": "echo"
 *       },
 *       "accepts": [
 *         "text/*"
 *       ],
 *       "input_schema": null,
 *       "output_schema": null,
 *       "context_activities": false,
 *       "max_run_seconds": 3600,
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "published_at": "2026-03-01T12:00:00.000Z"
 *     }
 * @example {
 *       "endpoint_id": "ep_echo",
 *       "app_id": "app_demo",
 *       "device_id": "dev_demo",
 *       "name": null,
 *       "binding_version": 3,
 *       "compatibility": "compatible",
 *       "assistant": {
 *         "type": "http",
 *         "url": "https://agents.example.com/orders"
 *       },
 *       "accepts": [
 *         "text/*"
 *       ],
 *       "input_schema": null,
 *       "output_schema": null,
 *       "context_activities": false,
 *       "max_run_seconds": 3600,
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "published_at": "2026-03-01T12:00:00.000Z",
 *       "secret": "whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e"
 *     }
 */
export interface SavedEndpoint {
    endpoint_id: EndpointId;
    app_id: AppId;
    device_id: DeviceId;
    name: NullableName;
    binding_version: BindingVersion;
    compatibility: Compatibility;
    assistant: Assistant;
    /** @description Media types of attachments that the service accepts. */
    accepts: MediaRange[];
    input_schema: NullableSchema;
    output_schema: NullableSchema;
    context_activities: ContextActivities;
    max_run_seconds: MaxRunSeconds;
    /** @description Until this time requests to an `http` assistant are signed with the secret from before the rotation; null if they are signed with the current one. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    /** @description When the current version was published. */
    published_at: Timestamp;
    secret?: Secret;
}
/**
 * @description An integration with its secret, which is shown only now (D-36).
 * @example {
 *       "integration_id": "wh_0199d39e00027aaab122334455667788",
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "subject": "order-system",
 *       "event_type_field": "type",
 *       "event_types": [
 *         "order.question"
 *       ],
 *       "action": "message",
 *       "match": "key",
 *       "message_field": "customer.message",
 *       "conversation_key_field": "order.id",
 *       "enabled": true,
 *       "url": "https://gateway.example.com/api/v1/webhooks/wh_0199d39e00027aaab122334455667788",
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "updated_at": "2026-03-01T08:00:00.000Z",
 *       "secret": "whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e"
 *     }
 */
export interface SavedWebhook {
    integration_id: IntegrationId;
    app_id: AppId;
    endpoint_id: EndpointId;
    subject: Subject;
    event_type_field: FieldPath;
    event_types: string[];
    action: WebhookAction;
    message_field?: FieldPath;
    data_field?: FieldPath;
    resource_ids_field?: FieldPath;
    match?: WebhookMatch;
    conversation_key_field?: FieldPath;
    conversation_id_field?: FieldPath;
    generation_field?: FieldPath;
    run_id_field?: FieldPath;
    busy_policy?: BusyPolicy;
    enabled: boolean;
    /**
     * Format: uri
     * @description The full receiving URL; rotating the secret keeps it.
     */
    url: string;
    /** @description Until this time the secret from before the rotation is accepted too; null if only the current one is accepted. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    secret: Secret;
}
/**
 * @description What a key may do (D-06).
 * @example conversations:read
 * @enum {string}
 */
export type Scope = "conversations:read" | "conversations:write" | "runs:read" | "runs:write";
/**
 * @description Follows the steps in `input.data.script` (D-45); without them it behaves like echo.
 * @example {
 *       "type": "script"
 *     }
 */
export interface ScriptAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "script";
}
/**
 * @description Key of the signatures: the UTF-8 bytes of this literal text. Generated with 256 random bits, shown only when the record is saved or the secret is rotated (D-36).
 * @example whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e
 */
export type Secret = string;
/**
 * Format: int64
 * @description Position in the conversation's event log. Starts at 1 per conversation, grows by 1 without gaps in commit order and survives resets (D-28). 0 is the position before the first event.
 * @example 42
 */
export type Seq = number;
/**
 * @description The session of one worker. Opaque.
 * @example ws_0199d3a1c0f17a44b5c6d7e8f9011223
 */
export type SessionId = string;
/**
 * Format: uri
 * @description The URL with `***` in place of a query, which may hold a token. Sending it back unchanged keeps the stored URL.
 * @example https://orders.example.com/assistant/events?***
 */
export type ShownCallbackUrl = string;
/**
 * @description An event of the run, or all pieces of one streamed message together, or all changes of one activity.
 * @example {
 *       "seq": 3,
 *       "type": "assistant.delta",
 *       "count": 12,
 *       "last_seq": 14,
 *       "state": null,
 *       "error_code": null,
 *       "activity": null,
 *       "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *       "created_at": "2026-03-02T09:30:00.700Z",
 *       "last_at": "2026-03-02T09:30:01.100Z"
 *     }
 */
export interface TimelineEvent {
    seq: Seq;
    /** @description The type of the event, as in the conversation's events. */
    type: string;
    /**
     * Format: int64
     * @description How many events this entry represents; more than 1 only for `assistant.delta` and `assistant.activity`.
     */
    count: number;
    last_seq: Seq;
    /** @description The state that the run entered; null if the event is about something else. */
    state: string | null;
    /** @description Why the run failed; null for any other event. */
    error_code: string | null;
    /** @description The activity (D-69), as far as retained events describe it; null for any other event. */
    activity: {
        activity_id: string;
        /** @description null once its first event is no longer retained. */
        kind: string | null;
        /** @description null once its first event is no longer retained. */
        name: string | null;
        state: string | null;
    } | null;
    /** @description The message that the event is about. */
    message_id: string | null;
    created_at: Timestamp;
    /** @description When the last of these events occurred. */
    last_at: Timestamp;
}
/**
 * @description A message of the run. Its content is null unless it was requested.
 * @example {
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "role": "user",
 *       "cursor": 1,
 *       "text": null,
 *       "data": null,
 *       "activities": null,
 *       "resource_ids": [],
 *       "partial": false,
 *       "created_at": "2026-03-02T09:30:00.500Z"
 *     }
 */
export interface TimelineMessage {
    message_id: MessageId;
    /** @description Who wrote it. Open (D-15). */
    role: "user" | "assistant" | (string & {});
    /**
     * Format: int64
     * @description Position among the conversation's messages.
     */
    cursor: number;
    text: string | null;
    data: {
        [key: string]: unknown;
    } | null;
    /** @description The activities of the assistant for this answer (D-69); null unless contents were requested. */
    activities: Activity[] | null;
    /** @description Attachments of an input message. */
    resource_ids: ResourceId[];
    /** @description True while the message is being written, or if its run ended before the message was complete. */
    partial: boolean;
    created_at: Timestamp;
}
/**
 * @description A cancel of the run, or a reset that stopped it.
 * @example {
 *       "operation_id": "op_0199d3a2f0a17c66d7e8f90112233445",
 *       "kind": "cancel",
 *       "state": "succeeded",
 *       "created_at": "2026-03-02T09:30:01.000Z",
 *       "updated_at": "2026-03-02T09:30:01.200Z"
 *     }
 */
export interface TimelineStop {
    operation_id: OperationId;
    /** @description Open (D-15). */
    kind: "cancel" | "reset" | (string & {});
    /** @description The state of the operation. */
    state: string;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * @description The message of the rehearsal.
 * @example {
 *       "text": "Where is my order?"
 *     }
 */
export interface TryEndpoint {
    /** @default Hello */
    text?: string;
}
/**
 * @description Callbacks that have not reached their receiver, by state.
 * @example {
 *       "pending": 2,
 *       "sending": 1,
 *       "needs_action": 0,
 *       "expired": 0,
 *       "cancelled_config_changed": 0
 *     }
 */
export interface UndeliveredCallbacks {
    /** Format: int64 */
    pending: number;
    /** Format: int64 */
    sending: number;
    /** Format: int64 */
    needs_action: number;
    /** Format: int64 */
    expired: number;
    /** Format: int64 */
    cancelled_config_changed: number;
}
/**
 * @description Unfinished runs by state.
 * @example {
 *       "queued": 3,
 *       "running": 4,
 *       "waiting_approval": 0,
 *       "cancelling": 0,
 *       "reconciling": 0
 *     }
 */
export interface UnfinishedRuns {
    /** Format: int64 */
    queued: number;
    /** Format: int64 */
    running: number;
    /** Format: int64 */
    waiting_approval: number;
    /** Format: int64 */
    cancelling: number;
    /** Format: int64 */
    reconciling: number;
}
/**
 * @description What to change; members that are left out stay as they are.
 * @example {
 *       "state": "disabled"
 *     }
 * @example {
 *       "pending_limit": 500,
 *       "rate_limit_per_second": null
 *     }
 */
export interface UpdateApp {
    name?: NullableName;
    /** @enum {string} */
    state?: "active" | "disabled";
    /** @description Unfinished runs of the application; null for the default, 200 (D-24). */
    pending_limit?: Limit;
    rate_limit_per_second?: RateLimit;
    /** @description Concurrent event streams of the application; null for the default, 16. */
    stream_limit?: Limit;
    /** @description Concurrent event streams of one subject; null for the default, 4. */
    subject_stream_limit?: Limit;
}
/**
 * @description What to change; members that are left out stay as they are. A changed URL makes a new configuration version. That and disabling cancel pending deliveries (D-38). To change the secret, rotate it.
 * @example {
 *       "enabled": false
 *     }
 */
export interface UpdateCallback {
    url?: CallbackUrl;
    events?: CallbackEvents;
    enabled?: boolean;
}
/**
 * @description What to change; members that are left out stay as they are.
 * @example {
 *       "pending_limit": 5000
 *     }
 */
export interface UpdateDevice {
    name?: NullableName;
    /** @description Unfinished runs on the device; null for the default, 1000 (D-24). */
    pending_limit?: Limit;
    /** @description Concurrent event streams over the device's conversations; null for the default, 32. */
    stream_limit?: Limit;
}
/**
 * @description What to change; members that are left out stay as they are, and null removes a field path. A result that does not fit its action is 400. To change the secret, rotate it.
 * @example {
 *       "enabled": false
 *     }
 * @example {
 *       "event_types": [
 *         "order.question",
 *         "order.complaint"
 *       ],
 *       "data_field": null
 *     }
 */
export interface UpdateWebhook {
    /** @description The published service of that application that handles the events; an unknown one is 404 NOT_FOUND. */
    endpoint_id?: string;
    /** @description The fixed business subject. A subject in the body cannot override it. */
    subject?: NamedSubject;
    event_type_field?: FieldPath;
    /** @description The exact event types that are accepted; any other gets 403. */
    event_types?: string[];
    action?: WebhookAction;
    message_field?: NullableFieldPath;
    data_field?: NullableFieldPath;
    resource_ids_field?: NullableFieldPath;
    match?: WebhookMatch;
    conversation_key_field?: NullableFieldPath;
    conversation_id_field?: NullableFieldPath;
    generation_field?: NullableFieldPath;
    run_id_field?: NullableFieldPath;
    busy_policy?: BusyPolicy;
    enabled?: boolean;
}
/**
 * @description Days on which an application used nothing are missing.
 * @example {
 *       "usage": [
 *         {
 *           "app_id": "app_demo",
 *           "endpoint_id": null,
 *           "day": "2026-03-02",
 *           "admitted": 1200,
 *           "succeeded": 1180,
 *           "failed": 12,
 *           "cancelled": 6,
 *           "interrupted": 0,
 *           "expired": 1,
 *           "unfinished": 1,
 *           "input_tokens": 812000,
 *           "output_tokens": 96000,
 *           "costs": [
 *             {
 *               "amount": "12.30",
 *               "currency": "EUR"
 *             }
 *           ]
 *         }
 *       ]
 *     }
 */
export interface Usage {
    /** @description Newest day first; at most 10,000 lines. */
    usage: UsageOfDay[];
}
/**
 * @description What one application used on one day.
 * @example {
 *       "app_id": "app_demo",
 *       "endpoint_id": null,
 *       "day": "2026-03-02",
 *       "admitted": 1200,
 *       "succeeded": 1180,
 *       "failed": 12,
 *       "cancelled": 6,
 *       "interrupted": 0,
 *       "expired": 1,
 *       "unfinished": 1,
 *       "input_tokens": 812000,
 *       "output_tokens": 96000,
 *       "costs": [
 *         {
 *           "amount": "12.30",
 *           "currency": "EUR"
 *         }
 *       ]
 *     }
 */
export interface UsageOfDay {
    app_id: AppId;
    /** @description The service if usage is requested by service, otherwise null. */
    endpoint_id: EndpointId | null;
    /**
     * Format: date
     * @description The day of admission, in UTC.
     */
    day: string;
    /** Format: int64 */
    admitted: number;
    /** Format: int64 */
    succeeded: number;
    /** Format: int64 */
    failed: number;
    /** Format: int64 */
    cancelled: number;
    /** Format: int64 */
    interrupted: number;
    /** Format: int64 */
    expired: number;
    /** Format: int64 */
    unfinished: number;
    /**
     * Format: int64
     * @description The usage that the assistants of these runs reported (D-71).
     */
    input_tokens: number;
    /** Format: int64 */
    output_tokens: number;
    /** @description The costs that the assistants of these runs reported; a sum for each currency. */
    costs: {
        /** @description A decimal number. */
        amount: string;
        currency: string;
    }[];
}
/**
 * @description An integration without its secret. Settings that were not given are absent.
 * @example {
 *       "integration_id": "wh_0199d39e00027aaab122334455667788",
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_echo",
 *       "subject": "order-system",
 *       "event_type_field": "type",
 *       "event_types": [
 *         "order.question"
 *       ],
 *       "action": "message",
 *       "match": "key",
 *       "message_field": "customer.message",
 *       "conversation_key_field": "order.id",
 *       "enabled": true,
 *       "url": "https://gateway.example.com/api/v1/webhooks/wh_0199d39e00027aaab122334455667788",
 *       "previous_secret_expires_at": null,
 *       "created_at": "2026-03-01T08:00:00.000Z",
 *       "updated_at": "2026-03-01T08:00:00.000Z"
 *     }
 */
export interface Webhook {
    integration_id: IntegrationId;
    app_id: AppId;
    endpoint_id: EndpointId;
    subject: Subject;
    event_type_field: FieldPath;
    event_types: string[];
    action: WebhookAction;
    message_field?: FieldPath;
    data_field?: FieldPath;
    resource_ids_field?: FieldPath;
    match?: WebhookMatch;
    conversation_key_field?: FieldPath;
    conversation_id_field?: FieldPath;
    generation_field?: FieldPath;
    run_id_field?: FieldPath;
    busy_policy?: BusyPolicy;
    enabled: boolean;
    /**
     * Format: uri
     * @description The full receiving URL; rotating the secret keeps it.
     */
    url: string;
    /** @description Until this time the secret from before the rotation is accepted too; null if only the current one is accepted. */
    previous_secret_expires_at: NullableTimestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
}
/**
 * @description `new`: each event creates a conversation. `message`: each event continues one. `reset` and `cancel`: each event resets a conversation or cancels a run; read the operation to confirm it.
 * @example message
 * @enum {string}
 */
export type WebhookAction = "new" | "message" | "reset" | "cancel";
/**
 * @description One page, newest first. An empty page ends the list.
 * @example {
 *       "webhooks": [
 *         {
 *           "integration_id": "wh_0199d39e00027aaab122334455667788",
 *           "app_id": "app_demo",
 *           "endpoint_id": "ep_echo",
 *           "subject": "order-system",
 *           "event_type_field": "type",
 *           "event_types": [
 *             "order.question"
 *           ],
 *           "action": "message",
 *           "match": "key",
 *           "message_field": "customer.message",
 *           "conversation_key_field": "order.id",
 *           "enabled": true,
 *           "url": "https://gateway.example.com/api/v1/webhooks/wh_0199d39e00027aaab122334455667788",
 *           "previous_secret_expires_at": null,
 *           "created_at": "2026-03-01T08:00:00.000Z",
 *           "updated_at": "2026-03-01T08:00:00.000Z"
 *         }
 *       ]
 *     }
 */
export interface WebhookList {
    webhooks: Webhook[];
}
/**
 * @description How `message` finds its conversation: by business key, creating the conversation if needed, or by ID with the current generation.
 * @default key
 * @example key
 * @enum {string}
 */
export type WebhookMatch = "key" | "id";
/**
 * @description An assistant that is part of the device's workers (D-67). The gateway does not execute runs of the service itself: they wait for a worker that has a key of the device.
 * @example {
 *       "type": "worker"
 *     }
 */
export interface WorkerAssistant {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "worker";
}
export interface operations {
    listApps: {
        parameters: {
            query?: ListAppsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AppList;
                };
            };
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateApp;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
        };
    };
    getApp: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateApp;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: ListKeysQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": KeyList;
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateKey;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedKey;
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                key_id: KeyId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Key;
                };
            };
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                subject: NamedSubject;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
        };
    };
    listEndpoints: {
        parameters: {
            query?: ListEndpointsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndpointList;
                };
            };
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateEndpoint;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                endpoint_id: EndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Endpoint;
                };
            };
        };
    };
    publishVersion: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                endpoint_id: EndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PublishVersion;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: RotateEndpointSecretQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                endpoint_id: EndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
        };
    };
    tryEndpoint: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                app_id: AppId;
                endpoint_id: EndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TryEndpoint;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndpointTrial;
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: ListDevicesQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceList;
                };
            };
        };
    };
    createDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateDevice;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    getDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    updateDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateDevice;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    pauseDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    resumeDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    disableDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    enableDevice: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
        };
    };
    listDeviceKeys: {
        parameters: {
            query?: ListDeviceKeysQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceKeyList;
                };
            };
        };
    };
    createDeviceKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateDeviceKey;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedDeviceKey;
                };
            };
        };
    };
    revokeDeviceKey: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
                key_id: KeyId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceKey;
                };
            };
        };
    };
    listDeviceSessions: {
        parameters: {
            query?: ListDeviceSessionsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                device_id: DeviceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceSessionList;
                };
            };
        };
    };
    listOperators: {
        parameters: {
            query?: ListOperatorsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OperatorList;
                };
            };
        };
    };
    createOperator: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateOperator;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedOperator;
                };
            };
        };
    };
    revokeOperator: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                operator_id: OperatorId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Operator;
                };
            };
        };
    };
    getOperatorSelf: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OperatorSelf;
                };
            };
        };
    };
    listAuditRecords: {
        parameters: {
            query?: ListAuditRecordsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AuditRecordList;
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: ListUsageQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Usage;
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Overview;
                };
            };
        };
    };
    getOverviewHistory: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OverviewHistory;
                };
            };
        };
    };
    listRunRecords: {
        parameters: {
            query?: ListRunRecordsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecordList;
                };
            };
        };
    };
    getRunRecord: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecord;
                };
            };
        };
    };
    cancelRunRecord: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecord;
                };
            };
        };
    };
    cancelRunRecords: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CancelRuns;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunCancellations;
                };
            };
        };
    };
    getRunTimeline: {
        parameters: {
            query?: GetRunTimelineQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunTimeline;
                };
            };
        };
    };
    listConversationRecords: {
        parameters: {
            query?: ListConversationRecordsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecordList;
                };
            };
        };
    };
    listMessageRecords: {
        parameters: {
            query?: ListMessageRecordsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": MessageRecordList;
                };
            };
        };
    };
    cancelConversationWork: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecord;
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: ListApprovalsQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ApprovalList;
                };
            };
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                approval_id: ApprovalId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DecideApproval;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Approval;
                };
            };
        };
    };
    getAdmission: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AdmissionSwitch;
                };
            };
        };
    };
    setAdmission: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AdmissionSwitch;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AdmissionSwitch;
                };
            };
        };
    };
    pruneEvents: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PruneEvents;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PrunedEvents;
                };
            };
        };
    };
    markRestored: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RestoredMark;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: ListWebhooksQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookList;
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateWebhook;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedWebhook;
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                integration_id: IntegrationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Webhook;
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                integration_id: IntegrationId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateWebhook;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Webhook;
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: RotateWebhookSecretQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                integration_id: IntegrationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedWebhook;
                };
            };
        };
    };
    listCallbacks: {
        parameters: {
            query?: ListCallbacksQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CallbackList;
                };
            };
        };
    };
    createCallback: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateCallback;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedCallback;
                };
            };
        };
    };
    getCallback: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                callback_id: CallbackId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Callback;
                };
            };
        };
    };
    updateCallback: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                callback_id: CallbackId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateCallback;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Callback;
                };
            };
        };
    };
    rotateCallbackSecret: {
        parameters: {
            query?: RotateCallbackSecretQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                callback_id: CallbackId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedCallback;
                };
            };
        };
    };
    reencryptSecrets: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReencryptedSecrets;
                };
            };
        };
    };
    getConversationRecord: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecord;
                };
            };
        };
    };
    eraseConversation: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                erasure_id: ErasureId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: ListDeliveriesQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryList;
                };
            };
        };
    };
    retryDeliveries: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RetryDeliveries;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryRetries;
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: GetDeliveryQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                delivery_id: DeliveryId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryDetails;
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                delivery_id: DeliveryId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Delivery;
                };
            };
        };
    };
}
export interface ListAppsQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListKeysQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListEndpointsQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface RotateEndpointSecretQuery {
    /**
     * @description How many seconds the old secret stays in use after the rotation, at most 24 hours. Default 0: the gateway stops using it at once, as is necessary after a leak.
     * @example 3600
     */
    overlap_seconds?: number;
}
export interface ListDevicesQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListDeviceKeysQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListDeviceSessionsQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListOperatorsQuery {
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListAuditRecordsQuery {
    /** @description Only records of the operator with this name. */
    operator?: Name;
    /**
     * @description Only records of this operation, given by its `operationId`.
     * @example revokeKey
     */
    operation?: string;
    /**
     * @description Only what was created at this time or later, RFC 3339 with a timezone.
     * @example 2026-03-02T09:00:00Z
     */
    created_after?: string;
    /**
     * @description Only what was created before this time, RFC 3339 with a timezone.
     * @example 2026-03-02T10:00:00Z
     */
    created_before?: string;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListUsageQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /**
     * @description `service` counts each service of an application separately.
     * @example service
     */
    by?: "application" | "service";
    /**
     * @description Only what was created at this time or later, RFC 3339 with a timezone.
     * @example 2026-03-02T09:00:00Z
     */
    created_after?: string;
    /**
     * @description Only what was created before this time, RFC 3339 with a timezone.
     * @example 2026-03-02T10:00:00Z
     */
    created_before?: string;
}
export interface ListRunRecordsQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /** @description Only what belongs to this subject. Needs `app_id`, because each application has its own subjects. */
    subject?: NamedSubject;
    /** @description Only runs of this conversation. */
    conversation_id?: ConversationId;
    /** @description Only runs of this service. */
    endpoint_id?: EndpointId;
    /** @description Only runs of this device. */
    device_id?: DeviceId;
    /**
     * @description Only runs in this state.
     * @example failed
     */
    state?: "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired";
    /**
     * @description Only runs that ended with this error code.
     * @example ASSISTANT_ERROR
     */
    error_code?: string;
    /**
     * @description Only what was created at this time or later, RFC 3339 with a timezone.
     * @example 2026-03-02T09:00:00Z
     */
    created_after?: string;
    /**
     * @description Only what was created before this time, RFC 3339 with a timezone.
     * @example 2026-03-02T10:00:00Z
     */
    created_before?: string;
    /**
     * @description Only what was created at least this many seconds ago, such as runs that have waited for a long time.
     * @example 300
     */
    older_than_seconds?: number;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface GetRunTimelineQuery {
    /**
     * @description Whether the texts and data of messages are shown.
     * @example false
     */
    include_text?: boolean;
}
export interface ListConversationRecordsQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /** @description Only what belongs to this subject. Needs `app_id`, because each application has its own subjects. */
    subject?: NamedSubject;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListMessageRecordsQuery {
    /**
     * @description Whether the texts and data of messages are shown.
     * @example false
     */
    include_text?: boolean;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The smallest cursor of the previous page; neither a message ID nor an SSE sequence number.
     * @example 41
     */
    before?: number;
}
export interface ListApprovalsQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /**
     * @description Only approvals in this state.
     * @example pending
     */
    state?: "pending" | "approved" | "denied" | "withdrawn";
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface ListWebhooksQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface RotateWebhookSecretQuery {
    /**
     * @description How many seconds the old secret stays in use after the rotation, at most 24 hours. Default 0: the gateway stops using it at once, as is necessary after a leak.
     * @example 3600
     */
    overlap_seconds?: number;
}
export interface ListCallbacksQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface RotateCallbackSecretQuery {
    /**
     * @description How many seconds the old secret stays in use after the rotation, at most 24 hours. Default 0: the gateway stops using it at once, as is necessary after a leak.
     * @example 3600
     */
    overlap_seconds?: number;
}
export interface ListDeliveriesQuery {
    /** @description Only records of this application. */
    app_id?: AppId;
    /** @description Only deliveries of this configuration. */
    callback_id?: CallbackId;
    /**
     * @description Only deliveries in this state.
     * @example needs_action
     */
    state?: "pending" | "sending" | "delivered" | "needs_action" | "expired" | "cancelled_config_changed";
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /**
     * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
     * @example dlv_0199d3a1c1b17d77e8f9011223344556
     */
    before?: string;
}
export interface GetDeliveryQuery {
    /**
     * @description Whether the texts and data of messages are shown.
     * @example false
     */
    include_text?: boolean;
}
