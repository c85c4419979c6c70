// Generated from openapi/worker.yaml by `pnpm generate`. Do not edit.

export interface paths {
    "/worker/v1/sessions": {
        /**
         * Open a session
         * @description Begins to serve the device. The lease begins when the gateway receives the request. A device has at most 1,000 sessions.
         */
        post: operations["openSession"];
    };
    "/worker/v1/sessions/{session_id}": {
        /**
         * Close a session
         * @description Ends the session. Runs that it still holds are nobody's; how they ended is unknown (D-19).
         */
        delete: operations["closeSession"];
    };
    "/worker/v1/sessions/{session_id}/claims": {
        /**
         * Claim runs
         * @description Takes queued runs of the device for execution, at most as many as the session has free slots. The answer waits until there is one, for at most `wait_ms`. After a lost answer, send the claim again.
         */
        post: operations["claimRuns"];
    };
    "/worker/v1/sessions/{session_id}/heartbeats": {
        /**
         * Send a heartbeat
         * @description Renews the lease when the gateway receives the request, and tells what the worker has to know about its runs. A failed heartbeat is not a lost lease: send it again until the lease is over.
         */
        post: operations["beat"];
    };
    "/worker/v1/runs/{run_id}/steps": {
        /**
         * Send steps
         * @description Writes steps of a run. All of them are written, or none. A repeat of the same request is answered as the first.
         */
        post: operations["sendSteps"];
    };
    "/worker/v1/runs/{run_id}/end": {
        /**
         * End a run
         * @description Ends the run, with its last steps. A repeat is answered as the first. A run that had ended in another way is 409 RUN_LOST, and that end stands.
         */
        post: operations["endRun"];
    };
    "/worker/v1/runs/{run_id}/context": {
        /**
         * Read the context
         * @description What was said before in the run's generation.
         */
        get: operations["readContext"];
    };
    "/worker/v1/runs/{run_id}/resources/{resource_id}": {
        /**
         * Read an attachment's record
         * @description The record, not the content.
         */
        get: operations["readRunResource"];
        /**
         * Store an attachment
         * @description Stores the raw bytes as an attachment of the run's application and subject, for `resource_ids` of the end. A repeat under the same ID changes nothing.
         */
        put: operations["putRunResource"];
    };
    "/worker/v1/runs/{run_id}/resources/{resource_id}/content": {
        /**
         * Download an attachment
         * @description The bytes as they were uploaded, under the declared media type.
         */
        get: operations["readRunResourceContent"];
    };
}
export interface webhooks {
    executeRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a run
         * @description The gateway posts each run once, signed with the service's secret; `webhook-id` is the run's ID. It posts a run again only to resume it after an approval, with `resume`. The answer is read as it arrives. An answer that stops without `end`, or is of another form, fails the run; what had arrived stays as partial output.
         */
        post: operations["executeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Activity: Activity;
        ActivityChange: ActivityChange;
        ActivityState: ActivityState;
        AppId: AppId;
        ApprovalId: ApprovalId;
        ApprovalSummary: ApprovalSummary;
        AssistantError: AssistantError;
        AssistantState: AssistantState;
        AssistantStep: AssistantStep;
        BindingVersion: BindingVersion;
        Claim: Claim;
        Claimed: Claimed;
        ClaimedRun: ClaimedRun;
        Context: Context;
        ContextMessage: ContextMessage;
        ConversationId: ConversationId;
        Decision: Decision;
        Delta: Delta;
        DeviceId: DeviceId;
        End: End;
        EndRun: EndRun;
        EndedRun: EndedRun;
        EndpointId: EndpointId;
        ExecuteRun: ExecuteRun;
        FailedEnd: FailedEnd;
        FieldError: FieldError;
        Generation: Generation;
        Heartbeat: Heartbeat;
        HeldRun: HeldRun;
        HttpStep: HttpStep;
        MessageId: MessageId;
        News: News;
        OpenSession: OpenSession;
        Problem: Problem;
        RequestId: RequestId;
        ResourceId: ResourceId;
        Resume: Resume;
        RunId: RunId;
        RunIds: RunIds;
        RunInput: RunInput;
        RunResource: RunResource;
        RunState: RunState;
        SendSteps: SendSteps;
        Service: Service;
        Session: Session;
        SessionId: SessionId;
        Slots: Slots;
        Step: Step;
        StepIndex: StepIndex;
        StepsTaken: StepsTaken;
        StopOrder: StopOrder;
        StoppedEnd: StoppedEnd;
        Subject: Subject;
        SucceededEnd: SucceededEnd;
        Timestamp: Timestamp;
        Usage: Usage;
        WaitMs: WaitMs;
        WholeMessage: WholeMessage;
        WorkerEnd: WorkerEnd;
    };
    responses: {
        /** @description The gateway failed; whether the request took effect is unknown. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The body, a header or the query breaks the contract; nothing happened. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description A header or the query breaks the contract; nothing happened. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The path exists but not with this method; `HEAD` on an event stream is such a case (D-53). */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description There is no such record for this caller. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The body is above the operation's limit. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The key sends requests too fast, or too many with unknown keys or tokens came from the address. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The run has ended or is no longer this session's. */
        RunLost: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The device has too many sessions, or the key sends requests too fast. */
        SessionsLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description No valid bearer token, or for webhooks no valid signature (D-05). */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description Admission is paused, or the gateway, its store or the device is unavailable. Nothing happened, unless the problem says `outcome: unknown`. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The body is not of the operation's media type. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The run has ended or is no longer this session's, or steps before these are missing. */
        WriteRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
    };
    parameters: {
        /**
         * @description The media type of the content.
         * @example application/pdf
         */
        ContentType: string;
        /**
         * @description A plain file name, without path separators and control characters.
         * @example invoice.pdf
         */
        Filename: string;
        /**
         * @description The ID that the worker chooses for the attachment: `res_` and 32 random hexadecimal digits. A repeat under the same ID changes nothing.
         * @example res_0199d39f00017e88f901122334455667
         */
        NewResourceId: string;
        /**
         * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
         * @example req-2026-03-02-0001
         */
        RequestId: string;
        /** @description An attachment of the run's application and subject that has its content; any other is 404 NOT_FOUND. */
        ResourceId: ResourceId;
        /** @description A run of this device; any other is 404 NOT_FOUND. */
        RunId: RunId;
        /** @description A session of this device that has not lapsed; any other is 404 NOT_FOUND. */
        SessionId: SessionId;
        /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; a run's token needs none. */
        SessionQuery: SessionId;
        /**
         * @description Stable ID of the event, the same on every retry: 1-128 printable ASCII characters without spaces. Exactly one such header (D-37).
         * @example order-event-981
         */
        WebhookId: string;
        /**
         * @description `v1,` and the HMAC-SHA256, in lower-case hexadecimal, of webhook-id, `.`, webhook-timestamp, `.` and the raw body bytes, keyed with the UTF-8 bytes of the secret's literal text. Exactly one such header (D-37).
         * @example v1,5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
         */
        WebhookSignature: string;
        /**
         * @description Unix time of signing in seconds, ASCII digits only; at most 300 seconds away from the receiver's clock. Exactly one such header (D-37).
         * @example 1772443800
         */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The methods that the path has.
         * @example GET, POST
         */
        Allow: string;
        /** @description The request's name in the gateway's logs: the caller's, when it sent a usable one, else a new one (D-10). */
        RequestId: RequestId;
        /**
         * @description Seconds to wait before trying again.
         * @example 5
         */
        RetryAfter: number;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
/**
 * @description An activity as it stands.
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
    /** @description Names the activity within its run. */
    activity_id: string;
    /** @description `tool`, `reasoning`, `progress`, `source`, or a name that the assistant chose. */
    kind: string;
    /** @description What is done, for programs, such as the tool's name. */
    name: string;
    state: ActivityState;
    /** @description What is done, for people. */
    title?: string;
    /** @description What the activity was given; any JSON. */
    input?: unknown;
    /** @description What came of it; any JSON. */
    output?: unknown;
    /** @description Text of the activity, such as reasoning. */
    text?: string;
}
/**
 * @description What the assistant does beside its answer: a tool call, reasoning, progress, a source (D-69). The first step with an `activity_id` begins the activity and names its `kind` and `name`; `state` is `running` unless it says another. Later steps replace the members that they name; `text_delta` appends to `text`. A run has at most 100 activities, of 64 KiB each and 1 MiB together; more fails it with `OUTPUT_LIMIT`.
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
    /** @description What is done, for programs, such as the tool's name. */
    name?: string;
    /** @enum {string} */
    state?: "running" | "succeeded" | "failed";
    /** @description What is done, for people. */
    title?: string;
    /** @description What the activity was given; any JSON, nested at most 128 levels deep. */
    input?: unknown;
    /** @description What came of it; any JSON, nested at most 128 levels deep. */
    output?: unknown;
    /** @description Text of the activity, such as reasoning; replaces what it had. */
    text?: string;
    /** @description A piece that is appended to `text`. */
    text_delta?: string;
}
/**
 * @description Open: clients must accept other values (D-15).
 * @example running
 */
