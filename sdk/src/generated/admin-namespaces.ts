// Generated from openapi/admin.yaml by `npm run generate`. Do not edit.

import type { Bytes } from '../client/upload.ts'
import type { Call, Calls, Mutation, Pages } from '../client/calls.ts'
import type { CallOptions, MutationOptions, PageOptions, WaitOptions } from '../client/options.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import type { EventStream } from '../events/subscribe.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { ADMIN_OPERATIONS } from './admin-operations.ts'
import type { AdmissionSwitch, App, AppList, Approval, ApprovalList, AuditRecord, AuditRecordList, Callback, CallbackList, CancelRuns, ConversationRecord, ConversationRecordList, CreateApp, CreateCallback, CreateDevice, CreateDeviceKey, CreateEndpoint, CreateKey, CreateOperator, CreateWebhook, CreatedDeviceKey, CreatedKey, CreatedOperator, DecideApproval, Delivery, DeliveryDetails, DeliveryList, DeliveryRetries, Device, DeviceKey, DeviceKeyList, DeviceList, DeviceSession, DeviceSessionList, Endpoint, EndpointList, EndpointTrial, Erasure, GetDeliveryQuery, GetRunTimelineQuery, Key, KeyList, ListApprovalsQuery, ListAppsQuery, ListAuditRecordsQuery, ListCallbacksQuery, ListConversationRecordsQuery, ListDeliveriesQuery, ListDeviceKeysQuery, ListDeviceSessionsQuery, ListDevicesQuery, ListEndpointsQuery, ListKeysQuery, ListMessageRecordsQuery, ListOperatorsQuery, ListRunRecordsQuery, ListUsageQuery, ListWebhooksQuery, MessageRecord, MessageRecordList, Operator, OperatorList, OperatorSelf, Overview, OverviewHistory, PruneEvents, PrunedEvents, PublishVersion, ReencryptedSecrets, RestoredMark, RetryDeliveries, RotateCallbackSecretQuery, RotateEndpointSecretQuery, RotateWebhookSecretQuery, RunCancellations, RunRecord, RunRecordList, RunTimeline, SavedCallback, SavedEndpoint, SavedWebhook, TryEndpoint, UpdateApp, UpdateCallback, UpdateDevice, UpdateWebhook, Usage, Webhook, WebhookList } from './admin.ts'

