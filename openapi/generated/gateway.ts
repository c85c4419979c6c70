// Generated from openapi/gateway.yaml by `npm run generate`. Do not edit.

/** Any event type that this version does not know, at run time a string like the others. */
declare enum UnknownEventType {
    unknown = "(unknown)"
}

/**
 * @description The current state of an activity.
 * @example {
 *       "activity_id": "call_1",
 *       "kind": "tool",
 *       "name": "find_order",
 *       "state": "succeeded",
 *       "input": {
 *         "order": "2026-0815"
 *       },
 *       "output": {
 *         "state": "shipped"
 *       }
 *     }
 */
export interface Activity {
    /** @description Identifies the activity within its run. */
    activity_id: string;
    /** @description `tool`, `reasoning`, `progress`, `source`, or a name that the assistant chose. */
    kind: string;
    /** @description Machine-readable name of the action, such as the tool's name. */
    name: string;
    state: ActivityState;
    /** @description Human-readable title of the action. */
    title?: string;
    /** @description Input of the activity; any JSON. */
    input?: unknown;
    /** @description Output of the activity; any JSON. */
    output?: unknown;
    /** @description Text of the activity, such as reasoning. */
    text?: string;
}
/**
 * @description Open: clients must accept other values (D-15).
 * @example running
 */
export type ActivityState = "running" | "succeeded" | "failed" | (string & {});
/**
 * @description A change of an activity. Absent members do not change.
 * @example {
 *       "activity_id": "call_1",
 *       "state": "succeeded",
 *       "output": {
 *         "state": "shipped"
 *       }
 *     }
 * @example {
 *       "activity_id": "thinking",
 *       "text_delta": "The customer asks "
 *     }
 */
export interface ActivityUpdate {
    /** @description Identifies the activity within its run. */
    activity_id: string;
    /** @description `tool`, `reasoning`, `progress`, `source`, or a name that the assistant chose. */
    kind?: string;
    /** @description Machine-readable name of the action, such as the tool's name. */
    name?: string;
    state?: ActivityState;
    /** @description Human-readable title of the action. */
    title?: string;
    /** @description Input of the activity; any JSON. */
    input?: unknown;
    /** @description Output of the activity; any JSON. */
    output?: unknown;
    /** @description Text of the activity, such as reasoning. */
    text?: string;
    /** @description A piece that is appended to `text`. */
    text_delta?: string;
}
/**
 * @description The message is stored durably. This is not a reply: its run may not have ended yet. A replay under the same Idempotency-Key returns this original answer: read the run for its current state.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "state": "queued",
 *       "event_cursor": 1
 *     }
 */
export interface Admission {
    conversation_id: ConversationId;
    generation: Generation;
    message_id: MessageId;
    run_id: RunId;
    state: RunState;
    /**
     * Format: int64
     * @description The conversation's event sequence at admission; later events of the run have a greater seq.
     */
    event_cursor: number;
}
/**
 * @description What a published service accepts and answers with.
 * @example {
 *       "endpoint_id": "ep_orders",
 *       "name": "Orders",
 *       "binding_version": 3,
 *       "accepts": [
 *         "text/*"
 *       ],
 *       "input_schema": null,
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
 */
export interface AgentEndpoint {
    endpoint_id: EndpointId;
    /** @description A name for people; null if the service has none. */
    name: string | null;
    binding_version: BindingVersion;
    /** @description Media types of attachments that a message may have. */
    accepts: string[];
    /** @description JSON Schema (draft 2020-12) that `input.data` of every message has to match (D-70); null if the service has none. */
    input_schema: {
        [key: string]: unknown;
    } | null;
    /** @description JSON Schema (draft 2020-12) of `result.data` of every run that succeeds (D-70); null if the service has none. */
    output_schema: {
        [key: string]: unknown;
    } | null;
}
/**
 * @description A customer application. Opaque.
 * @example app_demo
 */
export type AppId = string;
/**
 * @description A pending or decided approval. Opaque.
 * @example apr_0199d3a1c2c17f99a011223344556677
 */
export type ApprovalId = string;
/**
 * @description The run waits for an approval, which operators decide; no public route does.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "approval.required",
 *       "payload": {
 *         "approval_id": "apr_0199d3a1c2c17f99a011223344556677",
 *         "summary": "Refund 40 EUR to the customer"
 *       }
 *     }
 */
export interface ApprovalRequiredEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "approval.required";
    payload: {
        approval_id: ApprovalId;
        /** @description What is to be approved, in words for people. */
        summary: string;
    };
}
/**
 * @description An activity of the assistant has begun or changed (D-69). `activity` has what changed: the first event of an `activity_id` has `kind`, `name` and `state`, later ones replace the members that they name, and `text_delta` appends to `text`. The final state is in `content.activities` of the message.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *       "type": "assistant.activity",
 *       "payload": {
 *         "activity": {
 *           "activity_id": "call_1",
 *           "kind": "tool",
 *           "name": "find_order",
 *           "state": "running",
 *           "input": {
 *             "order": "2026-0815"
 *           }
 *         }
 *       }
 *     }
 */
