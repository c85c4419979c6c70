// Generated from openapi/admin.yaml by `pnpm generate`. Do not edit.

import type { AdmissionSwitch, AppId, ApprovalId, Assistant, AuditRecord, AuditRecordList, BindingVersion, BusyPolicy, Callback, CallbackEventType, CallbackEvents, CallbackId, CallbackList, CallbackUrl, CancelRuns, ChosenId, Compatibility, ContextActivities, ConversationId, CreateApp, CreateCallback, CreateDevice, CreateDeviceKey, CreateEndpoint, CreateKey, CreateOperator, CreateWebhook, CreatedDeviceKey, CreatedKey, CreatedOperator, DecideApproval, DeliveryAttempt, DeliveryError, DeliveryId, DeliveryRetries, DeviceId, DeviceKey, DeviceKeyList, DeviceSession, DeviceSessionList, EchoAssistant, Endpoint, EndpointId, EndpointList, EndpointTrial, ErasedRecords, ErasureId, EventId, FieldError, FieldPath, Generation, GetDeliveryQuery, GetRunTimelineQuery, HttpAssistant, IntegrationId, Key, KeyId, KeyList, Lease, Limit, ListApprovalsQuery, ListAppsQuery, ListAuditRecordsQuery, ListCallbacksQuery, ListConversationRecordsQuery, ListDeliveriesQuery, ListDeviceKeysQuery, ListDeviceSessionsQuery, ListDevicesQuery, ListEndpointsQuery, ListKeysQuery, ListMessageRecordsQuery, ListOperatorsQuery, ListRunRecordsQuery, ListUsageQuery, ListWebhooksQuery, MaxRunSeconds, MediaRange, MessageId, ModuleAssistant, Name, NamedSubject, NullableFieldPath, NullableName, NullableSchema, NullableTimestamp, OpenaiAssistant, OperationId, Operator, OperatorId, OperatorList, OperatorRole, OperatorSelf, OverviewHistory, OverviewSample, OwnerId, ProcessCounts, PruneByAge, PruneConversation, PruneEvents, PrunedEvents, PublishVersion, RateLimit, RecentRuns, ReencryptedSecrets, RefusalCount, RequestId, ResourceId, RestoredMark, RetryDeliveries, RotateCallbackSecretQuery, RotateEndpointSecretQuery, RotateWebhookSecretQuery, RunCancellations, RunError, RunId, RunUsage, SavedCallback, SavedEndpoint, SavedWebhook, Scope, ScriptAssistant, Secret, Seq, SessionId, ShownCallbackUrl, Subject, TimelineEvent, Timestamp, TryEndpoint, UndeliveredCallbacks, UnfinishedRuns, UpdateApp, UpdateCallback, UpdateDevice, UpdateWebhook, Usage, UsageOfDay, Webhook, WebhookAction, WebhookList, WebhookMatch, WorkerAssistant } from './admin.ts'
export type { AdmissionSwitch, AppId, ApprovalId, Assistant, AuditRecord, AuditRecordList, BindingVersion, BusyPolicy, Callback, CallbackEventType, CallbackEvents, CallbackId, CallbackList, CallbackUrl, CancelRuns, ChosenId, Compatibility, ContextActivities, ConversationId, CreateApp, CreateCallback, CreateDevice, CreateDeviceKey, CreateEndpoint, CreateKey, CreateOperator, CreateWebhook, CreatedDeviceKey, CreatedKey, CreatedOperator, DecideApproval, DeliveryAttempt, DeliveryError, DeliveryId, DeliveryRetries, DeviceId, DeviceKey, DeviceKeyList, DeviceSession, DeviceSessionList, EchoAssistant, Endpoint, EndpointId, EndpointList, EndpointTrial, ErasedRecords, ErasureId, EventId, FieldError, FieldPath, Generation, GetDeliveryQuery, GetRunTimelineQuery, HttpAssistant, IntegrationId, Key, KeyId, KeyList, Lease, Limit, ListApprovalsQuery, ListAppsQuery, ListAuditRecordsQuery, ListCallbacksQuery, ListConversationRecordsQuery, ListDeliveriesQuery, ListDeviceKeysQuery, ListDeviceSessionsQuery, ListDevicesQuery, ListEndpointsQuery, ListKeysQuery, ListMessageRecordsQuery, ListOperatorsQuery, ListRunRecordsQuery, ListUsageQuery, ListWebhooksQuery, MaxRunSeconds, MediaRange, MessageId, ModuleAssistant, Name, NamedSubject, NullableFieldPath, NullableName, NullableSchema, NullableTimestamp, OpenaiAssistant, OperationId, Operator, OperatorId, OperatorList, OperatorRole, OperatorSelf, OverviewHistory, OverviewSample, OwnerId, ProcessCounts, PruneByAge, PruneConversation, PruneEvents, PrunedEvents, PublishVersion, RateLimit, RecentRuns, ReencryptedSecrets, RefusalCount, RequestId, ResourceId, RestoredMark, RetryDeliveries, RotateCallbackSecretQuery, RotateEndpointSecretQuery, RotateWebhookSecretQuery, RunCancellations, RunError, RunId, RunUsage, SavedCallback, SavedEndpoint, SavedWebhook, Scope, ScriptAssistant, Secret, Seq, SessionId, ShownCallbackUrl, Subject, TimelineEvent, Timestamp, TryEndpoint, UndeliveredCallbacks, UnfinishedRuns, UpdateApp, UpdateCallback, UpdateDevice, UpdateWebhook, Usage, UsageOfDay, Webhook, WebhookAction, WebhookList, WebhookMatch, WorkerAssistant } from './admin.ts'

