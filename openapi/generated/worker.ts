// Generated from openapi/worker.yaml by `npm run generate`. Do not edit.

import type { Activity, AppId, ApprovalId, BindingVersion, ConversationId, EndpointId, Generation, MessageId, ResourceId, RunId, RunState, Subject, Timestamp } from './gateway.ts'
export type { Activity, ActivityState, AppId, ApprovalId, BindingVersion, ConversationId, EndpointId, FieldError, Generation, MessageId, Problem, RequestId, ResourceId, RunId, RunState, Subject, Timestamp } from './gateway.ts'

/**
 * @description An action of the assistant in addition to its answer: a tool call, reasoning, progress or a source (D-69). The first step with an `activity_id` begins the activity and has its `kind` and `name`; `state` is `running` by default. Later steps replace the members that they contain; `text_delta` appends to `text`. A run has at most 100 activities, of 64 KiB each and 1 MiB together; a run that exceeds these limits fails with `OUTPUT_LIMIT`.
 * @example {
 *       "activity_id": "call_1",
 *       "kind": "tool",
 *       "name": "find_order",
 *       "input": {
 *         "order": "2026-0815"
 *       }
 *     }
 * @example {
 *       "activity_id": "call_1",
 *       "state": "succeeded",
 *       "output": {
 *         "state": "shipped"
 *       }
 *     }
 * @example {
 *       "activity_id": "thinking",
 *       "kind": "reasoning",
 *       "name": "reasoning",
 *       "text_delta": "The customer asks "
 *     }
 */
export interface ActivityChange {
    /** @description Chosen by the assistant; names the activity within its run. */
    activity_id: string;
    /** @description `tool`, `reasoning`, `progress`, `source`, or a name of your own. */
    kind?: string;
    /** @description Machine-readable name of the action, such as the tool's name. */
    name?: string;
    /** @enum {string} */
    state?: "running" | "succeeded" | "failed";
    /** @description Human-readable title of the action. */
    title?: string;
    /** @description Input of the activity; any JSON, nested at most 128 levels deep. */
    input?: unknown;
    /** @description Output of the activity; any JSON, nested at most 128 levels deep. */
    output?: unknown;
    /** @description Text of the activity, such as reasoning; replaces its earlier text. */
    text?: string;
    /** @description A piece that is appended to `text`. */
    text_delta?: string;
}
/**
 * @description The action to approve. The run waits for the decision.
 * @example Refund order 2026-0815?
 */
export type ApprovalSummary = string;
/**
 * @description Why the run failed; it becomes the `error` of the run's result.
 * @example {
 *       "code": "NO_REFUND",
 *       "message": "The refund was denied.",
 *       "retryable": false
 *     }
 */
export interface AssistantError {
    /** @description Upper-case, for programs (D-16). */
    code: string;
    /** @description For people. Characters beyond the 2,000th are cut off. */
    message: string;
    /** @description Whether the same message may succeed later. */
    retryable: boolean;
}
/**
 * @description What the assistant needs to resume after an approval. The gateway keeps it and never reads it; at most 64 KiB of JSON.
 * @example {
 *       "order": "2026-0815"
 *     }
 */
export interface AssistantState {
    [key: string]: unknown;
}
/**
 * @description One step of an assistant: an object with exactly one member. `end` is the last one. An unknown member fails the run with `ASSISTANT_ERROR`, and the gateway's log names it.
 * @example {
 *       "delta": "Your order "
 *     }
 * @example {
 *       "end": {
 *         "state": "succeeded"
 *       }
 *     }
 */
export interface AssistantStep {
    delta?: Delta;
    message?: WholeMessage;
    activity?: ActivityChange;
    approval?: ApprovalSummary;
    end?: End;
}
/**
 * @description A request for runs. `runs` lists the session's runs that the worker has. The gateway returns any other run of the session again, because the answer to its claim was lost. A session has one claim at a time; a newer claim ends the wait of an older one.
 * @example {
 *       "limit": 8,
 *       "wait_ms": 20000,
 *       "runs": []
 *     }
 */
export interface Claim {
    /**
     * Format: int32
     * @description Maximum number of runs to take; at most the session's slots. 0 takes no new runs: a draining worker sends it to get the runs of a claim whose answer was lost.
     */
    limit: number;
    wait_ms?: WaitMs;
    runs: RunIds;
}
/**
 * @description The runs that the session executes from now on; empty if there was nothing to execute.
 * @example {
 *       "runs": []
 *     }
 */