/** Applications and their keys. */
export class Apps {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List applications.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListAppsQuery = {}, options?: PageOptions): Pages<AppList, App> {
    return this.#calls.pages(ADMIN_OPERATIONS.listApps, options, { query }, {
      items: (page) => page.apps,
      continueFrom: 'last',
      next: (item) => ({ before: item.app_id }),
    })
  }

  /**
   * Create an application.
   * The new application is active at once. It has no key yet.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateApp, options?: CallOptions): Mutation<App, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createApp, options, { body })
  }

  /**
   * Read an application.
   * The application in its current state.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(appId: string, options?: CallOptions): Call<App> {
    return this.#calls.call(ADMIN_OPERATIONS.getApp, options, { path: { app_id: appId } })
  }

  /**
   * Change an application.
   * Name, state and limits. A change applies on every process within 5 seconds.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  update(appId: string, body: UpdateApp = {}, options?: CallOptions): Mutation<App, null> {
    return this.#calls.call(ADMIN_OPERATIONS.updateApp, options, { path: { app_id: appId }, body })
  }

  /**
   * List keys.
   * The keys of an application, newest first, without their secrets.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  listKeys(appId: string, query: ListKeysQuery = {}, options?: PageOptions): Pages<KeyList, Key> {
    return this.#calls.pages(ADMIN_OPERATIONS.listKeys, options, { path: { app_id: appId }, query }, {
      items: (page) => page.keys,
      continueFrom: 'last',
      next: (item) => ({ before: item.key_id }),
    })
  }

  /**
   * Create a key.
   * A further key of the application. To rotate: create, switch over, revoke (D-04).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  createKey(appId: string, body: CreateKey, options?: CallOptions): Mutation<CreatedKey, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createKey, options, { path: { app_id: appId }, body })
  }

  /**
   * Revoke a key.
   * The key stops working within 5 seconds on every process. A revoked key stays revoked, and revoking it again changes nothing.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  revokeKey(appId: string, keyId: string, options?: CallOptions): Mutation<Key, null> {
    return this.#calls.call(ADMIN_OPERATIONS.revokeKey, options, { path: { app_id: appId, key_id: keyId } })
  }
}

/** Machines and workers that execute services. */
export class Devices {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List devices.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListDevicesQuery = {}, options?: PageOptions): Pages<DeviceList, Device> {
    return this.#calls.pages(ADMIN_OPERATIONS.listDevices, options, { query }, {
      items: (page) => page.devices,
      continueFrom: 'last',
      next: (item) => ({ before: item.device_id }),
    })
  }

  /**
   * Create a device.
   * The new device is active at once, and online as soon as a worker serves it.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateDevice = {}, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createDevice, options, { body })
  }

  /**
   * Read a device.
   * The device in its current state.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(deviceId: string, options?: CallOptions): Call<Device> {
    return this.#calls.call(ADMIN_OPERATIONS.getDevice, options, { path: { device_id: deviceId } })
  }

  /**
   * Change a device.
   * Name and limits.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  update(deviceId: string, body: UpdateDevice = {}, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.updateDevice, options, { path: { device_id: deviceId }, body })
  }

  /**
   * Pause a device.
   * New work is 503 CAPABILITY_UNAVAILABLE; work that was admitted before waits. Changes nothing on a paused or disabled device.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  pause(deviceId: string, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.pauseDevice, options, { path: { device_id: deviceId } })
  }

  /**
   * Resume a device.
   * Ends a pause. Changes nothing on an active or disabled device.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  resume(deviceId: string, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.resumeDevice, options, { path: { device_id: deviceId } })
  }

  /**
   * Disable a device.
   * New work is 403 PERMISSION_DENIED; existing records stay readable. Changes nothing on a disabled device.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  disable(deviceId: string, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.disableDevice, options, { path: { device_id: deviceId } })
  }

  /**
   * Enable a device.
   * Makes a disabled device active. Changes nothing on an active or paused one.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  enable(deviceId: string, options?: CallOptions): Mutation<Device, null> {
    return this.#calls.call(ADMIN_OPERATIONS.enableDevice, options, { path: { device_id: deviceId } })
  }

  /**
   * List device keys.
   * The keys of a device, newest first, without their secrets.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  listKeys(deviceId: string, query: ListDeviceKeysQuery = {}, options?: PageOptions): Pages<DeviceKeyList, DeviceKey> {
    return this.#calls.pages(ADMIN_OPERATIONS.listDeviceKeys, options, { path: { device_id: deviceId }, query }, {
      items: (page) => page.keys,
      continueFrom: 'last',
      next: (item) => ({ before: item.key_id }),
    })
  }

  /**
   * Create a device key.
   * A key for workers that run outside the gateway and execute the device's runs (D-67). Once a device has had a key, the gateway's own processes take no more of its runs, except those whose `GATEWAY_DEVICES` names the device.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  createKey(deviceId: string, body: CreateDeviceKey = {}, options?: CallOptions): Mutation<CreatedDeviceKey, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createDeviceKey, options, { path: { device_id: deviceId }, body })
  }

  /**
   * Revoke a device key.
   * The key stops working within 5 seconds on every process, and its sessions end at once: the runs that they execute are lost (D-19). A revoked key stays revoked, and revoking it again changes nothing.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  revokeKey(deviceId: string, keyId: string, options?: CallOptions): Mutation<DeviceKey, null> {
    return this.#calls.call(ADMIN_OPERATIONS.revokeDeviceKey, options, { path: { device_id: deviceId, key_id: keyId } })
  }

  /**
   * List sessions.
   * The open sessions of the device's workers, newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  listSessions(deviceId: string, query: ListDeviceSessionsQuery = {}, options?: PageOptions): Pages<DeviceSessionList, DeviceSession> {
    return this.#calls.pages(ADMIN_OPERATIONS.listDeviceSessions, options, { path: { device_id: deviceId }, query }, {
      items: (page) => page.sessions,
      continueFrom: 'last',
      next: (item) => ({ before: item.session_id }),
    })
  }
}

/** Published services and their versions. */
export class Endpoints {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List services.
   * The published services of an application, newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(appId: string, query: ListEndpointsQuery = {}, options?: PageOptions): Pages<EndpointList, Endpoint> {
    return this.#calls.pages(ADMIN_OPERATIONS.listEndpoints, options, { path: { app_id: appId }, query }, {
      items: (page) => page.endpoints,
      continueFrom: 'last',
      next: (item) => ({ before: item.endpoint_id }),
    })
  }

  /**
   * Publish a new service.
   * Publishes version 1 of a service on a device. For an `http` assistant a secret is created, which only this answer shows.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(appId: string, body: CreateEndpoint, options?: CallOptions): Mutation<SavedEndpoint, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createEndpoint, options, { path: { app_id: appId }, body })
  }

  /**
   * Read a service.
   * The service at its current version.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(appId: string, endpointId: string, options?: CallOptions): Call<Endpoint> {
    return this.#calls.call(ADMIN_OPERATIONS.getEndpoint, options, { path: { app_id: appId, endpoint_id: endpointId } })
  }

  /**
   * Publish a version.
   * Conversations adopt it when they are reset. `compatibility` decides whether they are refused until then (D-23).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  publish(appId: string, endpointId: string, body: PublishVersion = {}, options?: CallOptions): Mutation<SavedEndpoint, null> {
    return this.#calls.call(ADMIN_OPERATIONS.publishVersion, options, { path: { app_id: appId, endpoint_id: endpointId }, body })
  }

  /**
   * Rotate the secret of a service.
   * Requests to its `http` assistant are signed with the new secret at once, or after an overlap in which they are signed with the old one, so that you can give the new one to the assistant first (D-66). A service without a secret is 400 INVALID_REQUEST.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  rotateSecret(appId: string, endpointId: string, query: RotateEndpointSecretQuery = {}, options?: CallOptions): Mutation<SavedEndpoint, null> {
    return this.#calls.call(ADMIN_OPERATIONS.rotateEndpointSecret, options, { path: { app_id: appId, endpoint_id: endpointId }, query })
  }

  /**
   * Try the http assistant of a service.
   * Posts two rehearsals to the `http` assistant, one with a forged signature and one with a valid one, and reports what is wrong with the answers (D-66). A rehearsal has `rehearsal: true` and IDs that belong to no run. Nothing is stored. Takes at most 20 seconds. A service with an assistant of another type is 400 INVALID_REQUEST.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  try(appId: string, endpointId: string, body: TryEndpoint = {}, options?: CallOptions): Mutation<EndpointTrial, null> {
    return this.#calls.call(ADMIN_OPERATIONS.tryEndpoint, options, { path: { app_id: appId, endpoint_id: endpointId }, body })
  }
}

/** The current state and the recent past of the gateway. */
export class Gateway {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * See what applications use.
   * Runs, tokens and costs by application and day of their admission, in UTC, newest day first: the last 7 days unless a period is given, at most 31 days.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  usage(query: ListUsageQuery = {}, options?: CallOptions): Call<Usage> {
    return this.#calls.call(ADMIN_OPERATIONS.listUsage, options, { query })
  }