export type ActivityState = "running" | "succeeded" | "failed" | (string & {});
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
 * @description What is to be approved. The run waits for the decision.
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
 * Format: int64
 * @description Published service version that the conversation uses. Distinct from the generation.
 * @example 3
 */
export type BindingVersion = number;
/**
 * @description A request for runs. `runs` tells the gateway which of the session's runs the worker has: another one, whose claim was never answered, is given again. A session has one claim at a time; a newer one ends the wait of the older.
 * @example {
 *       "limit": 8,
 *       "wait_ms": 20000,
 *       "runs": []
 *     }
 */
export interface Claim {
    /**
     * Format: int32
     * @description Most runs to take; at most the session's slots. 0 takes none: a worker that drains asks so for runs whose claim was never answered.
     */
    limit: number;
    wait_ms?: WaitMs;
    runs: RunIds;
}
/**
 * @description The runs that the session executes from now on; none where there was nothing to execute.
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
    /** @description What the service's version publishes as its assistant. */
    assistant: {
        [key: string]: unknown;
    };
    input: RunInput;
    /** @description The message of the streamed answer. It appears with the first delta. */
    reply_message_id: MessageId;
    /** @description When the gateway stops the run (D-59). Time in `waiting_approval` moves it. */
    deadline: Timestamp;
    /** @description The `traceparent` (W3C Trace Context) of the request that the run comes from; null where it had none. */
    traceparent: string | null;
}
/**
 * @description What was said before in the run's generation, oldest first; the newest 100 messages, at most 256 KiB of them.
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
     * @description Who said it.
     * @enum {string}
     */
    role: "user" | "assistant";
    /** @description The text; null where there is none. */
    text: string | null;
    /** @description The message's JSON object; null where there is none. */
    data: {
        [key: string]: unknown;
    } | null;
    /** @description Attachments of the message. */
    resource_ids: ResourceId[];
    /** @description What the assistant did beside this answer (D-69), where the service has `context_activities` and the message has any. */
    activities?: Activity[];
}
/**
 * @description Durable business conversation, reused for later messages. Opaque.
 * @example conv_0199d3a1c0de7f30a1b2c3d4e5f60718
 */
