// Generated from openapi/bootstrap.schema.yaml by `npm run generate`. Do not edit.

import type { Assistant, CallbackEvents, CallbackUrl, CreateWebhook, Limit, MediaRange, Name, NullableSchema, RateLimit, Scope, Secret } from './admin.ts'
export type { Assistant, BusyPolicy, CallbackEventType, CallbackEvents, CallbackUrl, ChosenId, CreateWebhook, EchoAssistant, FieldPath, HttpAssistant, Limit, MediaRange, ModuleAssistant, Name, NamedSubject, NullableSchema, OpenaiAssistant, RateLimit, Scope, ScriptAssistant, Secret, WebhookAction, WebhookMatch, WorkerAssistant } from './admin.ts'

/**
 * Bootstrap file
 * @description Applications, devices, services, webhook integrations and callback configurations that exist once the gateway has started. Applying the file again changes nothing; a changed entry changes its record.
 * @example {
 *       "apps": [
 *         {
 *           "app_id": "app_demo",
 *           "owner_id": "owner_demo",
 *           "keys": [
 *             {
 *               "key": "gk_demo_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1",
 *               "scopes": [
 *                 "conversations:read",
 *                 "conversations:write",
 *                 "runs:read",
 *                 "runs:write"
 *               ]
 *             }
 *           ]
 *         }
 *       ],
 *       "devices": [
 *         {
 *           "device_id": "dev_demo"
 *         }
 *       ],
 *       "endpoints": [
 *         {
 *           "endpoint_id": "ep_script",
 *           "app_id": "app_demo",
 *           "device_id": "dev_demo",
 *           "assistant": {
 *             "type": "script"
 *           },
 *           "accepts": [
 *             "text/*"
 *           ]
 *         }
 *       ],
 *       "webhooks": [
 *         {
 *           "integration_id": "wh_orders",
 *           "app_id": "app_demo",
 *           "endpoint_id": "ep_script",
 *           "secret": "whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e",
 *           "subject": "order-system",
 *           "event_type_field": "type",
 *           "event_types": [
 *             "order.question"
 *           ],
 *           "action": "message",
 *           "match": "key",
 *           "message_field": "customer.message",
 *           "conversation_key_field": "order.id",
 *           "enabled": true
 *         }
 *       ],
 *       "callbacks": [
 *         {
 *           "callback_id": "cb_orders",
 *           "endpoint_id": "ep_script",
 *           "url": "https://orders.example.com/assistant/events",
 *           "events": [
 *             "run.completed",
 *             "run.failed"
 *           ],
 *           "secret": "whsec_0f9e8d7c6b5a49382716f5e4d3c2b1a0918273645546372819a0b1c2d3e4f506",
 *           "enabled": true
 *         }
 *       ]
 *     }
 */
export interface Bootstrap {
    /** @description For editors; ignored. */
    $schema?: string;
    apps?: BootstrapApp[];
    devices?: BootstrapDevice[];
    endpoints?: BootstrapEndpoint[];
    webhooks?: BootstrapWebhook[];
    callbacks?: BootstrapCallback[];
}
/**
 * @description An application and its keys. A key that is missing from a later version of the file stays valid; revoke it.
 * @example {
 *       "app_id": "app_demo",
 *       "owner_id": "owner_demo",
 *       "keys": [
 *         {
 *           "key": "gk_demo_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1",
 *           "scopes": [
 *             "conversations:read",
 *             "conversations:write",
 *             "runs:read",
 *             "runs:write"
 *           ]
 *         }
 *       ]
 *     }
 */