  /**
   * See the gateway at a glance.
   * For the gateway as a whole: unfinished runs, runs that ended in the last minutes, callbacks, streams and devices. For the process that answers: the requests that it has admitted and refused since it started.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  overview(options?: CallOptions): Call<Overview> {
    return this.#calls.call(ADMIN_OPERATIONS.getOverview, options, {})
  }

  /**
   * See the past hour of the gateway.
   * Samples of the overview at a fixed interval, for charts. Each process keeps the samples of its past hour in memory, so the samples go back at most to the start of the process that answers. Runs, streams and callbacks are counted for the whole gateway; admissions and refusals are counted for the answering process only.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  history(options?: CallOptions): Call<OverviewHistory> {
    return this.#calls.call(ADMIN_OPERATIONS.getOverviewHistory, options, {})
  }

  /**
   * Tell the gateway that its database was restored.
   * Makes every stream position that was issued before this call 410 CURSOR_EXPIRED, so that no reader mistakes new events for events that it has already seen. Call it after you have restored a backup and before clients reconnect. Readers continue from a snapshot. The call may be repeated.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  markRestored(options?: CallOptions): Mutation<RestoredMark, null> {
    return this.#calls.call(ADMIN_OPERATIONS.markRestored, options, {})
  }
}

/** Runs, their errors and their timelines. */
export class Runs {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List runs.
   * The runs of all applications, newest first, with their state and the cause of a failure, but without message text.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListRunRecordsQuery = {}, options?: PageOptions): Pages<RunRecordList, RunRecord> {
    return this.#calls.pages(ADMIN_OPERATIONS.listRunRecords, options, { query }, {
      items: (page) => page.runs,
      continueFrom: 'last',
      next: (item) => ({ before: item.run_id }),
    })
  }

  /**
   * Read a run.
   * Its record, without message text.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(runId: string, options?: CallOptions): Call<RunRecord> {
    return this.#calls.call(ADMIN_OPERATIONS.getRunRecord, options, { path: { run_id: runId } })
  }

  /**
   * Cancel a run.
   * Stops a run as its application would: at once while it is queued, otherwise as soon as its assistant confirms. A run that has ended does not change.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  cancel(runId: string, options?: CallOptions): Mutation<RunRecord, null> {
    return this.#calls.call(ADMIN_OPERATIONS.cancelRunRecord, options, { path: { run_id: runId } })
  }

  /**
   * Cancel many runs.
   * Stops every unfinished run that matches all members of the body, as `cancelRunRecord` does for one. At least one member must narrow the runs; `older_than_seconds` 0 matches all. Unless `dry_run` is false, it only counts what would be stopped. At most 1,000 runs are examined, newest first, so that stopping one run does not let a queued run start. `more` is true when runs remain; to continue, repeat the request with `before` set to `next_before`. A run that is already being stopped does not match, so a repeated request stops no run twice.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  cancelMany(body: CancelRuns = {}, options?: CallOptions): Mutation<RunCancellations, null> {
    return this.#calls.call(ADMIN_OPERATIONS.cancelRunRecords, options, { body })
  }

  /**
   * Follow a run from its admission to its callbacks.
   * What happened to a run, who executed it, why it ended, and who was notified: its events, approvals and stops, and each callback with its attempts. While the run continues, read it again to see later events.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  timeline(runId: string, query: GetRunTimelineQuery = {}, options?: CallOptions): Call<RunTimeline> {
    return this.#calls.call(ADMIN_OPERATIONS.getRunTimeline, options, { path: { run_id: runId }, query })
  }
}

/** The conversations of all applications. */
export class Conversations {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List conversations.
   * The conversations of all applications, newest first, with the number of queued runs and the executing run of each.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListConversationRecordsQuery = {}, options?: PageOptions): Pages<ConversationRecordList, ConversationRecord> {
    return this.#calls.pages(ADMIN_OPERATIONS.listConversationRecords, options, { query }, {
      items: (page) => page.conversations,
      continueFrom: 'last',
      next: (item) => ({ before: item.conversation_id }),
    })
  }

  /**
   * Read a conversation's messages.
   * Newest first, of all generations. A page may have fewer messages than requested if messages are large. Contents are omitted unless they are requested; reading them is recorded in the audit.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  messages(conversationId: string, query: ListMessageRecordsQuery = {}, options?: PageOptions): Pages<MessageRecordList, MessageRecord> {
    return this.#calls.pages(ADMIN_OPERATIONS.listMessageRecords, options, { path: { conversation_id: conversationId }, query }, {
      items: (page) => page.messages,
      continueFrom: 'last',
      next: (item) => ({ before: item.cursor }),
    })
  }

  /**
   * Cancel a conversation's work.
   * Stops every unfinished run of the conversation, as cancelling each of them would. The conversation stays active in its generation.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  cancelWork(conversationId: string, options?: CallOptions): Mutation<ConversationRecord, null> {
    return this.#calls.call(ADMIN_OPERATIONS.cancelConversationWork, options, { path: { conversation_id: conversationId } })
  }

  /**
   * Read a conversation.
   * Its record, without messages.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(conversationId: string, options?: CallOptions): Call<ConversationRecord> {
    return this.#calls.call(ADMIN_OPERATIONS.getConversationRecord, options, { path: { conversation_id: conversationId } })
  }
}

/** Operators, their tokens and roles. */
export class Operators {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List operators.
   * Newest first, without their tokens; revoked ones included.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListOperatorsQuery = {}, options?: PageOptions): Pages<OperatorList, Operator> {
    return this.#calls.pages(ADMIN_OPERATIONS.listOperators, options, { query }, {
      items: (page) => page.operators,
      continueFrom: 'last',
      next: (item) => ({ before: item.operator_id }),
    })
  }

  /**
   * Create an operator.
   * Creates an operator: a person with a separate token and a role. Only this answer shows the token.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateOperator, options?: CallOptions): Mutation<CreatedOperator, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createOperator, options, { body })
  }

  /**
   * Revoke an operator.
   * The token is refused from the next request on. Revoking it again changes nothing.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  revoke(operatorId: string, options?: CallOptions): Mutation<Operator, null> {
    return this.#calls.call(ADMIN_OPERATIONS.revokeOperator, options, { path: { operator_id: operatorId } })
  }

  /**
   * See whose token you use.
   * The operator whose token authenticates the request.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  self(options?: CallOptions): Call<OperatorSelf> {
    return this.#calls.call(ADMIN_OPERATIONS.getOperatorSelf, options, {})
  }
}

/** Changes that operators requested, and their reads of message contents. */
export class Audit {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List what operators changed.
   * Changes, and requests that read the contents of messages, newest first. Each is recorded before it is executed. A change whose status is null was interrupted and may have been made. The records contain neither secrets nor texts.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListAuditRecordsQuery = {}, options?: PageOptions): Pages<AuditRecordList, AuditRecord> {
    return this.#calls.pages(ADMIN_OPERATIONS.listAuditRecords, options, { query }, {
      items: (page) => page.audit_records,
      continueFrom: 'last',
      next: (item) => ({ before: item.audit_id }),
    })
  }
}