export type ConversationId = string;
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
    /** @description The last steps, which hold no approval. Default none. */
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
 * @description A published assistant service of the application. Opaque.
 * @example ep_echo
 */
export type EndpointId = string;
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
    /** @description What was said before in this generation, oldest first; the newest 100 messages, at most 256 KiB of them. */
    context: ContextMessage[];
    /** @description When the gateway stops the run (D-59). */
    deadline: Timestamp;
    /** @description A bearer token for the worker API's `context` and `resources` of this run. It ends with the run. */
    run_token: string;
    resume?: Resume;
    /**
     * @description An operator tries the assistant; there is no such run, and `run_token` opens nothing. Absent for runs.
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
 * @description Says that the worker is there, and renews the lease at once. The answer waits for `wait_ms`, or a third of the lease, unless there is something to tell.
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
 * @description A run that the worker has, with what it knows of it.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334"
 *     }
 */
export interface HeldRun {
    run_id: RunId;
    /** @description The approval whose decision the worker waits for. */
    approval_id?: ApprovalId;
    /** @description The worker knows that the run has to stop. It is not told again. */
    stopping?: boolean;
}
/**
 * @description One step in the answer of an `http` assistant. `end` or an `approval` is the last one. An `approval` ends the answer; its `state` is given back when the gateway posts the run again with the decision.
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
 * @description One message of a conversation. Opaque.
 * @example msg_0199d3a1c0e27a44b5c6d7e8f9011223
 */
