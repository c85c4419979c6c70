import { tryEndpoint } from '../assistants/http/try-assistant.ts'
import * as admission from '../gateway/admin/admission.ts'
import * as approvals from '../gateway/admin/approvals.ts'
import * as apps from '../gateway/admin/apps.ts'
import { listAuditRecords } from '../gateway/admin/audit.ts'
import * as callbacks from '../gateway/admin/callbacks/callbacks.ts'
import * as deliveries from '../gateway/admin/callbacks/deliveries.ts'
import { retryDeliveries } from '../gateway/admin/callbacks/retry-deliveries.ts'
import { cancelMany } from '../gateway/admin/cancel-many.ts'
import { cancelConversationWork, cancelRunAsOperator } from '../gateway/admin/cancel-work.ts'
import * as conversations from '../gateway/admin/conversations.ts'
import * as deviceKeys from '../gateway/admin/device-keys.ts'
import * as devices from '../gateway/admin/devices.ts'
import * as endpoints from '../gateway/admin/endpoints.ts'
import * as erasures from '../gateway/admin/erasures.ts'
import * as keys from '../gateway/admin/keys.ts'
import { markRestored } from '../gateway/admin/mark-restored.ts'
import * as operators from '../gateway/admin/operators.ts'
import type { ProcessReadings } from '../gateway/admin/overview.ts'
import { getOverview } from '../gateway/admin/overview.ts'
import * as events from '../gateway/admin/prune-events.ts'
import * as secrets from '../gateway/admin/reencrypt-secrets.ts'
import { getRunTimeline } from '../gateway/admin/run-timeline.ts'
import * as runs from '../gateway/admin/runs.ts'
import { listUsage } from '../gateway/admin/usage.ts'
import * as webhooks from '../gateway/admin/webhooks.ts'
import { cancelRun } from '../gateway/cancel-run.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { createConversation } from '../gateway/create-conversation.ts'
import { createRun } from '../gateway/create-run.ts'
import * as records from '../gateway/read-records.ts'
import { createWebhookReceiver } from '../gateway/receive-webhook.ts'
import { resetConversation } from '../gateway/reset-conversation.ts'
import * as resources from '../gateway/resources.ts'
import { sendMessage } from '../gateway/send-message.ts'
import type { StreamContext } from '../gateway/stream/open-stream.ts'
import { openEventStream } from '../gateway/stream/open-stream.ts'
import type { Timers } from '../runtime/timers.ts'
import { createMappedBodyParser } from './requests/mapped-bodies.ts'

/** Use cases with the context that they work with already given. */

export const bindUseCases = (context: GatewayContext, streams: StreamContext) => ({
  createConversation: createConversation.bind(null, context),
  listConversations: records.listConversations.bind(null, context),
  readConversation: records.readConversation.bind(null, context),
  resetConversation: resetConversation.bind(null, context),
  sendMessage: sendMessage.bind(null, context),
  readMessages: records.readMessages.bind(null, context),
  readRun: records.readRun.bind(null, context),
  readEndpoint: records.readEndpoint.bind(null, context),
  createRun: createRun.bind(null, context),
  cancelRun: cancelRun.bind(null, context),
  readOperation: records.readOperation.bind(null, context),
  createResource: resources.createResource.bind(null, context),
  readResource: resources.readResource.bind(null, context),
  putResourceContent: resources.putResourceContent.bind(null, context),
  readResourceContent: resources.readResourceContent.bind(null, context),
  deleteResource: resources.deleteResource.bind(null, context),
  receiveWebhook: createWebhookReceiver(context, createMappedBodyParser()),
  openEventStream: openEventStream.bind(null, streams),
})

/** What the public API offers. */
export type UseCases = ReturnType<typeof bindUseCases>