export interface AssistantActivityEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The assistant message that is being built (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "assistant.activity";
    payload: {
        activity: ActivityUpdate;
    };
}
/**
 * @description A piece of an assistant message. The concatenated pieces of one message equal its final text (D-28); update output by `message_id` and do not show the pieces and the complete message as two answers.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *       "type": "assistant.delta",
 *       "payload": {
 *         "text": "Hel",
 *         "index": 0
 *       }
 *     }
 */
export interface AssistantDeltaEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The assistant message that is being built (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "assistant.delta";
    payload: {
        text: string;
        /**
         * Format: int64
         * @description Position of the piece in its message, from 0.
         */
        index: number;
    };
}
/**
 * @description A complete assistant message.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *       "type": "assistant.message",
 *       "payload": {
 *         "message": {
 *           "cursor": 2,
 *           "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1,
 *           "role": "assistant",
 *           "created_at": "2026-03-02T09:30:00.700Z",
 *           "content": {
 *             "text": "Hello",
 *             "partial": false
 *           }
 *         }
 *       }
 *     }
 */
export interface AssistantMessageEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The assistant message that is being built (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "assistant.message";
    payload: {
        message: Message;
    };
}
/**
 * Format: int64
 * @description Published service version that the conversation uses. Distinct from the generation.
 * @example 3
 */
export type BindingVersion = number;
/**
 * @description `reject` (default): any unfinished work is 409 BUSY. `cancel_and_reset`: unfinished work of this generation is cancelled, and the generation advances once it has stopped.
 * @default reject
 * @example reject
 * @enum {string}
 */
export type BusyPolicy = "reject" | "cancel_and_reset";
/**
 * @description An empty object; cancelling takes no options.
 * @example {}
 */
export type CancelRun = Record<string, never>;
/**
 * @description A cancel or reset was admitted. It is complete only when its operation is `succeeded` or `failed`: poll the operation.
 * @example {
 *       "operation_id": "op_0199d3a2f0a17c66d7e8f90112233445",
 *       "state": "stopping",
 *       "ref": {
 *         "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *         "generation": 1
 *       }
 *     }
 */
export interface Control {
    operation_id: OperationId;
    state: OperationState;
    ref: OperationRef;
}
/**
 * @description The full record of a conversation.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "owner_id": "owner_demo",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "endpoint_id": "ep_echo",
 *       "binding_version": 3,
 *       "generation": 1,
 *       "business_key": "order-2026-0815",
 *       "state": "active",
 *       "created_at": "2026-03-02T09:30:00.000Z"
 *     }
 */
export interface Conversation {
    conversation_id: ConversationId;
    owner_id: OwnerId;
    app_id: AppId;
    subject: Subject;
    endpoint_id: EndpointId;
    binding_version: BindingVersion;
    generation: Generation;
    /** @description The `conversation_key` that the conversation was created with; absent without one. */
    business_key?: string;
    state: ConversationState;
    created_at: Timestamp;
}
/**
 * @description Durable business conversation, reused for later messages. Opaque.
 * @example conv_0199d3a1c0de7f30a1b2c3d4e5f60718
 */
export type ConversationId = string;
/**
 * @description The application's own key for a conversation: 1-256 code points without surrounding white space, U+0000 or lone surrogates (D-62). Not an idempotency key.
 * @example order-2026-0815
 */
export type ConversationKey = string;
/**
 * @description One page of conversation records, newest first (D-13). An empty page ends the list.
 * @example {
 *       "conversations": [
 *         {
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "owner_id": "owner_demo",
 *           "app_id": "app_demo",
 *           "subject": "customer-4711",
 *           "endpoint_id": "ep_echo",
 *           "binding_version": 3,
 *           "generation": 1,
 *           "state": "active",
 *           "created_at": "2026-03-02T09:30:00.000Z"
 *         }
 *       ]
 *     }
 * @example {
 *       "conversations": []
 *     }
 */
export interface ConversationList {
    conversations: Conversation[];
}
/**
 * @description A reset completed. `generation` is the new one; the event belongs to no run and no message (D-27).
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 2,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 5,
 *       "run_id": null,
 *       "message_id": null,
 *       "type": "conversation.reset",
 *       "payload": {
 *         "operation_id": "op_0199d3a2f0a17c66d7e8f90112233445",
 *         "generation": 2,
 *         "previous_generation": 1,
 *         "binding_version": 3
 *       }
 *     }
 */
export interface ConversationResetEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: null;
    message_id: null;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "conversation.reset";
    payload: {
        operation_id: OperationId;
        generation: Generation;
        previous_generation: Generation;
        binding_version: BindingVersion;
    };
}
/**
 * @description `active` admits work; `resetting` answers new work with 409 BUSY. Open: clients must accept values that they do not know (D-15).
 * @example active
 */