/** Approvals that runs wait for. */
export class Approvals {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List approvals.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListApprovalsQuery = {}, options?: PageOptions): Pages<ApprovalList, Approval> {
    return this.#calls.pages(ADMIN_OPERATIONS.listApprovals, options, { query }, {
      items: (page) => page.approvals,
      continueFrom: 'last',
      next: (item) => ({ before: item.approval_id }),
    })
  }

  /**
   * Decide an approval.
   * Passes the decision to the assistant and lets the run continue. After a denial a script fails with code APPROVAL_DENIED; other assistants decide what to do. Repeating the same decision changes nothing.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, ALREADY_DECIDED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  decide(approvalId: string, body: DecideApproval, options?: CallOptions): Mutation<Approval, null> {
    return this.#calls.call(ADMIN_OPERATIONS.decideApproval, options, { path: { approval_id: approvalId }, body })
  }
}

/** Pausing the whole gateway. */
export class Admission {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Read the admission switch.
   * Whether the gateway admits new work.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(options?: CallOptions): Call<AdmissionSwitch> {
    return this.#calls.call(ADMIN_OPERATIONS.getAdmission, options, {})
  }

  /**
   * Pause or resume admission.
   * Applies to the gateway as a whole, on every process.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  set(body: AdmissionSwitch, options?: CallOptions): Mutation<AdmissionSwitch, null> {
    return this.#calls.call(ADMIN_OPERATIONS.setAdmission, options, { body })
  }
}

/** Dropping events before their retention ends. */
export class Retention {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Prune events.
   * Drops events before their retention ends, of one conversation up to a seq or of all conversations by age.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  pruneEvents(body: PruneEvents, options?: CallOptions): Mutation<PrunedEvents, null> {
    return this.#calls.call(ADMIN_OPERATIONS.pruneEvents, options, { body })
  }
}

/** Integrations of incoming webhooks. */
export class Webhooks {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List webhook integrations.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListWebhooksQuery = {}, options?: PageOptions): Pages<WebhookList, Webhook> {
    return this.#calls.pages(ADMIN_OPERATIONS.listWebhooks, options, { query }, {
      items: (page) => page.webhooks,
      continueFrom: 'last',
      next: (item) => ({ before: item.integration_id }),
    })
  }

  /**
   * Create a webhook integration.
   * The answer contains the receiving URL and the secret.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateWebhook, options?: CallOptions): Mutation<SavedWebhook, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createWebhook, options, { body })
  }

  /**
   * Read a webhook integration.
   * Without its secret.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(integrationId: string, options?: CallOptions): Call<Webhook> {
    return this.#calls.call(ADMIN_OPERATIONS.getWebhook, options, { path: { integration_id: integrationId } })
  }

  /**
   * Change a webhook integration.
   * The URL stays.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  update(integrationId: string, body: UpdateWebhook = {}, options?: CallOptions): Mutation<Webhook, null> {
    return this.#calls.call(ADMIN_OPERATIONS.updateWebhook, options, { path: { integration_id: integrationId }, body })
  }

  /**
   * Rotate the secret of a webhook integration.
   * The sender must be updated: the old secret stops working at once, or after an overlap in which both are accepted. The URL stays (D-36).
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  rotateSecret(integrationId: string, query: RotateWebhookSecretQuery = {}, options?: CallOptions): Mutation<SavedWebhook, null> {
    return this.#calls.call(ADMIN_OPERATIONS.rotateWebhookSecret, options, { path: { integration_id: integrationId }, query })
  }
}

/** Configurations of outgoing callbacks, and their deliveries. */
export class Callbacks {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List callback configurations.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListCallbacksQuery = {}, options?: PageOptions): Pages<CallbackList, Callback> {
    return this.#calls.pages(ADMIN_OPERATIONS.listCallbacks, options, { query }, {
      items: (page) => page.callbacks,
      continueFrom: 'last',
      next: (item) => ({ before: item.callback_id }),
    })
  }

  /**
   * Create a callback configuration.
   * Events that occur from now on are sent to it. The answer contains the secret.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateCallback, options?: CallOptions): Mutation<SavedCallback, null> {
    return this.#calls.call(ADMIN_OPERATIONS.createCallback, options, { body })
  }

  /**
   * Read a callback configuration.
   * Without its secret.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(callbackId: string, options?: CallOptions): Call<Callback> {
    return this.#calls.call(ADMIN_OPERATIONS.getCallback, options, { path: { callback_id: callbackId } })
  }

  /**
   * Change a callback configuration.
   * A changed URL makes a new version. Events that were not delivered to the old URL are not sent to the new one (D-38).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  update(callbackId: string, body: UpdateCallback = {}, options?: CallOptions): Mutation<Callback, null> {
    return this.#calls.call(ADMIN_OPERATIONS.updateCallback, options, { path: { callback_id: callbackId }, body })
  }

  /**
   * Rotate the secret of a callback configuration.
   * Makes a new version and cancels the pending deliveries of the old one. With an overlap they are not cancelled, and callbacks are signed with the old secret until the overlap ends, so that you can give the new secret to the receiver first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  rotateSecret(callbackId: string, query: RotateCallbackSecretQuery = {}, options?: CallOptions): Mutation<SavedCallback, null> {
    return this.#calls.call(ADMIN_OPERATIONS.rotateCallbackSecret, options, { path: { callback_id: callbackId }, query })
  }

  /**
   * List deliveries.
   * Newest first.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  listDeliveries(query: ListDeliveriesQuery = {}, options?: PageOptions): Pages<DeliveryList, Delivery> {
    return this.#calls.pages(ADMIN_OPERATIONS.listDeliveries, options, { query }, {
      items: (page) => page.deliveries,
      continueFrom: 'last',
      next: (item) => ({ before: item.delivery_id }),
    })
  }

  /**
   * Retry many deliveries.
   * Retries every delivery that was created in a period of time and is `expired` or `needs_action`, as `retryDelivery` does for one. Unless `dry_run` is false, it only counts what would be retried, and what cannot be retried and why. At most 10,000 deliveries are examined, oldest first. `more` is true when deliveries remain; to continue, repeat the request with `created_after` set to `next_created_after`.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  retryDeliveries(body: RetryDeliveries, options?: CallOptions): Mutation<DeliveryRetries, null> {
    return this.#calls.call(ADMIN_OPERATIONS.retryDeliveries, options, { body })
  }

  /**
   * Read a delivery.
   * The state, the last error, the outcome of each attempt and, on request, the payload. Reading the payload is recorded in the audit.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  getDelivery(deliveryId: string, query: GetDeliveryQuery = {}, options?: CallOptions): Call<DeliveryDetails> {
    return this.#calls.call(ADMIN_OPERATIONS.getDelivery, options, { path: { delivery_id: deliveryId }, query })
  }

  /**
   * Retry a delivery.
   * Opens a fresh window of 24 hours and 8 attempts for a delivery that is `expired` or `needs_action` (D-38).
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RETRY_REFUSED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  retryDelivery(deliveryId: string, options?: CallOptions): Mutation<Delivery, null> {
    return this.#calls.call(ADMIN_OPERATIONS.retryDelivery, options, { path: { delivery_id: deliveryId } })
  }
}

/** Secrets that are stored encrypted. */
export class Secrets {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Re-encrypt stored secrets.
   * Encrypts every stored secret and URL query with the first key of `GATEWAY_SECRET_KEY`, so that the other keys are no longer needed. Repeating it changes nothing. Without a key it is 503 CAPABILITY_UNAVAILABLE.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  reencrypt(options?: CallOptions): Mutation<ReencryptedSecrets, null> {
    return this.#calls.call(ADMIN_OPERATIONS.reencryptSecrets, options, {})
  }
}