export interface Claimed {
    runs: ClaimedRun[];
}
/**
 * @description A run to execute.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "generation": 1,
 *       "endpoint_id": "ep_orders",
 *       "binding_version": 3,
 *       "assistant": {
 *         "type": "worker"
 *       },
 *       "input": {
 *         "text": "Where is my order?",
 *         "data": null,
 *         "resource_ids": []
 *       },
 *       "reply_message_id": "msg_0199d3a1c0e37b55c6d7e8f901122334",
 *       "deadline": "2026-03-02T10:30:00.123Z",
 *       "traceparent": null
 *     }
 */
export interface ClaimedRun {
    run_id: RunId;
    app_id: AppId;
    subject: Subject;
    conversation_id: ConversationId;
    message_id: MessageId;
    generation: Generation;
    endpoint_id: EndpointId;
    binding_version: BindingVersion;
    /** @description The assistant that the service's version publishes. */
    assistant: {
        [key: string]: unknown;
    };
    input: RunInput;
    /** @description The message of the streamed answer. It appears with the first delta. */
    reply_message_id: MessageId;
    /** @description When the gateway stops the run (D-59). The time that the run waits for an approval is added. */
    deadline: Timestamp;
    /** @description The `traceparent` (W3C Trace Context) of the request that the run comes from; null without one. */
    traceparent: string | null;
}
/**
 * @description The earlier messages of the run's generation, oldest first; the newest 100 messages, at most 256 KiB of them.
 * @example {
 *       "messages": [
 *         {
 *           "role": "user",
 *           "text": "Hello",
 *           "data": null,
 *           "resource_ids": []
 *         }
 *       ]
 *     }
 */
export interface Context {
    messages: ContextMessage[];
}
/**
 * @description A message of the conversation.
 * @example {
 *       "role": "user",
 *       "text": "Where is my order?",
 *       "data": null,
 *       "resource_ids": []
 *     }
 */
export interface ContextMessage {
    /**
     * @description The author of the message.
     * @enum {string}
     */
    role: "user" | "assistant";
    /** @description The text; null without one. */
    text: string | null;
    /** @description The message's JSON object; null without one. */
    data: {
        [key: string]: unknown;
    } | null;
    /** @description Attachments of the message. */
    resource_ids: ResourceId[];
    /** @description The activities of the assistant for this answer (D-69); absent if the service does not set `context_activities` or there are none. */
    activities?: Activity[];
}
/**
 * @description The decision of an approval.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "approval_id": "apr_0199d3a1c2c17f99a011223344556677",
 *       "decision": "approved"
 *     }
 */
export interface Decision {
    run_id: RunId;
    approval_id: ApprovalId;
    /**
     * @description What was decided.
     * @enum {string}
     */
    decision: "approved" | "denied";
}
/**
 * @description A piece of the run's streamed answer. An empty piece is allowed and changes nothing.
 * @example Your order
 */
export type Delta = string;
/**
 * @description A device. Opaque.
 * @example dev_demo
 */
export type DeviceId = string;
/**
 * @description How the run ended.
 * @example {
 *       "state": "succeeded"
 *     }
 */
export type End = SucceededEnd | FailedEnd;
/**
 * @description The end of a run, after its last steps. All of it is written at once.
 * @example {
 *       "session_id": "ws_0199d3a1c0f17a44b5c6d7e8f9011223",
 *       "index": 2,
 *       "end": {
 *         "state": "succeeded"
 *       }
 *     }
 */
export interface EndRun {
    session_id: SessionId;
    index: StepIndex;
    /** @description The last steps, without an approval. Default: none. */
    steps?: Step[];
    end: WorkerEnd;
}
/**
 * @description The run has ended.
 * @example {
 *       "state": "succeeded"
 *     }
 */
export interface EndedRun {
    state: RunState;
}
/**
 * @description A run for an `http` assistant.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "app_id": "app_demo",
 *       "subject": "customer-4711",
 *       "conversation_id": "conv_0199d3a1c0de7f30a1b2c3d4e5f60718",
 *       "message_id": "msg_0199d3a1c0e27a44b5c6d7e8f9011223",
 *       "generation": 1,
 *       "endpoint_id": "ep_orders",
 *       "binding_version": 3,
 *       "input": {
 *         "text": "Where is my order?",
 *         "data": null,
 *         "resource_ids": []
 *       },
 *       "context": [],
 *       "deadline": "2026-03-02T10:30:00.123Z",
 *       "run_token": "gr_AtX9c0u7hqk2yJ5mB3wQ8sZ1eV4nR6pL"
 *     }
 */