export type ConversationState = "active" | "resetting" | (string & {});
/**
 * @description What a new conversation is bound to.
 * @example {
 *       "endpoint_id": "ep_echo",
 *       "conversation_key": "order-2026-0815"
 *     }
 * @example {
 *       "endpoint_id": "ep_echo"
 *     }
 */
export interface CreateConversation {
    /** @description A published service of this application; any other ID is 404 NOT_FOUND. */
    endpoint_id: string;
    conversation_key?: ConversationKey;
}
/**
 * @description Declares an attachment; its bytes follow with putResourceContent.
 * @example {
 *       "filename": "contract.pdf",
 *       "content_type": "application/pdf",
 *       "size": 48213,
 *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
 *     }
 * @example {
 *       "filename": "notes.txt",
 *       "content_type": "text/plain; charset=utf-8",
 *       "size": 12
 *     }
 */
export interface CreateResource {
    /** @description A plain file name, without path separators or control characters. */
    filename: string;
    /** @description A media type, parameters allowed. */
    content_type: string;
    /**
     * Format: int32
     * @description Exact number of bytes, at most 16 MiB.
     */
    size: number;
    sha256?: Sha256;
}
/**
 * @description A run that finds or creates its conversation.
 * @example {
 *       "input": {
 *         "text": "Summarise the day"
 *       }
 *     }
 * @example {
 *       "input": {
 *         "text": "And tomorrow?"
 *       },
 *       "conversation_key": "daily-summary",
 *       "expected_generation": 1
 *     }
 */
export interface CreateRun {
    input: MessageInput;
    conversation_key?: ConversationKey;
    /**
     * Format: int64
     * @description The conversation's current generation; any other is 409 GENERATION_CONFLICT, and so is any generation if the key has no conversation yet. Needs a `conversation_key` (D-22).
     */
    expected_generation?: number;
    /**
     * Format: date-time
     * @description Latest start time, RFC 3339 with a timezone: later than now and at most 24 hours after admission, which is also the default.
     */
    start_before?: string;
}
/**
 * @description Whether a device has taken the run for execution; independent of the run's state. Open (D-15).
 * @example waiting_device
 */
export type DeliveryState = "waiting_device" | "device_received" | (string & {});
/**
 * @description A published assistant service of the application. Opaque.
 * @example ep_echo
 */
export type EndpointId = string;
/**
 * @description One event of a conversation, as SSE data and as a callback's body. The `type` determines the payload; events of unknown types are ignored.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.started",
 *       "payload": {
 *         "state": "running"
 *       }
 *     }
 */
export type EventEnvelope = KnownEvent | UnknownEvent;
/**
 * @description One event; also the `webhook-id` of its callbacks. Opaque.
 * @example evt_0199d3a1c1b07d77e8f9011223344556
 */
export type EventId = string;
/**
 * @description A `text/event-stream` body: frames as in SseFrame, `retry: 1000` once at the start, and `: ping` comments. The gateway need not close the stream. A client that closes it ends only the observation.
 * @example retry: 1000
 *
 *     id: 2
 *     event: run.started
 *     data: {"conversation_id":"conv_0199d3a1c0de7f30a1b2c3d4e5f60718","generation":1,"event_id":"evt_0199d3a1c1b07d77e8f9011223344556","seq":2,"run_id":"run_0199d3a1c0e37b55c6d7e8f901122334","message_id":"msg_0199d3a1c0e27a44b5c6d7e8f9011223","type":"run.started","payload":{"state":"running"}}
 *
 *     : ping
 */
export type EventStream = string;
/**
 * @description Every event type that this version emits. Clients ignore types that they do not know (D-26).
 * @example run.completed
 * @enum {string}
 */
export type EventType = "run.started" | "run.updated" | "run.completed" | "run.failed" | "run.cancelled" | "run.interrupted" | "run.expired" | "assistant.delta" | "assistant.message" | "assistant.activity" | "approval.required" | "conversation.reset";
/**
 * @description One value that breaks the contract.
 * @example {
 *       "pointer": "/input/resource_ids/0",
 *       "message": "is not a ready attachment of this subject"
 *     }
 */
export interface FieldError {
    /** @description Where the value is: an RFC 6901 pointer into the body (empty for the body itself), or the name of the header or query parameter. */
    pointer: string;
    /** @description What is wrong with it. Never repeats the value. */
    message: string;
}
/**
 * Format: int64
 * @description Context generation of a conversation. Starts at 1 and grows by 1 with each completed reset.
 * @example 1
 */
export type Generation = number;
/**
 * @description An incoming webhook's own ID; not the ID of the service that handles its events. Opaque.
 * @example wh_0199d39e00027aaab122334455667788
 */
export type IntegrationId = string;
/**
 * @description An event of a type that this version defines.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344559",
 *       "seq": 4,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.completed",
 *       "payload": {
 *         "state": "succeeded",
 *         "result": {
 *           "text": "Hello"
 *         }
 *       }
 *     }
 */
