// Generated from openapi/bootstrap.schema.yaml by `pnpm generate`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Assistant: Assistant;
        Bootstrap: Bootstrap;
        BootstrapApp: BootstrapApp;
        BootstrapCallback: BootstrapCallback;
        BootstrapDevice: BootstrapDevice;
        BootstrapEndpoint: BootstrapEndpoint;
        BootstrapId: BootstrapId;
        BootstrapKey: BootstrapKey;
        BootstrapWebhook: BootstrapWebhook;
        BusyPolicy: BusyPolicy;
        CallbackEventType: CallbackEventType;
        CallbackEvents: CallbackEvents;
        CallbackUrl: CallbackUrl;
        ChosenId: ChosenId;
        CreateWebhook: CreateWebhook;
        EchoAssistant: EchoAssistant;
        FieldPath: FieldPath;
        HttpAssistant: HttpAssistant;
        Limit: Limit;
        MediaRange: MediaRange;
        ModuleAssistant: ModuleAssistant;
        Name: Name;
        NamedSubject: NamedSubject;
        NullableSchema: NullableSchema;
        OpenaiAssistant: OpenaiAssistant;
        RateLimit: RateLimit;
        Scope: Scope;
        ScriptAssistant: ScriptAssistant;
        Secret: Secret;
        WebhookAction: WebhookAction;
        WebhookMatch: WebhookMatch;
        WorkerAssistant: WorkerAssistant;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
/**
 * @description The assistant that executes a service's runs. Its secrets stay in the environment of the worker.
 * @example {
 *       "type": "echo"
 *     }
 */
export type Assistant = EchoAssistant | ScriptAssistant | OpenaiAssistant | ModuleAssistant | HttpAssistant | WorkerAssistant;
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
 * @description An application and its keys. A key that is missing from a later version of the file stays; revoke it.
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
    /** @description Needed only when services of several applications have the same ID. */
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
 * @description A published service. A changed assistant, changed types or another time to run are published as the next, compatible version.
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
    /** @description Signs the requests to an `http` assistant, which needs one. A rotated secret stays until this one is edited. */
    secret?: Secret;
    /** @description Media types of attachments that the service accepts. Default none. */
    accepts?: MediaRange[];
    /** @description What `input.data` has to match (D-70). Without it the service keeps what it has; null removes it. */
    input_schema?: NullableSchema;
    /** @description What `result.data` has to match (D-70). Without it the service keeps what it has; null removes it. */
    output_schema?: NullableSchema;
    /** @description Whether runs get the activities of earlier answers as context (D-69). Without it the service keeps what it has; a new one does not. */
    context_activities?: boolean;
    /**
     * Format: int32
     * @description Longest execution of one run, in seconds (D-59). Without it the service keeps what it has; a new one has 3600.
     */
    max_run_seconds?: number;
}
/**
 * @description An ID as the file names it, unique among records of its kind.
 * @example app_demo
 */
export type BootstrapId = string;
/**
 * @description An application key, chosen by whoever writes the file. Give it 256 random bits and the form `gk_<key id>_<secret>`, as generated keys have; any bearer token is accepted.
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
/**
 * @description `reject` (default): any unfinished work is 409 BUSY. `cancel_and_reset`: unfinished work of this generation is cancelled, and the generation advances once it has stopped.
 * @default reject
 * @example reject
 * @enum {string}
 */
export type BusyPolicy = "reject" | "cancel_and_reset";
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
 * Format: uri
 * @description A public HTTPS URL on port 443 whose host is in the administrator's allowlist, without userinfo or fragment; anything else is 400. For local development also the exact origins of `GATEWAY_CALLBACK_DEV_TARGETS` (D-41). A query is stored encrypted and never shown again.
 * @example https://orders.example.com/assistant/events?token=6b1d0c3e9f4a
 */
export type CallbackUrl = string;
/**
 * @description An ID of the operator's choice instead of a generated one; a taken one is 409 ALREADY_EXISTS.
 * @example app_demo
 */
export type ChosenId = string;
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
     * @description Whether events are accepted; otherwise they are 403.
     * @default true
     */
    enabled?: boolean;
    secret?: Secret;
}
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
     * @description How long the service may take to send the head of its answer. The whole answer may take until the run's time is over.
     * @default 300
     */
    first_byte_seconds?: number;
}
/**
 * Format: int32
 * @description A count that may not be exceeded; null for the gateway's default.
 * @example 200
 * @example null
 */
export type Limit = number | null;
/**
 * @description A media type that the service accepts as an attachment: `type/subtype`, `type/*` or `*\/*`.
 * @example text/*
 * @example application/pdf
 */
export type MediaRange = string;
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
 * @description A business subject, as an operator names one: 1-256 code points, no control characters, white space inside allowed, none around (D-03, D-54).
 * @example customer-4711
 */
export type NamedSubject = string;
/**
 * @description A JSON Schema of draft 2020-12 (D-70), at most 64 KiB of JSON; null for none. References stay within the schema. Anything else is 400 INVALID_REQUEST that names the place.
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
    /** @description Name of the worker's environment variable that holds the key; absent for a server without one. Variables of the gateway itself (`GATEWAY_…`, `SERVICE_GATEWAY_…`, `DATABASE_URL`, `PG…`) are 400. */
    api_key_env?: string;
    system_prompt?: string;
    /**
     * @description Whether an answer that ended at the model's length limit is a success, with `result.truncated`. Otherwise such a run is `failed` with `ANSWER_TRUNCATED`, and its text is partial output.
     * @default false
     */
    accept_truncated?: boolean;
    /** @description Further members of the request to the model's server, such as `temperature`, `max_tokens` or `response_format`. Null leaves out what is sent otherwise: `stream_options: null` for a server that does not know it. `model`, `messages`, `stream` and `n` cannot be set. */
    parameters?: {
        [key: string]: unknown;
    };
    /** @description Further headers of the request, their names in lower case. They are shown to operators: a secret belongs into the variable of `api_key_env`. `authorization`, `host`, `content-*` and hop-by-hop headers cannot be set. */
    headers?: {
        [key: string]: string;
    };
}
/**
 * Format: int32
 * @description Requests a second of each key, in each process, with a burst in the proportion of the gateway's; null for the gateway's rate, by default 500 with a burst of 1,000 (D-61).
 * @example 50
 * @example null
 */
export type RateLimit = number | null;
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
 * @description `new`: each event creates a conversation. `message`: continues one. `reset` and `cancel`: control it; the operation is queried for confirmation.
 * @example message
 * @enum {string}
 */
export type WebhookAction = "new" | "message" | "reset" | "cancel";
/**
 * @description How `message` finds its conversation: by business key, creating the conversation when there is none, or by ID, whose generation must be current.
 * @default key
 * @example key
 * @enum {string}
 */
export type WebhookMatch = "key" | "id";
/**
 * @description What the device's workers have for the service (D-67). The gateway executes none of its runs itself: they wait for a worker with a key of the device.
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
export type $defs = Record<string, never>;
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
export type operations = Record<string, never>;