export interface BootstrapApp {
    app_id: BootstrapId;
    owner_id: string;
    name?: Name;
    pending_limit?: Limit;
    rate_limit_per_second?: RateLimit;
    stream_limit?: Limit;
    subject_stream_limit?: Limit;
    keys?: BootstrapKey[];
}
/**
 * @description A callback configuration with its ID and secret.
 * @example {
 *       "callback_id": "cb_orders",
 *       "endpoint_id": "ep_script",
 *       "url": "https://orders.example.com/assistant/events",
 *       "events": [
 *         "run.completed",
 *         "run.failed"
 *       ],
 *       "secret": "whsec_0f9e8d7c6b5a49382716f5e4d3c2b1a0918273645546372819a0b1c2d3e4f506",
 *       "enabled": true
 *     }
 */
export interface BootstrapCallback {
    callback_id: BootstrapId;
    /** @description Needed only if services of several applications have the same ID. */
    app_id?: BootstrapId;
    endpoint_id: BootstrapId;
    url: CallbackUrl;
    events: CallbackEvents;
    secret: Secret;
    /** @default true */
    enabled?: boolean;
}
/**
 * @description A device.
 * @example {
 *       "device_id": "dev_demo"
 *     }
 */
export interface BootstrapDevice {
    device_id: BootstrapId;
    name?: Name;
    pending_limit?: Limit;
    stream_limit?: Limit;
}
/**
 * @description A published service. A change of the assistant, the accepted types, the schemas, `context_activities` or `max_run_seconds` is published as the next, compatible version.
 * @example {
 *       "endpoint_id": "ep_script",
 *       "app_id": "app_demo",
 *       "device_id": "dev_demo",
 *       "assistant": {
 *         "type": "script"
 *       },
 *       "accepts": [
 *         "text/*"
 *       ]
 *     }
 */
export interface BootstrapEndpoint {
    endpoint_id: BootstrapId;
    app_id: BootstrapId;
    device_id: BootstrapId;
    name?: Name;
    /** @description Default `{ "type": "echo" }`. */
    assistant?: Assistant;
    /** @description The secret that signs the requests to an `http` assistant; required for one. A rotated secret stays in use until this value changes. */
    secret?: Secret;
    /** @description Media types of attachments that the service accepts. Default none. */
    accepts?: MediaRange[];
    /** @description JSON Schema that `input.data` has to match (D-70). Without it the service keeps its present schema; null removes it. */
    input_schema?: NullableSchema;
    /** @description JSON Schema that `result.data` has to match (D-70). Without it the service keeps its present schema; null removes it. */
    output_schema?: NullableSchema;
    /** @description Whether runs get the activities of earlier answers as context (D-69). Without it the service keeps its present setting; a new service has false. */
    context_activities?: boolean;
    /**
     * Format: int32
     * @description Longest execution of one run, in seconds (D-59). Without it the service keeps its present setting; a new service has 3600.
     */
    max_run_seconds?: number;
}
/**
 * @description An ID chosen by the author of the file, unique among records of its kind.
 * @example app_demo
 */
export type BootstrapId = string;
/**
 * @description An application key, chosen by the author of the file. Give it 256 random bits and the form `gk_<key id>_<secret>`, as generated keys have; any bearer token is accepted.
 * @example {
 *       "key": "gk_demo_Zk3v9QmT1xR7aB5cD8eF2gH4jK6lM0nPqS-uV_wXyZ1",
 *       "scopes": [
 *         "conversations:read",
 *         "conversations:write",
 *         "runs:read",
 *         "runs:write"
 *       ]
 *     }
 */
export interface BootstrapKey {
    key: string;
    scopes: Scope[];
}
/**
 * @description A webhook integration with its ID and secret.
 * @example {
 *       "integration_id": "wh_orders",
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_script",
 *       "secret": "whsec_6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e",
 *       "subject": "order-system",
 *       "event_type_field": "type",
 *       "event_types": [
 *         "order.question"
 *       ],
 *       "action": "message",
 *       "match": "key",
 *       "message_field": "customer.message",
 *       "conversation_key_field": "order.id",
 *       "enabled": true
 *     }
 */
export type BootstrapWebhook = WithRequired<CreateWebhook, "integration_id" | "secret">;
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
export type operations = Record<string, never>;