export type KnownEvent = RunStartedEvent | RunUpdatedEvent | RunCompletedEvent | RunFailedEvent | RunCancelledEvent | RunInterruptedEvent | RunExpiredEvent | AssistantDeltaEvent | AssistantMessageEvent | AssistantActivityEvent | ApprovalRequiredEvent | ConversationResetEvent;
/**
 * @description A message record.
 * @example {
 *       "cursor": 1,
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "generation": 1,
 *       "role": "user",
 *       "created_at": "2026-03-02T09:30:00.500Z",
 *       "content": {
 *         "text": "Hello"
 *       }
 *     }
 */
export interface Message {
    /**
     * Format: int64
     * @description Position in the history, for `before`. Neither a message ID nor an SSE sequence number.
     */
    cursor: number;
    message_id: MessageId;
    conversation_id: ConversationId;
    run_id: RunId;
    generation: Generation;
    role: MessageRole;
    created_at: Timestamp;
    content: MessageContent;
}
/**
 * @description The content of a message.
 * @example {
 *       "text": "Hello"
 *     }
 * @example {
 *       "text": "Hel",
 *       "partial": true
 *     }
 * @example {
 *       "text": "Hello",
 *       "partial": false
 *     }
 * @example {
 *       "text": "Your order is on its way.",
 *       "data": {
 *         "order": "2026-0815",
 *         "state": "shipped"
 *       },
 *       "activities": [
 *         {
 *           "activity_id": "call_1",
 *           "kind": "tool",
 *           "name": "find_order",
 *           "state": "succeeded"
 *         }
 *       ],
 *       "partial": false
 *     }
 */
export interface MessageContent {
    text?: string;
    /** @description Structured data, as submitted or as the assistant answered (D-70). */
    data?: {
        [key: string]: unknown;
    };
    /** @description Attachments that were submitted with the message. */
    resource_ids?: ResourceId[];
    /** @description The activities of the assistant for this answer, in the order in which they began (D-69); absent if there are none. */
    activities?: Activity[];
    /** @description True while an assistant message is unfinished; the final result is read from the run. False once it is complete, absent from submitted input. */
    partial?: boolean;
}
/**
 * @description One message of a conversation. Opaque.
 * @example msg_0199d3a1c0e27a44b5c6d7e8f9011223
 */
export type MessageId = string;
/**
 * @description At least one of the members is present and not empty: `text: ""`, `data: {}` and `resource_ids: []` count as empty (D-25). No string or member name at any depth may hold a lone surrogate or NUL.
 * @example {
 *       "text": "Where is my order?"
 *     }
 * @example {
 *       "data": {
 *         "order": "2026-0815",
 *         "urgent": true
 *       }
 *     }
 * @example {
 *       "text": "What does this contract say?",
 *       "resource_ids": [
 *         "res_0199d39f00017e88f901122334455667"
 *       ]
 *     }
 */
export interface MessageInput {
    /** @description At most 64 KiB of UTF-8. Omitted means empty text. */
    text?: string;
    /** @description A plain JSON object, nested at most 128 levels deep. It is stored and returned as the text that was sent, so its members keep their order. */
    data?: {
        [key: string]: unknown;
    };
    /** @description IDs of ready attachments of this application and subject, of types that the service accepts. Any other ID is 400 INVALID_REQUEST naming its pointer (D-33). */
    resource_ids?: ResourceId[];
}
/**
 * @description One page of the history, oldest to newest. An empty page ends the pagination.
 * @example {
 *       "messages": [
 *         {
 *           "cursor": 1,
 *           "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1,
 *           "role": "user",
 *           "created_at": "2026-03-02T09:30:00.500Z",
 *           "content": {
 *             "text": "Hello"
 *           }
 *         }
 *       ]
 *     }
 * @example {
 *       "messages": []
 *     }
 */
export interface MessageList {
    messages: Message[];
}
/**
 * @description `user` for submitted input, `assistant` for output. Open: clients must accept other values (D-15).
 * @example user
 */
export type MessageRole = "user" | "assistant" | (string & {});
/**
 * @description A cancel or reset operation in its current state.
 * @example {
 *       "operation_id": "op_0199d3a2f0a17c66d7e8f90112233445",
 *       "state": "succeeded",
 *       "ref": {
 *         "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *         "generation": 2
 *       }
 *     }
 */
export interface Operation {
    operation_id: OperationId;
    state: OperationState;
    ref: OperationRef;
}
/**
 * @description A cancel or reset control operation. Opaque.
 * @example op_0199d3a2f0a17c66d7e8f90112233445
 */
export type OperationId = string;
/**
 * @description What the operation concerns.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 2
 *     }
 */
export interface OperationRef {
    conversation_id: ConversationId;
    /**
     * Format: int64
     * @description The current generation; once a reset has succeeded, the new one (D-21).
     */
    generation: number;
}
/**
 * @description `pending`, `waiting_device` and `stopping` are incomplete; `succeeded`: the control completed; `failed`: it did not complete. Open: clients must accept other values (D-15).
 * @example stopping
 */