export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Activity: Activity;
        ActivityState: ActivityState;
        AdmissionSwitch: AdmissionSwitch;
        App: App;
        AppId: AppId;
        AppList: AppList;
        AppState: AppState;
        Approval: Approval;
        ApprovalId: ApprovalId;
        ApprovalList: ApprovalList;
        ApprovalState: ApprovalState;
        Assistant: Assistant;
        AuditRecord: AuditRecord;
        AuditRecordList: AuditRecordList;
        BindingVersion: BindingVersion;
        BusyPolicy: BusyPolicy;
        Callback: Callback;
        CallbackDeliveryState: CallbackDeliveryState;
        CallbackEventType: CallbackEventType;
        CallbackEvents: CallbackEvents;
        CallbackId: CallbackId;
        CallbackList: CallbackList;
        CallbackUrl: CallbackUrl;
        CancelRuns: CancelRuns;
        ChosenId: ChosenId;
        Compatibility: Compatibility;
        ContextActivities: ContextActivities;
        ConversationId: ConversationId;
        ConversationRecord: ConversationRecord;
        ConversationRecordList: ConversationRecordList;
        CreateApp: CreateApp;
        CreateCallback: CreateCallback;
        CreateDevice: CreateDevice;
        CreateDeviceKey: CreateDeviceKey;
        CreateEndpoint: CreateEndpoint;
        CreateKey: CreateKey;
        CreateOperator: CreateOperator;
        CreateWebhook: CreateWebhook;
        CreatedDeviceKey: CreatedDeviceKey;
        CreatedKey: CreatedKey;
        CreatedOperator: CreatedOperator;
        DecideApproval: DecideApproval;
        Delivery: Delivery;
        DeliveryAttempt: DeliveryAttempt;
        DeliveryDetails: DeliveryDetails;
        DeliveryError: DeliveryError;
        DeliveryId: DeliveryId;
        DeliveryList: DeliveryList;
        DeliveryRetries: DeliveryRetries;
        DeliveryWithAttempts: DeliveryWithAttempts;
        Device: Device;
        DeviceId: DeviceId;
        DeviceKey: DeviceKey;
        DeviceKeyList: DeviceKeyList;
        DeviceList: DeviceList;
        DeviceLoad: DeviceLoad;
        DeviceSession: DeviceSession;
        DeviceSessionList: DeviceSessionList;
        DeviceState: DeviceState;
        EchoAssistant: EchoAssistant;
        Endpoint: Endpoint;
        EndpointId: EndpointId;
        EndpointList: EndpointList;
        EndpointTrial: EndpointTrial;
        ErasedRecords: ErasedRecords;
        Erasure: Erasure;
        ErasureId: ErasureId;
        ErasureState: ErasureState;
        EventId: EventId;
        FieldError: FieldError;
        FieldPath: FieldPath;
        Generation: Generation;
        HttpAssistant: HttpAssistant;
        IntegrationId: IntegrationId;
        Key: Key;
        KeyId: KeyId;
        KeyList: KeyList;
        Lease: Lease;
        Limit: Limit;
        MaxRunSeconds: MaxRunSeconds;
        MediaRange: MediaRange;
        MessageId: MessageId;
        MessageRecord: MessageRecord;
        MessageRecordList: MessageRecordList;
        ModuleAssistant: ModuleAssistant;
        Name: Name;
        NamedSubject: NamedSubject;
        NullableFieldPath: NullableFieldPath;
        NullableName: NullableName;
        NullableSchema: NullableSchema;
        NullableTimestamp: NullableTimestamp;
        OpenaiAssistant: OpenaiAssistant;
        OperationId: OperationId;
        Operator: Operator;
        OperatorId: OperatorId;
        OperatorList: OperatorList;
        OperatorRole: OperatorRole;
        OperatorSelf: OperatorSelf;
        Overview: Overview;
        OverviewHistory: OverviewHistory;
        OverviewSample: OverviewSample;
        OwnerId: OwnerId;
        Problem: Problem;
        ProcessCounts: ProcessCounts;
        PruneByAge: PruneByAge;
        PruneConversation: PruneConversation;
        PruneEvents: PruneEvents;
        PrunedEvents: PrunedEvents;
        PublishVersion: PublishVersion;
        RateLimit: RateLimit;
        RecentRuns: RecentRuns;
        ReencryptedSecrets: ReencryptedSecrets;
        RefusalCount: RefusalCount;
        RequestId: RequestId;
        ResourceId: ResourceId;
        RestoredMark: RestoredMark;
        RetryDeliveries: RetryDeliveries;
        RunCancellations: RunCancellations;
        RunError: RunError;
        RunId: RunId;
        RunRecord: RunRecord;
        RunRecordList: RunRecordList;
        RunState: RunState;
        RunTimeline: RunTimeline;
        RunUsage: RunUsage;
        SavedCallback: SavedCallback;
        SavedEndpoint: SavedEndpoint;
        SavedWebhook: SavedWebhook;
        Scope: Scope;
        ScriptAssistant: ScriptAssistant;
        Secret: Secret;
        Seq: Seq;
        SessionId: SessionId;
        ShownCallbackUrl: ShownCallbackUrl;
        Subject: Subject;
        TimelineEvent: TimelineEvent;
        TimelineMessage: TimelineMessage;
        TimelineStop: TimelineStop;
        Timestamp: Timestamp;
        TryEndpoint: TryEndpoint;
        UndeliveredCallbacks: UndeliveredCallbacks;
        UnfinishedRuns: UnfinishedRuns;
        UpdateApp: UpdateApp;
        UpdateCallback: UpdateCallback;
        UpdateDevice: UpdateDevice;
        UpdateWebhook: UpdateWebhook;
        Usage: Usage;
        UsageOfDay: UsageOfDay;
        Webhook: Webhook;
        WebhookAction: WebhookAction;
        WebhookList: WebhookList;
        WebhookMatch: WebhookMatch;
        WorkerAssistant: WorkerAssistant;
    };
    responses: {
        /** @description The approval was decided otherwise, or its run has ended. */
        AlreadyDecided: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description The chosen ID is taken. */
        AlreadyExists: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
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
        /** @description The scope is missing, or the application or device is disabled (D-05). */
        PermissionDenied: {
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
        /** @description The delivery cannot be retried. */
        RetryRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
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
    };
    parameters: {
        /** @description Only records of this application. */
        AppFilter: AppId;
        /** @description An application; an unknown one is 404 NOT_FOUND. */
        AppId: AppId;
        /** @description An approval; an unknown one is 404 NOT_FOUND. */
        ApprovalId: ApprovalId;
        /**
         * @description Only approvals in this state.
         * @example pending
         */
        ApprovalStateFilter: "pending" | "approved" | "denied" | "withdrawn";
        /**
         * @description The ID of the previous page's last record; an unknown one is 404 NOT_FOUND.
         * @example dlv_0199d3a1c1b17d77e8f9011223344556
         */
        Before: string;
        /**
         * @description The smallest cursor of the previous page; neither a message ID nor an SSE sequence number.
         * @example 41
         */
        BeforeCursor: number;
        /** @description Only deliveries of this configuration. */
        CallbackFilter: CallbackId;
        /** @description A callback configuration; an unknown one is 404 NOT_FOUND. */
        CallbackId: CallbackId;
        /** @description Only runs of this conversation. */
        ConversationFilter: ConversationId;
        /** @description A conversation of any application; an unknown one is 404 NOT_FOUND. */
        ConversationId: ConversationId;
        /**
         * @description Only what was created at this moment or later, RFC 3339 with a timezone.
         * @example 2026-03-02T09:00:00Z
         */
        CreatedAfter: string;
        /**
         * @description Only what was created before this moment, RFC 3339 with a timezone.
         * @example 2026-03-02T10:00:00Z
         */
        CreatedBefore: string;
        /** @description A delivery; an unknown one is 404 NOT_FOUND. */
        DeliveryId: DeliveryId;
        /**
         * @description Only deliveries in this state.
         * @example needs_action
         */
        DeliveryStateFilter: "pending" | "sending" | "delivered" | "needs_action" | "expired" | "cancelled_config_changed";
        /** @description Only runs of this device. */
        DeviceFilter: DeviceId;
        /** @description A device; an unknown one is 404 NOT_FOUND. */
        DeviceId: DeviceId;
        /** @description A key of the device; any other is 404 NOT_FOUND. */
        DeviceKeyId: KeyId;
        /** @description Only runs of this service. */
        EndpointFilter: EndpointId;
        /** @description A service of the application; any other is 404 NOT_FOUND. */
        EndpointId: EndpointId;
        /** @description An erasure; an unknown one is 404 NOT_FOUND. */
        ErasureId: ErasureId;
        /**
         * @description Only runs that ended with this error code.
         * @example ASSISTANT_ERROR
         */
        ErrorCodeFilter: string;
        /**
         * @description Whether the texts and data of messages are shown.
         * @example false
         */
        IncludeText: boolean;
        /** @description A webhook integration; an unknown one is 404 NOT_FOUND. */
        IntegrationId: IntegrationId;
        /** @description A key of the application; any other is 404 NOT_FOUND. */
        KeyId: KeyId;
        /**
         * @description Largest page wanted. 1-200 are accepted, at most 100 records are returned.
         * @example 50
         */
        Limit: number;
        /**
         * @description Only what was created at least this many seconds ago, such as runs that have waited for a long time.
         * @example 300
         */
        OlderThan: number;
        /**
         * @description Only this operation, by its `operationId`.
         * @example revokeKey
         */
        OperationFilter: string;
        /** @description Only what the operator of this name did. */
        OperatorFilter: Name;
        /** @description An operator; an unknown one is 404 NOT_FOUND. */
        OperatorId: OperatorId;
        /**
         * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
         * @example req-2026-03-02-0001
         */
        RequestId: string;
        /** @description A run of any application; an unknown one is 404 NOT_FOUND. */
        RunId: RunId;
        /**
         * @description Only runs in this state.
         * @example failed
         */
        RunStateFilter: "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired";
        /**
         * @description For how long the secret from before stays in use beside the new one, at most 24 hours. Default 0: it is of no use from now on, as after a leak.
         * @example 3600
         */
        SecretOverlap: number;
        /** @description Whom it is about, percent-encoded in the URL; any text that can be a subject is taken. What cannot be one is 400 INVALID_REQUEST. */
        Subject: NamedSubject;
        /** @description Only what belongs to this subject. Needs `app_id`, because a subject is its application's own. */
        SubjectFilter: NamedSubject;
        /**
         * @description `service` tells the services of an application apart.
         * @example service
         */
        UsageBy: "application" | "service";
    };
    requestBodies: never;
    headers: {
        /**
         * @description The methods that the path has.
         * @example GET, POST
         */
        Allow: string;
        /**
         * @description When the operation was or will be deprecated, as a structured-field date (RFC 9745, D-51).
         * @example @1772443800
         */
        Deprecation: string;
        /** @description The request's name in the gateway's logs: the caller's, when it sent a usable one, else a new one (D-10). */
        RequestId: RequestId;
        /**
         * @description Seconds to wait before trying again.
         * @example 5
         */
        RetryAfter: number;
        /**
         * @description When the deprecated operation will stop working, as an HTTP date (RFC 8594, D-51).
         * @example Sun, 01 Nov 2026 00:00:00 GMT
         */
        Sunset: string;
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
    /** @description The limits that apply, its own or the gateway's, according to the settings of the answering process. */
    limits_in_force: {
        /**
         * Format: int64
         * @description Unfinished runs.
         */
        pending_limit: number;
        /**
         * Format: int64
         * @description Requests a second of each key, in each process; null for no limit.
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
 * @enum {string}
 */
export type AppState = "active" | "disabled";
/**
 * @description What a run waits for.
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
 * @description `withdrawn`: its run ended undecided. Open (D-15).
 * @example pending
 * @enum {string}
 */
export type ApprovalState = "pending" | "approved" | "denied" | "withdrawn";
/**
 * @description `pending` and `sending`: waiting or in flight. `delivered`: a 2xx was received, which does not prove that it was processed. `needs_action`: the receiver refused. `expired`: attempts or window have ended. `cancelled_config_changed`: the configuration changed; old events are not sent to a new destination. Open (D-15).
 * @example delivered
 * @enum {string}
 */
export type CallbackDeliveryState = "pending" | "sending" | "delivered" | "needs_action" | "expired" | "cancelled_config_changed";
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
    /** @description For whom the application acts; null once that was erased. */
    subject: string | null;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    /** @description The application's own key; null without one. */
    business_key: string | null;
    binding_version: BindingVersion;
    generation: Generation;
    /**
     * @description `resetting`: a reset waits for the work before it to end. Open (D-15).
     * @example active
     * @enum {string}
     */
    state: "active" | "resetting";
    /**
     * Format: int32
     * @description Runs that wait in it.
     */
    queued_runs: number;
    /** @description The run that executes in it; null while none does. */
    executing_run_id: RunId | null;
    /** @description The newest event's position. */
    last_seq: Seq;
    /** @description The erasure that took it from its subject; null where there was none. */
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
 * @description A delivery with what it sends, where to, and its latest attempts.
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
    /** @description The run that the event is about; null once that is no longer retained. */
    run_id: RunId | null;
    /** @description Where it is sent, with the query hidden; null once the configuration has a newer version. */
    url: string | null;
    /** @description Whether what is sent is retained. It no longer is once the delivery has arrived. */
    has_body: boolean;
    /** @description What every attempt sends; null unless it was asked for and is retained. */
    body: {
        [key: string]: unknown;
    } | null;
}
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
 * @description What executes the services published on it.
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
    /** @description Whether a worker of the device has a fresh heartbeat. Offline for longer than 30 s, new work is 503. */
    online: boolean;
    /** @description The latest heartbeat; null before the first. */
    last_seen_at: NullableTimestamp;
    /** @description Unfinished runs on the device; null for the default, 1000 (D-24). */
    pending_limit: Limit;
    /** @description Concurrent event streams over the device's conversations; null for the default, 32. */
    stream_limit: Limit;
    /** @description The limits that apply, its own or the gateway's, according to the settings of the answering process. */
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
 * @description What a device has to do.
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
 * @description `paused`: new work is 503 CAPABILITY_UNAVAILABLE; `disabled`: new work is 403 PERMISSION_DENIED. What exists stays readable. Open (D-15).
 * @example active
 * @enum {string}
 */
export type DeviceState = "active" | "paused" | "disabled";
/**
 * @description The erasure of a conversation, or of everything that a subject had. It says how much was erased and when, and nothing of what was: not even the subject.
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
    /** @description The conversation; null where it is the erasure of a subject. */
    conversation_id: ConversationId | null;
    state: ErasureState;
    erased: ErasedRecords;
    created_at: Timestamp;
    completed_at: NullableTimestamp;
}
/**
 * @description Whether all of it is erased.
 * @example succeeded
 * @enum {string}
 */
export type ErasureState = "pending" | "succeeded";
/**
 * @description A message of a conversation. Its content is null unless it was asked for.
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
    /**
     * @description Who wrote it. Open (D-15).
     * @enum {string}
     */
    role: "user" | "assistant";
    /**
     * Format: int64
     * @description Position among the conversation's messages.
     */
    cursor: number;
    text: string | null;
    data: {
        [key: string]: unknown;
    } | null;
    /** @description What the assistant did beside this answer (D-69); null unless contents were asked for. */
    activities: Activity[] | null;
    /** @description Attachments of an input message. */
    resource_ids: ResourceId[];
    /** @description Whether it is being written, or its run ended before it was complete. */
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
    /** @description For whom the application acts; null once that was erased. */
    subject: string | null;
    conversation_id: ConversationId;
    generation: Generation;
    endpoint_id: EndpointId;
    device_id: DeviceId;
    binding_version: BindingVersion;
    message_id: MessageId;
    state: RunState;
    /**
     * @description Whether a device has taken it for execution. Open (D-15).
     * @example waiting_device
     * @enum {string}
     */
    delivery_state: "waiting_device" | "device_received";
    /** @description Why it failed; null if it did not, and once the result is no longer kept. */
    error: RunError | null;
    /** @description Which process executes it; null while none does. */
    lease: Lease | null;
    /** @description The trace of the request that admitted the run, from its `traceparent`; null if it had none. */
    trace_id: string | null;
    /** @description Latest start. */
    start_before: Timestamp;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** @description When it ended; null before. */
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
 * @description `queued`: awaiting execution. `running`: execution is active. `waiting_approval`: an approval is needed. `cancelling`: stop requested, not confirmed. `reconciling`: the execution state is being established; success must not be inferred. Terminal: `succeeded`, `failed`, `cancelled`, `interrupted`, `expired`. Open: clients must accept other values (D-15).
 * @example queued
 * @enum {string}
 */
export type RunState = "queued" | "running" | "waiting_approval" | "cancelling" | "reconciling" | "succeeded" | "failed" | "cancelled" | "interrupted" | "expired";
/**
 * @description All that belongs to a run. Events whose retention has ended are missing; so are those beyond the first 50,000 of its conversation since its admission.
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
    /** @description When it began to execute; null before, and once the event is no longer kept. */
    started_at: NullableTimestamp;
    /** @description When the first piece of an answer came; null before, and once the event is no longer kept. */
    first_output_at: NullableTimestamp;
    /** @description What it has used (D-71); null where its assistant does not say, and once the result is no longer kept. */
    usage: RunUsage | null;
    /** @description The input and the answers, by cursor. */
    messages: TimelineMessage[];
    /** @description By seq. */
    events: TimelineEvent[];
    /** @description What it waited for, oldest first. */
    approvals: Approval[];
    /** @description Oldest first. */
    stops: TimelineStop[];
    /** @description Who was told, and what became of each attempt; by seq. */
    deliveries: DeliveryWithAttempts[];
}
/**
 * @description A message of the run. Its content is null unless it was asked for.
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
    /**
     * @description Who wrote it. Open (D-15).
     * @enum {string}
     */
    role: "user" | "assistant";
    /**
     * Format: int64
     * @description Position among the conversation's messages.
     */
    cursor: number;
    text: string | null;
    data: {
        [key: string]: unknown;
    } | null;
    /** @description What the assistant did beside this answer (D-69); null unless contents were asked for. */
    activities: Activity[] | null;
    /** @description Attachments of an input message. */
    resource_ids: ResourceId[];
    /** @description Whether it is being written, or its run ended before it was complete. */
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
    /**
     * @description Open (D-15).
     * @enum {string}
     */
    kind: "cancel" | "reset";
    /** @description How far it has come. */
    state: string;
    created_at: Timestamp;
    updated_at: Timestamp;
}
export type $defs = Record<string, never>;
export interface operations {
    listApps: {
        parameters: {
            query?: ListAppsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AppList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApp: {
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
                "application/json": CreateApp;
            };
        };
        responses: {
            /** @description The application was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApp: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApp: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateApp;
            };
        };
        responses: {
            /** @description The application as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": App;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: ListKeysQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": KeyList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateKey;
            };
        };
        responses: {
            /** @description The key was created; its secret is shown only now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedKey;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description A key of the application; any other is 404 NOT_FOUND. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Key;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseSubject: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description Whom it is about, percent-encoded in the URL; any text that can be a subject is taken. What cannot be one is 400 INVALID_REQUEST. */
                subject: components["parameters"]["Subject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure, which continues in the background. If the subject has nothing, it finds nothing. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: ListEndpointsQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndpointList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEndpoint: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateEndpoint;
            };
        };
        responses: {
            /** @description The service was published. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEndpoint: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description A service of the application; any other is 404 NOT_FOUND. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Endpoint;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishVersion: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description A service of the application; any other is 404 NOT_FOUND. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PublishVersion;
            };
        };
        responses: {
            /** @description The service at its new version. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: RotateEndpointSecretQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description A service of the application; any other is 404 NOT_FOUND. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedEndpoint;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryEndpoint: {
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
                /** @description An application; an unknown one is 404 NOT_FOUND. */
                app_id: components["parameters"]["AppId"];
                /** @description A service of the application; any other is 404 NOT_FOUND. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TryEndpoint;
            };
        };
        responses: {
            /** @description What the assistant answered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndpointTrial;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDevices: {
        parameters: {
            query?: ListDevicesQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDevice: {
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
                "application/json": CreateDevice;
            };
        };
        responses: {
            /** @description The device was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateDevice;
            };
        };
        responses: {
            /** @description The device as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableDevice: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Device;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeviceKeys: {
        parameters: {
            query?: ListDeviceKeysQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceKeyList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDeviceKey: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CreateDeviceKey;
            };
        };
        responses: {
            /** @description The key was created; its secret is shown only now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedDeviceKey;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeDeviceKey: {
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
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
                /** @description A key of the device; any other is 404 NOT_FOUND. */
                key_id: components["parameters"]["DeviceKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key in its current state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceKey;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeviceSessions: {
        parameters: {
            query?: ListDeviceSessionsQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A device; an unknown one is 404 NOT_FOUND. */
                device_id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeviceSessionList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperators: {
        parameters: {
            query?: ListOperatorsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OperatorList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOperator: {
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
                "application/json": CreateOperator;
            };
        };
        responses: {
            /** @description The operator with the token. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedOperator;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOperator: {
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
                /** @description An operator; an unknown one is 404 NOT_FOUND. */
                operator_id: components["parameters"]["OperatorId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operator. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Operator;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperatorSelf: {
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
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OperatorSelf;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditRecords: {
        parameters: {
            query?: ListAuditRecordsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AuditRecordList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsage: {
        parameters: {
            query?: ListUsageQuery;
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
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Usage;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
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
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Overview;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverviewHistory: {
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
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OverviewHistory;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRunRecords: {
        parameters: {
            query?: ListRunRecordsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecordList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunRecord: {
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
                /** @description A run of any application; an unknown one is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecord;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRunRecord: {
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
                /** @description A run of any application; an unknown one is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state after the request. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunRecord;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRunRecords: {
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
                "application/json": CancelRuns;
            };
        };
        responses: {
            /** @description What was found and done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunCancellations;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunTimeline: {
        parameters: {
            query?: GetRunTimelineQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A run of any application; an unknown one is 404 NOT_FOUND. */
                run_id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RunTimeline;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversationRecords: {
        parameters: {
            query?: ListConversationRecordsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecordList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMessageRecords: {
        parameters: {
            query?: ListMessageRecordsQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A conversation of any application; an unknown one is 404 NOT_FOUND. */
                conversation_id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": MessageRecordList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelConversationWork: {
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
                /** @description A conversation of any application; an unknown one is 404 NOT_FOUND. */
                conversation_id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state after the request. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecord;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: ListApprovalsQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ApprovalList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideApproval: {
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
                /** @description An approval; an unknown one is 404 NOT_FOUND. */
                approval_id: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DecideApproval;
            };
        };
        responses: {
            /** @description The approval as decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Approval;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyDecided"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdmission: {
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
        requestBody?: never;
        responses: {
            /** @description The switch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AdmissionSwitch;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAdmission: {
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
                "application/json": AdmissionSwitch;
            };
        };
        responses: {
            /** @description The switch as set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AdmissionSwitch;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pruneEvents: {
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
                "application/json": PruneEvents;
            };
        };
        responses: {
            /** @description How many events were dropped. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PrunedEvents;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    markRestored: {
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
        requestBody?: never;
        responses: {
            /** @description How many conversations have new positions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RestoredMark;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: ListWebhooksQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
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
                "application/json": CreateWebhook;
            };
        };
        responses: {
            /** @description The integration was saved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedWebhook;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
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
                /** @description A webhook integration; an unknown one is 404 NOT_FOUND. */
                integration_id: components["parameters"]["IntegrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Webhook;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
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
                /** @description A webhook integration; an unknown one is 404 NOT_FOUND. */
                integration_id: components["parameters"]["IntegrationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateWebhook;
            };
        };
        responses: {
            /** @description The integration as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Webhook;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: RotateWebhookSecretQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A webhook integration; an unknown one is 404 NOT_FOUND. */
                integration_id: components["parameters"]["IntegrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedWebhook;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCallbacks: {
        parameters: {
            query?: ListCallbacksQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CallbackList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCallback: {
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
                "application/json": CreateCallback;
            };
        };
        responses: {
            /** @description The configuration was saved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedCallback;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallback: {
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
                /** @description A callback configuration; an unknown one is 404 NOT_FOUND. */
                callback_id: components["parameters"]["CallbackId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Callback;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCallback: {
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
                /** @description A callback configuration; an unknown one is 404 NOT_FOUND. */
                callback_id: components["parameters"]["CallbackId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UpdateCallback;
            };
        };
        responses: {
            /** @description The configuration as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Callback;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateCallbackSecret: {
        parameters: {
            query?: RotateCallbackSecretQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A callback configuration; an unknown one is 404 NOT_FOUND. */
                callback_id: components["parameters"]["CallbackId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedCallback;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    reencryptSecrets: {
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
        requestBody?: never;
        responses: {
            /** @description What was found and done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReencryptedSecrets;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConversationRecord: {
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
                /** @description A conversation of any application; an unknown one is 404 NOT_FOUND. */
                conversation_id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConversationRecord;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseConversation: {
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
                /** @description A conversation of any application; an unknown one is 404 NOT_FOUND. */
                conversation_id: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure, which continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasure: {
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
                /** @description An erasure; an unknown one is 404 NOT_FOUND. */
                erasure_id: components["parameters"]["ErasureId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Erasure;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: ListDeliveriesQuery;
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
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDeliveries: {
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
                "application/json": RetryDeliveries;
            };
        };
        responses: {
            /** @description What was found and done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryRetries;
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: GetDeliveryQuery;
            header?: {
                /**
                 * @description The caller's own name for the request. Used when it is 1-128 visible ASCII characters, otherwise the gateway makes one; never a reason to refuse (D-10).
                 * @example req-2026-03-02-0001
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description A delivery; an unknown one is 404 NOT_FOUND. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeliveryDetails;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDelivery: {
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
                /** @description A delivery; an unknown one is 404 NOT_FOUND. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is pending again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Delivery;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RetryRefused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