export interface ExecuteRun {
    run_id: RunId;
    app_id: AppId;
    subject: Subject;
    conversation_id: ConversationId;
    message_id: MessageId;
    generation: Generation;
    endpoint_id: EndpointId;
    binding_version: BindingVersion;
    input: RunInput;
    /** @description The earlier messages of this generation, oldest first; the newest 100 messages, at most 256 KiB of them. */
    context: ContextMessage[];
    /** @description When the gateway stops the run (D-59). */
    deadline: Timestamp;
    /** @description A bearer token for the worker API's `context` and `resources` of this run. It ends with the run. */
    run_token: string;
    resume?: Resume;
    /**
     * @description True if an operator tries the assistant. The run does not exist, and `run_token` grants no access. Absent for runs.
     * @constant
     */
    rehearsal?: true;
}
/**
 * @description The run failed.
 * @example {
 *       "state": "failed",
 *       "error": {
 *         "code": "NO_REFUND",
 *         "message": "The refund was denied.",
 *         "retryable": false
 *       }
 *     }
 */
export interface FailedEnd {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    state: "failed";
    error: AssistantError;
    usage?: Usage;
}
/**
 * @description Reports that the worker is alive, and renews the lease at once. The gateway answers as soon as it has something to report, but at the latest after `wait_ms` and within a third of the lease.
 * @example {
 *       "runs": [
 *         {
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334"
 *         }
 *       ],
 *       "wait_ms": 5000
 *     }
 */
export interface Heartbeat {
    /** @description All runs that the worker has. */
    runs: HeldRun[];
    wait_ms?: WaitMs;
}
/**
 * @description A run that is assigned to the worker, with the state known to the worker.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334"
 *     }
 */
export interface HeldRun {
    run_id: RunId;
    /** @description The approval whose decision the worker waits for. */
    approval_id?: ApprovalId;
    /** @description The worker already knows that the run has to stop, so the gateway does not repeat it. */
    stopping?: boolean;
}
/**
 * @description One step in the answer of an `http` assistant. `end` or an `approval` is the last one. An `approval` ends the answer; its `state` is returned when the gateway posts the run again with the decision.
 * @example {
 *       "delta": "Your order "
 *     }
 * @example {
 *       "approval": "Refund order 2026-0815?",
 *       "state": {
 *         "order": "2026-0815"
 *       }
 *     }
 * @example {
 *       "end": {
 *         "state": "succeeded"
 *       }
 *     }
 */
export interface HttpStep {
    delta?: Delta;
    message?: WholeMessage;
    activity?: ActivityChange;
    approval?: ApprovalSummary;
    end?: End;
    state?: AssistantState;
}
/**
 * @description What the worker has to know about its runs.
 * @example {
 *       "stop": [
 *         {
 *           "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *           "reason": "requested"
 *         }
 *       ],
 *       "lost": [],
 *       "decisions": [],
 *       "drain": false
 *     }
 */
export interface News {
    /** @description Runs that have to stop. Once its assistant has ended, the worker ends the run with `cancelled`. */
    stop: StopOrder[];
    /** @description Runs that no longer belong to this session, or never did. Stop their assistants, and send nothing about them. They include runs whose end the gateway received before the heartbeat. */
    lost: RunId[];
    /** @description Decisions of the approvals that the worker waits for. */
    decisions: Decision[];
    /** @description The operator has disabled the device. Finish the current runs; claims are answered without runs. */
    drain: boolean;
}
/**
 * @description A worker that begins to serve its device.
 * @example {
 *       "name": "gpu-7",
 *       "version": "1.4.0",
 *       "slots": 8
 *     }
 */
export interface OpenSession {
    /** @description A name for operators, such as the host name. */
    name: string;
    /** @description The worker's version, for operators. */
    version?: string;
    slots: Slots;
}
/**
 * @description The decision of an approval that ended an earlier answer for the same run, and the state that came with it.
 * @example {
 *       "decision": "approved",
 *       "state": {
 *         "order": "2026-0815"
 *       }
 *     }
 */