export type OperationState = "pending" | "waiting_device" | "stopping" | "succeeded" | "failed" | (string & {});
/**
 * @description Owner of the application. Opaque.
 * @example owner_demo
 */
export type OwnerId = string;
/**
 * @description An error, as RFC 9457 `application/problem+json` (D-08). `code` says what happened; the catalogue `x-errors` says what it means and whether to retry.
 * @example {
 *       "type": "/docs/errors#INVALID_REQUEST",
 *       "title": "Invalid request",
 *       "status": 400,
 *       "detail": "The request has 2 faults.",
 *       "code": "INVALID_REQUEST",
 *       "request_id": "req_0199d3a1c0d07000a1b2c3d4e5f60718",
 *       "errors": [
 *         {
 *           "pointer": "/expected_generation",
 *           "message": "must be an integer"
 *         },
 *         {
 *           "pointer": "Idempotency-Key",
 *           "message": "is required"
 *         }
 *       ]
 *     }
 */
export interface Problem {
    /**
     * Format: uri-reference
     * @description Where the docs explain the code, as a reference relative to the gateway's origin: `/docs/errors#` and the code.
     */
    type: string;
    /** @description The code in words; the same for every occurrence. */
    title: string;
    /**
     * Format: int32
     * @description The HTTP status.
     */
    status: number;
    /** @description What is wrong with this request, in a sentence for people. */
    detail: string;
    /** @description One of the catalogue `x-errors`. Open; clients must accept codes that they do not know, and handle them by their status. */
    code: string;
    request_id: RequestId;
    /** @description `unknown`: the database failed before the gateway learned whether the request was carried out (D-57). The same request under the same key gives the admission if there was one. Absent if nothing happened. Open (D-15). */
    outcome?: "unknown" | (string & {});
    /** @description The individual faults of a 400, at most 20 (D-61). */
    errors?: FieldError[];
    /**
     * @description There are or may be more faults than those listed (D-61). Absent if all are listed.
     * @constant
     */
    more_faults?: true;
}
/**
 * @description Names one request in answers and in the gateway's logs (D-10).
 * @example req_0199d3a1c0d07000a1b2c3d4e5f60718
 */
export type RequestId = string;
/**
 * @description How to reset a conversation.
 * @example {
 *       "expected_generation": 1
 *     }
 * @example {
 *       "expected_generation": 1,
 *       "busy_policy": "cancel_and_reset"
 *     }
 */
export interface ResetConversation {
    /**
     * Format: int64
     * @description The conversation's current generation; any other is 409 GENERATION_CONFLICT.
     */
    expected_generation: number;
    busy_policy?: BusyPolicy;
}
/**
 * @description An attachment's record.
 * @example {
 *       "resource_id": "res_0199d39f00017e88f901122334455667",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "filename": "contract.pdf",
 *       "content_type": "application/pdf",
 *       "size": 48213,
 *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
 *       "status": "ready",
 *       "created_at": "2026-03-02T09:28:00.000Z"
 *     }
 * @example {
 *       "resource_id": "res_0199d39f00017e88f901122334455668",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "filename": "notes.txt",
 *       "content_type": "text/plain; charset=utf-8",
 *       "size": 12,
 *       "sha256": null,
 *       "status": "pending",
 *       "created_at": "2026-03-02T09:29:00.000Z"
 *     }
 */
export interface Resource {
    resource_id: ResourceId;
    app_id: AppId;
    subject: Subject;
    filename: string;
    content_type: string;
    /**
     * Format: int32
     * @description Bytes.
     */
    size: number;
    /** @description As declared, else computed from the content; null while neither is known. */
    sha256: Sha256 | null;
    status: ResourceStatus;
    created_at: Timestamp;
}
/**
 * @description An attachment. Opaque.
 * @example res_0199d39f00017e88f901122334455667
 */
export type ResourceId = string;
/**
 * @description `pending` until the content has arrived, then `ready`. Open (D-15).
 * @example ready
 */
export type ResourceStatus = "pending" | "ready" | (string & {});
/**
 * @description A run record.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "state": "succeeded",
 *       "delivery_state": "device_received",
 *       "created_at": "2026-03-02T09:30:00.500Z",
 *       "updated_at": "2026-03-02T09:30:01.250Z",
 *       "result": {
 *         "text": "Your order is on its way."
 *       }
 *     }
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122335",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011225",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "state": "queued",
 *       "delivery_state": "waiting_device",
 *       "created_at": "2026-03-02T09:31:00.500Z",
 *       "updated_at": "2026-03-02T09:31:00.500Z",
 *       "result": null
 *     }
 */
export interface Run {
    run_id: RunId;
    message_id: MessageId;
    conversation_id: ConversationId;
    generation: Generation;
    state: RunState;
    delivery_state: DeliveryState;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** @description The result, or null while there is none and after its body's retention (about 30 days) has ended. */
    result: RunResult | null;
}
/**
 * @description The run was stopped on request. The last event of its run.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.cancelled",
 *       "payload": {
 *         "state": "cancelled",
 *         "result": null
 *       }
 *     }
 */