export type MessageId = string;
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
    /** @description Runs that are not this session's any more, or never were. Stop their assistants, and send nothing about them. A run whose end crossed the heartbeat is among them, too. */
    lost: RunId[];
    /** @description Decisions of the approvals that the worker waits for. */
    decisions: Decision[];
    /** @description The operator has disabled the device. Finish what is under way; claims are answered without runs. */
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
    /** @description A name for operators, such as the host's. */
    name: string;
    /** @description The worker's version, for operators. */
    version?: string;
    slots: Slots;
}
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
    /** @description One of the catalogue `x-errors`. Open; clients must accept codes that they do not know and go by the status. */
    code: string;
    request_id: RequestId;
    /** @description `unknown`: the gateway lost its store before it learned whether the request was carried out (D-57). The same request under the same key gives the admission if there was one. Absent where nothing happened. Open (D-15). */
    outcome?: "unknown" | (string & {});
    /** @description The single faults of a 400, at most 20 of them (D-61). */
    errors?: FieldError[];
    /**
     * @description There are or may be more faults than those listed (D-61). Absent where all are listed.
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
 * @description An attachment. Opaque.
 * @example res_0199d39f00017e88f901122334455667
 */
export type ResourceId = string;
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
 * @description One message's task. Used for results, events and cancellation. Opaque.
 * @example run_0199d3a1c0e37b55c6d7e8f901122334
 */
export type RunId = string;
/**
 * @description The runs that the worker has: what it was given, until the gateway has acknowledged the end.
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
    /** @description The text; null where there is none. */
    text: string | null;
    /** @description The JSON object, its members in the order in which they were sent; null where there is none. */
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
 * @description `queued`: awaiting execution. `running`: execution is active. `waiting_approval`: an approval is needed. `cancelling`: stop requested, not confirmed. `reconciling`: the execution state is being established; success must not be inferred. Terminal: `succeeded`, `failed`, `cancelled`, `interrupted`, `expired`. Open: clients must accept other values (D-15).
 * @example queued
 */
export type RunState = "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired" | (string & {});
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
     * @description How long the session holds after a heartbeat, in milliseconds. A session that lapses is gone, and its runs are lost.
     */
    lease_ms: number;
    /** @description The services of the device, whose runs the worker has to execute. */
    services: Service[];
}
/**
 * @description One living worker. Opaque.
 * @example ws_0199d3a1c0f17a44b5c6d7e8f9011223
 */
export type SessionId = string;
/**
 * Format: int32
 * @description Runs that the worker executes at once. A run that waits for an approval takes none.
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
 * @description How many steps of the run the worker has sent before these. Steps that the gateway has already are left out, so that a repeat is harmless; a gap is 409 STEPS_OUT_OF_ORDER.
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
    /** @description The approval that the last step asked for; a heartbeat tells its decision. Null for other steps, and where the run has to stop. */
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
 * @description The assistant was stopped. `cancelled`: because the gateway asked for it; where it did not, the run is `interrupted`. `interrupted`: because the worker shuts down, or because what executed the run is gone, so that nobody knows what it did.
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
 * @description The business subject that the application acts for: 1-256 code points, no control characters, white space inside allowed, none around (D-03, D-54). Every record belongs to one application and one subject.
 * @example customer-4711
 */
export type Subject = string;
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
    /** @description The result's text, instead of what was streamed. The streamed message stays as it is. */
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
 * Format: date-time
 * @description UTC, ISO 8601, always with exactly three decimals and a `Z` (D-02).
 * @example 2026-03-02T09:30:00.123Z
 */