/** Erasing conversations and subjects. */
export class Erasures {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Erase a subject.
   * Erases every conversation and attachment that the subject has in this application at this time, as `eraseConversation` does, and the subject itself. Once the erasure has succeeded, none of this data can be found. The subject can start over at any time; data created after this request is kept. While an erasure of the subject is in progress, repeating the request returns it.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  eraseSubject(appId: string, subject: string, options?: CallOptions): Mutation<Erasure, null> {
    return this.#calls.call(ADMIN_OPERATIONS.eraseSubject, options, { path: { app_id: appId, subject } })
  }

  /**
   * Erase a conversation.
   * Erases the contents of the conversation: messages, results, events, approvals, deliveries of callbacks, stored answers to repeated requests, and attachments that no other conversation uses. As soon as this request is answered, the conversation is 404 for its application, and its work is stopped as by a cancel. Open streams end within one ping interval. Work that does not stop within the stop window is erased nevertheless. IDs and times remain. Repeating the request returns the same erasure.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  eraseConversation(conversationId: string, options?: CallOptions): Mutation<Erasure, null> {
    return this.#calls.call(ADMIN_OPERATIONS.eraseConversation, options, { path: { conversation_id: conversationId } })
  }

  /**
   * Read an erasure.
   * The progress of the erasure; once it has succeeded, its receipt.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(erasureId: string, options?: CallOptions): Call<Erasure> {
    return this.#calls.call(ADMIN_OPERATIONS.getErasure, options, { path: { erasure_id: erasureId } })
  }
}

/** One object per tag. */
export interface Namespaces {
  /** Applications and their keys. */
  readonly apps: Apps
  /** Machines and workers that execute services. */
  readonly devices: Devices
  /** Published services and their versions. */
  readonly endpoints: Endpoints
  /** The current state and the recent past of the gateway. */
  readonly gateway: Gateway
  /** Runs, their errors and their timelines. */
  readonly runs: Runs
  /** The conversations of all applications. */
  readonly conversations: Conversations
  /** Operators, their tokens and roles. */
  readonly operators: Operators
  /** Changes that operators requested, and their reads of message contents. */
  readonly audit: Audit
  /** Approvals that runs wait for. */
  readonly approvals: Approvals
  /** Pausing the whole gateway. */
  readonly admission: Admission
  /** Dropping events before their retention ends. */
  readonly retention: Retention
  /** Integrations of incoming webhooks. */
  readonly webhooks: Webhooks
  /** Configurations of outgoing callbacks, and their deliveries. */
  readonly callbacks: Callbacks
  /** Secrets that are stored encrypted. */
  readonly secrets: Secrets
  /** Erasing conversations and subjects. */
  readonly erasures: Erasures
}

export const createNamespaces = (calls: Calls): Namespaces => ({
  apps: new Apps(calls),
  devices: new Devices(calls),
  endpoints: new Endpoints(calls),
  gateway: new Gateway(calls),
  runs: new Runs(calls),
  conversations: new Conversations(calls),
  operators: new Operators(calls),
  audit: new Audit(calls),
  approvals: new Approvals(calls),
  admission: new Admission(calls),
  retention: new Retention(calls),
  webhooks: new Webhooks(calls),
  callbacks: new Callbacks(calls),
  secrets: new Secrets(calls),
  erasures: new Erasures(calls),
})