export interface RunCancelledEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.cancelled";
    payload: {
        /** @constant */
        state: "cancelled";
        result: RunResult | null;
    };
}
/**
 * @description The run succeeded. The last event of its run.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.completed",
 *       "payload": {
 *         "state": "succeeded",
 *         "result": {
 *           "text": "Hello"
 *         }
 *       }
 *     }
 */
export interface RunCompletedEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.completed";
    payload: {
        /** @constant */
        state: "succeeded";
        result: RunResult;
    };
}
/**
 * @description Why a run failed (D-16).
 * @example {
 *       "code": "APPROVAL_DENIED",
 *       "message": "The operator denied the approval.",
 *       "retryable": false
 *     }
 */
export interface RunError {
    /** @description Upper-case name of the fault. Assistants name their own. The gateway's include RUN_TIMEOUT, for a run that executed longer than its service allows (D-59). */
    code: string;
    /** @description One sentence for people. */
    message: string;
    /** @description Whether the same input may succeed when it is sent again as a new message. */
    retryable: boolean;
}
/**
 * @description The run had not started by its latest start time. The last event of its run.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.expired",
 *       "payload": {
 *         "state": "expired",
 *         "result": null
 *       }
 *     }
 */
export interface RunExpiredEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.expired";
    payload: {
        /** @constant */
        state: "expired";
        result: RunResult | null;
    };
}
/**
 * @description The run failed; `result` may hold partial output. The last event of its run.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.failed",
 *       "payload": {
 *         "state": "failed",
 *         "error": {
 *           "code": "MODEL_UNAVAILABLE",
 *           "message": "The model did not answer.",
 *           "retryable": true
 *         },
 *         "result": {
 *           "text": "Hel",
 *           "error": {
 *             "code": "MODEL_UNAVAILABLE",
 *             "message": "The model did not answer.",
 *             "retryable": true
 *           }
 *         }
 *       }
 *     }
 */
export interface RunFailedEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.failed";
    payload: {
        /** @constant */
        state: "failed";
        error: RunError;
        result: RunResult | null;
    };
}
/**
 * @description One message's task. Used for results, events and cancellation. Opaque.
 * @example run_0199d3a1c0e37b55c6d7e8f901122334
 */
export type RunId = string;
/**
 * @description The run was stopped without a request, or its device was lost and did not report how it ended (D-19). The last event of its run.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.interrupted",
 *       "payload": {
 *         "state": "interrupted",
 *         "result": {
 *           "text": "Hel"
 *         }
 *       }
 *     }
 */
export interface RunInterruptedEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.interrupted";
    payload: {
        /** @constant */
        state: "interrupted";
        result: RunResult | null;
    };
}
/**
 * @description What a run produced. A run that failed or was stopped may retain partial output.
 * @example {
 *       "text": "Your order is on its way."
 *     }
 * @example {
 *       "text": "Your order is on its way.",
 *       "data": {
 *         "order": "2026-0815",
 *         "state": "shipped"
 *       },
 *       "usage": {
 *         "input_tokens": 812,
 *         "output_tokens": 96
 *       }
 *     }
 * @example {
 *       "text": "Your order",
 *       "error": {
 *         "code": "MODEL_UNAVAILABLE",
 *         "message": "The model did not answer.",
 *         "retryable": true
 *       }
 *     }
 */
export interface RunResult {
    text?: string;
    resource_ids?: ResourceId[];
    /** @description The result as data (D-70). If the run succeeded, it matches the service's `output_schema`. */
    data?: {
        [key: string]: unknown;
    };
    usage?: RunUsage;
    /** @description True if the answer ended at the model's length limit and the service accepts such answers. */
    truncated?: boolean;
    error?: RunError;
}
/**
 * @description The run began to execute.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.started",
 *       "payload": {
 *         "state": "running"
 *       }
 *     }
 */
export interface RunStartedEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.started";
    payload: {
        state: RunState;
    };
}
/**
 * @description `queued`: awaiting execution. `running`: execution is active. `waiting_approval`: an approval is needed. `cancelling`: stop requested, not confirmed. `reconciling`: the execution state is being established; success must not be inferred. Terminal: `succeeded`, `failed`, `cancelled`, `interrupted`, `expired`. Open: clients must accept other values (D-15).
 * @example queued
 */
export type RunState = "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired" | (string & {});
/**
 * @description Any change of a run that neither starts nor ends it.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.updated",
 *       "payload": {
 *         "state": "cancelling",
 *         "delivery_state": "device_received"
 *       }
 *     }
 */
export interface RunUpdatedEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: RunId;
    /** @description The run's input message (D-27). */
    message_id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "run.updated";
    payload: {
        state: RunState;
        delivery_state: DeliveryState;
    };
}
/**
 * @description The usage of the run, as reported by its assistant (D-71).
 * @example {
 *       "input_tokens": 812,
 *       "output_tokens": 96,
 *       "total_tokens": 908,
 *       "cost": {
 *         "amount": "0.0123",
 *         "currency": "EUR"
 *       },
 *       "model": "gpt-5-mini"
 *     }
 */
