// Generated from openapi/worker.yaml by `pnpm generate`. Do not edit.

import type { ActivityChange, AppId, ApprovalId, ApprovalSummary, AssistantError, AssistantState, AssistantStep, BindingVersion, Claim, Claimed, ClaimedRun, ConversationId, Decision, Delta, DeviceId, End, EndRun, EndpointId, FailedEnd, FieldError, Generation, Heartbeat, HeldRun, HttpStep, MessageId, OpenSession, PutRunResourceQuery, ReadContextQuery, ReadRunResourceContentQuery, ReadRunResourceQuery, RequestId, ResourceId, Resume, RunId, RunIds, RunInput, RunResource, SendSteps, Service, Session, SessionId, Slots, Step, StepIndex, StepsTaken, StoppedEnd, Subject, SucceededEnd, Timestamp, Usage, WaitMs, WholeMessage, WorkerEnd } from './worker.ts'
export type { ActivityChange, AppId, ApprovalId, ApprovalSummary, AssistantError, AssistantState, AssistantStep, BindingVersion, Claim, Claimed, ClaimedRun, ConversationId, Decision, Delta, DeviceId, End, EndRun, EndpointId, FailedEnd, FieldError, Generation, Heartbeat, HeldRun, HttpStep, MessageId, OpenSession, PutRunResourceQuery, ReadContextQuery, ReadRunResourceContentQuery, ReadRunResourceQuery, RequestId, ResourceId, Resume, RunId, RunIds, RunInput, RunResource, SendSteps, Service, Session, SessionId, Slots, Step, StepIndex, StepsTaken, StoppedEnd, Subject, SucceededEnd, Timestamp, Usage, WaitMs, WholeMessage, WorkerEnd } from './worker.ts'

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
 * @description Open: clients must accept other values (D-15).
 * @example running
 * @enum {string}
 */
export type ActivityState = "running" | "succeeded" | "failed";
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
    /**
     * @description `unknown`: the gateway lost its store before it learned whether the request was carried out (D-57). The same request under the same key gives the admission if there was one. Absent where nothing happened. Open (D-15).
     * @enum {string}
     */
    outcome?: "unknown";
    /** @description The single faults of a 400, at most 20 of them (D-61). */
    errors?: FieldError[];
    /**
     * @description There are or may be more faults than those listed (D-61). Absent where all are listed.
     * @constant
     */
    more_faults?: true;
}
/**
 * @description `queued`: awaiting execution. `running`: execution is active. `waiting_approval`: an approval is needed. `cancelling`: stop requested, not confirmed. `reconciling`: the execution state is being established; success must not be inferred. Terminal: `succeeded`, `failed`, `cancelled`, `interrupted`, `expired`. Open: clients must accept other values (D-15).
 * @example queued
 * @enum {string}
 */
export type RunState = "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired";
/**
 * @description A run that has to stop, and why.
 * @example {
 *       "run_id": "run_0199d3a1c0e37b55c6d7e8f901122334",
 *       "reason": "requested"
 *     }
 */
export interface StopOrder {
    run_id: RunId;
    /**
     * @description `requested`: a cancel, a reset, or the end of the run's time. Open (D-15).
     * @enum {string}
     */
    reason: "requested";
}
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