export const bindOperatorUseCases = (
  context: GatewayContext,
  process: ProcessReadings,
  timers: Pick<Timers, 'after'>,
) => ({
  createOperator: operators.createOperator.bind(null, context),
  listOperators: operators.listOperators.bind(null, context),
  revokeOperator: operators.revokeOperator.bind(null, context),
  showOperator: operators.showOperator,
  listAuditRecords: listAuditRecords.bind(null, context),
  getOverview: getOverview.bind(null, context, process),
  listRuns: runs.listRuns.bind(null, context),
  getRun: runs.getRun.bind(null, context),
  cancelRunAsOperator: cancelRunAsOperator.bind(null, context),
  cancelMany: cancelMany.bind(null, context),
  cancelConversationWork: cancelConversationWork.bind(null, context),
  getRunTimeline: getRunTimeline.bind(null, context),
  listConversations: conversations.listConversations.bind(null, context),
  listMessageRecords: conversations.listMessageRecords.bind(null, context),
  getConversation: conversations.getConversation.bind(null, context),
  createApp: apps.createApp.bind(null, context),
  listApps: apps.listApps.bind(null, context),
  getApp: apps.getApp.bind(null, context),
  updateApp: apps.updateApp.bind(null, context),
  createKey: keys.createKey.bind(null, context),
  listKeys: keys.listKeys.bind(null, context),
  revokeKey: keys.revokeKey.bind(null, context),
  createDevice: devices.createDevice.bind(null, context),
  listDevices: devices.listDevices.bind(null, context),
  getDevice: devices.getDevice.bind(null, context),
  updateDevice: devices.updateDevice.bind(null, context),
  moveDevice: devices.moveDevice.bind(null, context),
  createDeviceKey: deviceKeys.createDeviceKey.bind(null, context),
  listDeviceKeys: deviceKeys.listDeviceKeys.bind(null, context),
  revokeDeviceKey: deviceKeys.revokeDeviceKey.bind(null, context),
  listDeviceSessions: deviceKeys.listDeviceSessions.bind(null, context),
  createEndpoint: endpoints.createEndpoint.bind(null, context),
  listEndpoints: endpoints.listEndpoints.bind(null, context),
  getEndpoint: endpoints.getEndpoint.bind(null, context),
  publishVersion: endpoints.publishVersion.bind(null, context),
  tryEndpoint: tryEndpoint.bind(null, context, timers),
  rotateEndpointSecret: endpoints.rotateEndpointSecret.bind(null, context),
  listApprovals: approvals.listApprovals.bind(null, context),
  decideApproval: approvals.decideApproval.bind(null, context),
  createWebhook: webhooks.createWebhook.bind(null, context),
  listWebhooks: webhooks.listWebhooks.bind(null, context),
  getWebhook: webhooks.getWebhook.bind(null, context),
  updateWebhook: webhooks.updateWebhook.bind(null, context),
  rotateWebhookSecret: webhooks.rotateWebhookSecret.bind(null, context),
  getAdmission: admission.getAdmission.bind(null, context),
  setAdmission: admission.setAdmission.bind(null, context),
  pruneEvents: events.pruneEvents.bind(null, context),
  markRestored: markRestored.bind(null, context),
  createCallback: callbacks.createCallback.bind(null, context),
  listCallbacks: callbacks.listCallbacks.bind(null, context),
  getCallback: callbacks.getCallback.bind(null, context),
  updateCallback: callbacks.updateCallback.bind(null, context),
  rotateCallbackSecret: callbacks.rotateCallbackSecret.bind(null, context),
  reencryptSecrets: secrets.reencryptSecrets.bind(null, context),
  eraseConversation: erasures.eraseConversation.bind(null, context),
  eraseSubject: erasures.eraseSubject.bind(null, context),
  getErasure: erasures.getErasure.bind(null, context),
  listDeliveries: deliveries.listDeliveries.bind(null, context),
  getDelivery: deliveries.getDelivery.bind(null, context),
  retryDeliveries: retryDeliveries.bind(null, context),
  listUsage: listUsage.bind(null, context),
  retryDelivery: deliveries.retryDelivery.bind(null, context),
})

/** What the operator's API offers. */
export type OperatorUseCases = ReturnType<typeof bindOperatorUseCases>