export interface RunUsage {
    /** Format: int64 */
    input_tokens?: number;
    /** Format: int64 */
    output_tokens?: number;
    /** Format: int64 */
    total_tokens?: number;
    cost?: {
        /** @description A decimal number. */
        amount: string;
        /** @description ISO 4217. */
        currency: string;
    };
    model?: string;
}
/**
 * @description One message of a conversation.
 * @example {
 *       "expected_generation": 1,
 *       "input": {
 *         "text": "Where is my order?"
 *       }
 *     }
 * @example {
 *       "expected_generation": 2,
 *       "input": {
 *         "data": {
 *           "order": "2026-0815"
 *         }
 *       },
 *       "start_before": "2026-03-02T10:33:00+01:00"
 *     }
 */
export interface SendMessage {
    /**
     * Format: int64
     * @description The conversation's current generation; any other is 409 GENERATION_CONFLICT.
     */
    expected_generation: number;
    input: MessageInput;
    /**
     * Format: date-time
     * @description Latest start time, RFC 3339 with a timezone: later than now and at most 5 minutes after admission, which is also the default. Not an execution timeout.
     */
    start_before?: string;
}
/**
 * @description SHA-256 of the content, lower-case hexadecimal.
 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 */
export type Sha256 = string;
/**
 * @description One consistent read of a conversation: every event with a seq up to `watermark` is reflected in it and none after (D-14). Up to 200 recent messages and 100 runs, oldest first, within a budget of 1 MiB of JSON by default: result bodies are left out first, oldest first, then the oldest messages.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "watermark": 4,
 *       "messages": [
 *         {
 *           "cursor": 1,
 *           "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1,
 *           "role": "user",
 *           "created_at": "2026-03-02T09:30:00.500Z",
 *           "content": {
 *             "text": "Hello"
 *           }
 *         },
 *         {
 *           "cursor": 2,
 *           "message_id": "msg_0199d3a1c0f07a44b5c6d7e8f9011224",
 *           "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1,
 *           "role": "assistant",
 *           "created_at": "2026-03-02T09:30:00.700Z",
 *           "content": {
 *             "text": "Hello",
 *             "partial": false
 *           }
 *         }
 *       ],
 *       "runs": [
 *         {
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "generation": 1,
 *           "state": "succeeded",
 *           "device_received": true,
 *           "result": {
 *             "text": "Hello"
 *           },
 *           "result_available": true
 *         }
 *       ]
 *     }
 */
export interface Snapshot {
    conversation_id: ConversationId;
    generation: Generation;
    /**
     * Format: int64
     * @description Where to resume the event stream after reading this snapshot. Not a history cursor.
     */
    watermark: number;
    messages: Message[];
    runs: SnapshotRun[];
}
/**
 * @description A run as the snapshot shows it.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "generation": 1,
 *       "state": "succeeded",
 *       "device_received": true,
 *       "result": {
 *         "text": "Hello"
 *       },
 *       "result_available": true
 *     }
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122335",
 *       "generation": 1,
 *       "state": "succeeded",
 *       "device_received": true,
 *       "result": null,
 *       "result_available": true
 *     }
 */
export interface SnapshotRun {
    run_id: RunId;
    generation: Generation;
    state: RunState;
    /** @description Whether a device has taken the run for execution. */
    device_received: boolean;
    /** @description The result, or null while there is none or when the size budget left its body out. */
    result: RunResult | null;
    /** @description Whether a result record exists. True with a null `result` means that the budget left the body out: read the run. */
    result_available: boolean;
}
/**
 * @description One message of an event stream after parsing. On the wire: `id: <seq>`, `event: <type>`, one `data: <JSON envelope>` line, and an empty line. The stream opens with `retry: 1000` and carries a `: ping` comment every 15 seconds (D-30); neither is a frame.
 * @example {
 *       "id": "2",
 *       "event": "run.started",
 *       "data": {
 *         "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *         "generation": 1,
 *         "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *         "seq": 2,
 *         "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *         "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *         "type": "run.started",
 *         "payload": {
 *           "state": "running"
 *         }
 *       }
 *     }
 */
export interface SseFrame {
    /** @description The event's seq, in decimal digits. */
    id: string;
    /** @description The event's type. */
    event: string;
    data: EventEnvelope;
}
/**
 * @description The business subject that the application acts for: 1-256 code points, no control characters, white space inside allowed, none around (D-03, D-54). Every record belongs to one application and one subject.
 * @example customer-4711
 */
export type Subject = string;
/**
 * Format: date-time
 * @description UTC, ISO 8601, always with exactly three decimals and a `Z` (D-02).
 * @example 2026-03-02T09:30:00.123Z
 */