export type Timestamp = string;
/**
 * @description What the run has used (D-71). All members are optional.
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
 * @description How long the gateway may hold the answer until there is something to tell, in milliseconds.
 * @default 0
 * @example 20000
 */
export type WaitMs = number;
/**
 * @description A complete message beside the streamed answer.
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
export type $defs = Record<string, never>;
export interface operations {
    openSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
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
            /** @description The session is open. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Session;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["SessionsLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A session of this device that has not lapsed; any other is 404 NOT_FOUND. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is closed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    claimRuns: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A session of this device that has not lapsed; any other is 404 NOT_FOUND. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Claim;
            };
        };
        responses: {
            /** @description The runs to execute. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Claimed;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    beat: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A session of this device that has not lapsed; any other is 404 NOT_FOUND. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Heartbeat;
            };
        };
        responses: {
            /** @description The news. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": News;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendSteps: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SendSteps;
            };
        };
        responses: {
            /** @description The steps are written. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": StepsTaken;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WriteRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    endRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": EndRun;
            };
        };
        responses: {
            /** @description The run has ended. Its state may be another than the one sent, if its time was over before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndedRun;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WriteRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readContext: {
        parameters: {
            query?: ReadContextQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Context;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RunLost"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readRunResource: {
        parameters: {
            query?: ReadRunResourceQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
                /** @description An attachment of the run's application and subject that has its content; any other is 404 NOT_FOUND. */
                resource_id: components["parameters"]["ResourceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunResource;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RunLost"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putRunResource: {
        parameters: {
            query: PutRunResourceQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
                /**
                 * @description The ID that the worker chooses for the attachment: `res_` and 32 random hexadecimal digits. A repeat under the same ID changes nothing.
                 * @example res_0199d39f00017e88f901122334455667
                 */
                resource_id: components["parameters"]["NewResourceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": Blob;
            };
        };
        responses: {
            /** @description The attachment is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunResource;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RunLost"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readRunResourceContent: {
        parameters: {
            query?: ReadRunResourceContentQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of this device; any other is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
                /** @description An attachment of the run's application and subject that has its content; any other is 404 NOT_FOUND. */
                resource_id: components["parameters"]["ResourceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RunLost"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    executeRun: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Stable ID of the event, the same on every retry: 1-128 printable ASCII characters without spaces. Exactly one such header (D-37).
                 * @example order-event-981
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Unix time of signing in seconds, ASCII digits only; at most 300 seconds away from the receiver's clock. Exactly one such header (D-37).
                 * @example 1772443800
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` and the HMAC-SHA256, in lower-case hexadecimal, of webhook-id, `.`, webhook-timestamp, `.` and the raw body bytes, keyed with the UTF-8 bytes of the secret's literal text. Exactly one such header (D-37).
                 * @example v1,5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExecuteRun;
            };
        };
        responses: {
            /** @description The steps of the run: one a line as NDJSON, one a `data` field as server-sent events, or a single `end` as JSON. A line has at most 1 MiB. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": HttpStep;
                    "text/event-stream": HttpStep;
                    "application/json": HttpStep;
                };
            };
            /** @description The run fails, not retryable. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The run fails, retryable. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The run fails, not retryable. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
export interface ReadContextQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; a run's token needs none. */
    session_id?: components["parameters"]["SessionQuery"];
}
export interface ReadRunResourceQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; a run's token needs none. */
    session_id?: components["parameters"]["SessionQuery"];
}
export interface PutRunResourceQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; a run's token needs none. */
    session_id?: components["parameters"]["SessionQuery"];
    /**
     * @description A plain file name, without path separators and control characters.
     * @example invoice.pdf
     */
    filename: components["parameters"]["Filename"];
    /**
     * @description The media type of the content.
     * @example application/pdf
     */
    content_type: components["parameters"]["ContentType"];
}
export interface ReadRunResourceContentQuery {
    /** @description The session that claimed the run; any other is 409 RUN_LOST. Required with a device key; a run's token needs none. */
    session_id?: components["parameters"]["SessionQuery"];
}