export interface Resume {
    /**
     * @description What was decided.
     * @enum {string}
     */
    decision: "approved" | "denied";
    state?: AssistantState;
}
/**
 * @description The runs that are assigned to the worker and whose end the gateway has not acknowledged yet.
 * @example [
 *       "run_0199d3a1c0e37b55c6d7e8f901122334"
 *     ]
 */
export type RunIds = RunId[];
/**
 * @description The submitted input; at least one member is not empty.
 * @example {
 *       "text": "Where is my order?",
 *       "data": null,
 *       "resource_ids": []
 *     }
 */
export interface RunInput {
    /** @description The text; null without one. */
    text: string | null;
    /** @description The JSON object, its members in the order in which they were sent; null without one. */
    data: {
        [key: string]: unknown;
    } | null;
    /** @description Attachments of the message. */
    resource_ids: ResourceId[];
}
/**
 * @description An attachment that has its content.
 * @example {
 *       "resource_id": "res_0199d39f00017e88f901122334455667",
 *       "filename": "invoice.pdf",
 *       "content_type": "application/pdf",
 *       "size": 48211
 *     }
 */
export interface RunResource {
    resource_id: ResourceId;
    /** @description The file's name. */
    filename: string;
    /** @description The media type of the content. */
    content_type: string;
    /**
     * Format: int32
     * @description Bytes of the content.
     */
    size: number;
}
/**
 * @description Steps of a run, in their order. An `approval` is the last of them.
 * @example {
 *       "session_id": "ws_0199d3a1c0f17a44b5c6d7e8f9011223",
 *       "index": 0,
 *       "steps": [
 *         {
 *           "delta": "Your order "
 *         },
 *         {
 *           "delta": "is on its way."
 *         }
 *       ]
 *     }
 */
export interface SendSteps {
    session_id: SessionId;
    index: StepIndex;
    steps: Step[];
}
/**
 * @description A service of the device.
 * @example {
 *       "app_id": "app_demo",
 *       "endpoint_id": "ep_orders"
 *     }
 */
export interface Service {
    app_id: AppId;
    endpoint_id: EndpointId;
}
/**
 * @description An open session.
 * @example {
 *       "session_id": "ws_0199d3a1c0f17a44b5c6d7e8f9011223",
 *       "device_id": "dev_demo",
 *       "lease_ms": 15000,
 *       "services": [
 *         {
 *           "app_id": "app_demo",
 *           "endpoint_id": "ep_orders"
 *         }
 *       ]
 *     }
 */
export interface Session {
    session_id: SessionId;
    device_id: DeviceId;
    /**
     * Format: int32
     * @description How long the session lasts after a heartbeat, in milliseconds. A session that lapses is closed, and its runs are lost.
     */
    lease_ms: number;
    /** @description The services of the device, whose runs the worker has to execute. */
    services: Service[];
}
/**
 * @description The session of one worker. Opaque.
 * @example ws_0199d3a1c0f17a44b5c6d7e8f9011223
 */
export type SessionId = string;
/**
 * Format: int32
 * @description How many runs the worker executes at once. A run that waits for an approval does not use a slot.
 * @example 8
 */
export type Slots = number;
/**
 * @description One step of an assistant before its end: an object with exactly one member. An unknown member fails the run with `ASSISTANT_ERROR`.
 * @example {
 *       "delta": "Your order "
 *     }
 * @example {
 *       "activity": {
 *         "activity_id": "call_1",
 *         "kind": "tool",
 *         "name": "find_order",
 *         "input": {
 *           "order": "2026-0815"
 *         }
 *       }
 *     }
 * @example {
 *       "message": "I looked that up in three places."
 *     }
 * @example {
 *       "approval": "Refund order 2026-0815?"
 *     }
 */
export interface Step {
    delta?: Delta;
    message?: WholeMessage;
    activity?: ActivityChange;
    approval?: ApprovalSummary;
}
/**
 * Format: int32
 * @description How many steps of the run the worker has sent before these. The gateway ignores steps that it already has, so that a repeat is harmless. A gap is 409 STEPS_OUT_OF_ORDER.
 * @example 0
 */
export type StepIndex = number;
/**
 * @description The steps are written.
 * @example {
 *       "index": 2,
 *       "stop": false,
 *       "approval_id": null
 *     }
 */