export type Timestamp = string;
/**
 * @description An event of a type that this version does not define. A gateway of this version sends none; clients must ignore it, but treat its `seq` as received.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "event_id": "evt_0199d3a1c1b07d77e8f9011223344556",
 *       "seq": 2,
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "type": "run.annotated",
 *       "payload": {
 *         "note": "from a newer gateway"
 *       }
 *     }
 */
export interface UnknownEvent {
    conversation_id: ConversationId;
    generation: Generation;
    event_id: EventId;
    /**
     * Format: int64
     * @description Position in the conversation's event log, from 1.
     */
    seq: number;
    run_id: string | null;
    message_id: string | null;
    /** @description Any type that is not one of EventType. */
    type: UnknownEventType;
    payload: {
        [key: string]: unknown;
    };
}
/**
 * @description An admission for `new` and `message`, a control response for `reset` and `cancel`.
 * @example {
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "generation": 1,
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "state": "queued",
 *       "event_cursor": 1
 *     }
 * @example {
 *       "operation_id": "op_0199d3a2f0a17c66d7e8f90112233445",
 *       "state": "succeeded",
 *       "ref": {
 *         "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *         "generation": 1
 *       }
 *     }
 */
export type WebhookAcceptance = Admission | Control;
/**
 * @description Any JSON object; the integration's field paths select the values that are read.
 * @example {
 *       "type": "order.question",
 *       "customer": {
 *         "message": "Where is my order?"
 *       }
 *     }
 */
export interface WebhookBody {
    [key: string]: unknown;
}
export interface operations {
    listConversations: {
        parameters: {
            query: ListConversationsQuery;
            header: {
                "X-Service-Subject": string;
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
                    "application/json": ConversationList;
                };
            };
        };
    };
    createConversation: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateConversation;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Conversation;
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
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
                    "application/json": Snapshot;
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: ListMessagesQuery;
            header: {
                "X-Service-Subject": string;
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
                    "application/json": MessageList;
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SendMessage;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Admission;
                };
            };
        };
    };
    streamConversationEvents: {
        parameters: {
            query?: StreamConversationEventsQuery;
            header: {
                "Last-Event-ID"?: string;
                "X-Service-Subject": string;
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
                    "text/event-stream": EventStream;
                };
            };
        };
    };
    resetConversation: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                conversation_id: ConversationId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ResetConversation;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Control;
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
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
                    "application/json": Run;
                };
            };
        };
    };
    streamRunEvents: {
        parameters: {
            query?: StreamRunEventsQuery;
            header: {
                "Last-Event-ID"?: string;
                "X-Service-Subject": string;
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
                    "text/event-stream": EventStream;
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CancelRun;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Control;
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                operation_id: OperationId;
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
                    "application/json": Operation;
                };
            };
        };
    };
    getAgentEndpoint: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
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
                    "application/json": AgentEndpoint;
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                endpoint_id: EndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateRun;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Admission;
                };
            };
        };
    };
    createResource: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateResource;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Resource;
                };
            };
        };
    };
    getResource: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                resource_id: ResourceId;
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
                    "application/json": Resource;
                };
            };
        };
    };
    deleteResource: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                resource_id: ResourceId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getResourceContent: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                resource_id: ResourceId;
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
                    "*/*": Blob;
                };
            };
        };
    };
    putResourceContent: {
        parameters: {
            query?: never;
            header: {
                "X-Service-Subject": string;
                "X-Request-Id"?: string;
            };
            path: {
                resource_id: ResourceId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": Blob;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Resource;
                };
            };
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
                "X-Request-Id"?: string;
            };
            path: {
                integration_id: IntegrationId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookBody;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookAcceptance;
                };
            };
        };
    };
}
export interface ListConversationsQuery {
    /** @description A published service of this application, which selects the device; any other is 404 NOT_FOUND. */
    endpoint_id: EndpointId;
    /** @description Restricts the list to the service's conversation of this key. */
    conversation_key?: ConversationKey;
    /**
     * @description Maximum size of the page. 1-200 are accepted, but at most 100 records are returned.
     * @example 50
     */
    limit?: number;
    /** @description The last conversation_id of the previous page; an ID that is not one of this caller's conversations is 404 NOT_FOUND. */
    before?: ConversationId;
}
export interface ListMessagesQuery {
    /**
     * @description Only messages of this generation. If absent, the retained messages of all generations.
     * @example 1
     */
    generation?: number;
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
export interface StreamConversationEventsQuery {
    /**
     * @description Return only events with a greater seq. A non-negative integer of any length; the header Last-Event-ID takes precedence over it. A position that is no longer retained, or above the newest issued seq, is 410 CURSOR_EXPIRED. If neither is given, the stream starts with the oldest retained event (D-29).
     * @example 42
     */
    after?: string;
}
export interface StreamRunEventsQuery {
    /**
     * @description Return only events with a greater seq. A non-negative integer of any length; the header Last-Event-ID takes precedence over it. A position that is no longer retained, or above the newest issued seq, is 410 CURSOR_EXPIRED. If neither is given, the stream starts with the oldest retained event (D-29).
     * @example 42
     */
    after?: string;
}