export interface StepsTaken {
    /**
     * Format: int32
     * @description How many steps of the run the gateway has.
     */
    index: number;
    /** @description The run has to stop. */
    stop: boolean;
    /** @description The approval that the last step requested; a heartbeat returns its decision. Null after other steps, and if the run has to stop. */
    approval_id: ApprovalId | null;
}
/**
 * @description A run that has to stop, and why.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "reason": "requested"
 *     }
 */
export interface StopOrder {
    run_id: RunId;
    /** @description `requested`: a cancel, a reset, or the end of the run's time. Open (D-15). */
    reason: "requested" | (string & {});
}
/**
 * @description The assistant was stopped. `cancelled`: because the gateway requested it; otherwise the run becomes `interrupted`. `interrupted`: because the worker shuts down, or because the process that executed the run has ended, so that the outcome is unknown.
 * @example {
 *       "state": "cancelled"
 *     }
 */
export interface StoppedEnd {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    state: "cancelled" | "interrupted";
}
/**
 * @description The run succeeded.
 * @example {
 *       "state": "succeeded"
 *     }
 * @example {
 *       "state": "succeeded",
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
 *       "state": "succeeded",
 *       "text": "Shipped on 3 March.",
 *       "resource_ids": [
 *         "res_0199d39f00017e88f901122334455667"
 *       ]
 *     }
 */
export interface SucceededEnd {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    state: "succeeded";
    /** @description The text of the result, if it differs from the streamed text. The streamed message does not change. */
    text?: string;
    /** @description Attachments of the result. */
    resource_ids?: ResourceId[];
    /** @description The result as data (D-70), a JSON object nested at most 128 levels deep. */
    data?: {
        [key: string]: unknown;
    };
    usage?: Usage;
}
/**
 * @description The usage of the run (D-71). All members are optional.
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
export interface Usage {
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
 * Format: int32
 * @description How long the gateway may delay the answer while it has nothing to report, in milliseconds.
 * @default 0
 * @example 20000
 */
export type WaitMs = number;
/**
 * @description A complete message in addition to the streamed answer.
 * @example I looked that up in three places.
 */
export type WholeMessage = string;
/**
 * @description How the run ended.
 * @example {
 *       "state": "succeeded"
 *     }
 */
export type WorkerEnd = SucceededEnd | FailedEnd | StoppedEnd;
export interface operations {
    openSession: {
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
                "application/json": OpenSession;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Session;
                };
            };
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                session_id: SessionId;
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
    claimRuns: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                session_id: SessionId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Claim;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Claimed;
                };
            };
        };
    };
    beat: {
        parameters: {
            query?: never;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                session_id: SessionId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Heartbeat;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": News;
                };
            };
        };
    };
    sendSteps: {
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
        requestBody: {
            content: {
                "application/json": SendSteps;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": StepsTaken;
                };
            };
        };
    };
    endRun: {
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
        requestBody: {
            content: {
                "application/json": EndRun;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndedRun;
                };
            };
        };
    };
    readContext: {
        parameters: {
            query?: ReadContextQuery;
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
                    "application/json": Context;
                };
            };
        };
    };
    readRunResource: {
        parameters: {
            query?: ReadRunResourceQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
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
                    "application/json": RunResource;
                };
            };
        };
    };
    putRunResource: {
        parameters: {
            query: PutRunResourceQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
                resource_id: string;
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
                    "application/json": RunResource;
                };
            };
        };
    };
    readRunResourceContent: {
        parameters: {
            query?: ReadRunResourceContentQuery;
            header?: {
                "X-Request-Id"?: string;
            };
            path: {
                run_id: RunId;
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
}
export interface ReadContextQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; not needed with the token of a run. */
    session_id?: SessionId;
}
export interface ReadRunResourceQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; not needed with the token of a run. */
    session_id?: SessionId;
}
export interface PutRunResourceQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; not needed with the token of a run. */
    session_id?: SessionId;
    /**
     * @description A plain file name, without path separators and control characters.
     * @example invoice.pdf
     */
    filename: string;
    /**
     * @description The media type of the content.
     * @example application/pdf
     */
    content_type: string;
}
export interface ReadRunResourceContentQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; not needed with the token of a run. */
    session_id?: SessionId;
}
