import type { operations } from '@conversation-gateway/openapi/generated/admin-closed'
import type { ADMIN_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { tryEndpoint } from '../../assistants/http/try-assistant.ts'
import type { OperatorIdentity } from '../../gateway/access/operator-gate.ts'
import * as admission from '../../gateway/admin/admission.ts'
import * as approvals from '../../gateway/admin/approvals.ts'
import * as apps from '../../gateway/admin/apps.ts'
import { listAuditRecords } from '../../gateway/admin/audit.ts'
import * as callbacks from '../../gateway/admin/callbacks/callbacks.ts'
import * as deliveries from '../../gateway/admin/callbacks/deliveries.ts'
import { retryDeliveries } from '../../gateway/admin/callbacks/retry-deliveries.ts'
import { cancelMany } from '../../gateway/admin/cancel-many.ts'
import { cancelConversationWork, cancelRunAsOperator } from '../../gateway/admin/cancel-work.ts'
import * as conversations from '../../gateway/admin/conversations.ts'
import * as deviceKeys from '../../gateway/admin/device-keys.ts'
import * as devices from '../../gateway/admin/devices.ts'
import * as endpoints from '../../gateway/admin/endpoints.ts'
import * as erasures from '../../gateway/admin/erasures.ts'
import * as keys from '../../gateway/admin/keys.ts'
import { markRestored } from '../../gateway/admin/mark-restored.ts'
import type { AskedText } from '../../gateway/admin/message-contents.ts'
import * as operators from '../../gateway/admin/operators.ts'
import type { ProcessReadings } from '../../gateway/admin/overview.ts'
import { getOverview } from '../../gateway/admin/overview.ts'
import type { OverviewHistory } from '../../gateway/admin/overview-history.ts'
import { pruneEvents } from '../../gateway/admin/prune-events.ts'
import { reencryptSecrets } from '../../gateway/admin/reencrypt-secrets.ts'
import { getRunTimeline } from '../../gateway/admin/run-timeline.ts'
import * as runs from '../../gateway/admin/runs.ts'
import { listUsage } from '../../gateway/admin/usage.ts'
import * as webhooks from '../../gateway/admin/webhooks.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Handlers } from '../operation.ts'

export type AdminHandlers = Handlers<operations, typeof ADMIN_OPERATIONS>

export interface AdminHandlersOptions {
  readonly process: ProcessReadings
  readonly history: Pick<OverviewHistory, 'read'>
  readonly timers: Pick<Timers, 'after'>
  /** Called after changes to keys and applications, so that this process applies them at once. */
  readonly forgetKeys: () => void
}

/** The operator's API. */
export const createAdminHandlers = (
  context: GatewayContext,
  { process, history, timers, forgetKeys }: AdminHandlersOptions,
): AdminHandlers => ({
  createApp: ({ body }) => apps.createApp(context, body),
  listApps: ({ query }) => apps.listApps(context, query),
  getApp: ({ path }) => apps.getApp(context, path.app_id),
  updateApp: ({ path, body }) => apps.updateApp(context, path.app_id, body).finally(forgetKeys),

  createKey: ({ path, body }) => keys.createKey(context, path.app_id, body).finally(forgetKeys),
  listKeys: ({ path, query }) => keys.listKeys(context, path.app_id, query),
  revokeKey: ({ path }) => keys.revokeKey(context, path.app_id, path.key_id).finally(forgetKeys),

  createDevice: ({ body }) => devices.createDevice(context, body),
  listDevices: ({ query }) => devices.listDevices(context, query),
  getDevice: ({ path }) => devices.getDevice(context, path.device_id),
  updateDevice: ({ path, body }) => devices.updateDevice(context, path.device_id, body),
  pauseDevice: ({ path }) => devices.moveDevice(context, path.device_id, 'pause'),
  resumeDevice: ({ path }) => devices.moveDevice(context, path.device_id, 'resume'),
  disableDevice: ({ path }) => devices.moveDevice(context, path.device_id, 'disable'),
  enableDevice: ({ path }) => devices.moveDevice(context, path.device_id, 'enable'),

  createDeviceKey: ({ path, body }) => deviceKeys.createDeviceKey(context, path.device_id, body),
  listDeviceKeys: ({ path, query }) => deviceKeys.listDeviceKeys(context, path.device_id, query),
  revokeDeviceKey: ({ path }) => deviceKeys.revokeDeviceKey(context, path.device_id, path.key_id).finally(forgetKeys),
  listDeviceSessions: ({ path, query }) => deviceKeys.listDeviceSessions(context, path.device_id, query),

  createEndpoint: ({ path, body }) => endpoints.createEndpoint(context, path.app_id, body),
  listEndpoints: ({ path, query }) => endpoints.listEndpoints(context, path.app_id, query),
  getEndpoint: ({ path }) => endpoints.getEndpoint(context, path.app_id, path.endpoint_id),
  publishVersion: ({ path, body }) => endpoints.publishVersion(context, path.app_id, path.endpoint_id, body),
  tryEndpoint: ({ path, body }) => tryEndpoint(context, timers, path.app_id, path.endpoint_id, body),
  rotateEndpointSecret: ({ path, query }) =>
    endpoints.rotateEndpointSecret(context, path.app_id, path.endpoint_id, query.overlap_seconds),

  createWebhook: ({ body }) => webhooks.createWebhook(context, body),
  listWebhooks: ({ query: { app_id: appId = null, ...page } }) => webhooks.listWebhooks(context, appId, page),
  getWebhook: ({ path }) => webhooks.getWebhook(context, path.integration_id),
  updateWebhook: ({ path, body }) => webhooks.updateWebhook(context, path.integration_id, body),
  rotateWebhookSecret: ({ path, query }) =>
    webhooks.rotateWebhookSecret(context, path.integration_id, query.overlap_seconds),

  createOperator: ({ body }) => operators.createOperator(context, body),
  listOperators: ({ query }) => operators.listOperators(context, query),
  revokeOperator: ({ path }) => operators.revokeOperator(context, path.operator_id),
  getOperatorSelf: ({ operator }) => operators.showOperator(operator),
  listAuditRecords: ({ query }) => listAuditRecords(context, query),

  getOverview: () => getOverview(context, process),
  getOverviewHistory: () => history.read(),
  listRunRecords: ({ query }) => runs.listRuns(context, query),
  getRunRecord: ({ path }) => runs.getRun(context, path.run_id),
  cancelRunRecords: ({ body }) => cancelMany(context, body),
  cancelRunRecord: ({ path }) => cancelRunAsOperator(context, path.run_id),
  getRunTimeline: (request) => getRunTimeline(context, request.path.run_id, askedText(request)),
  listMessageRecords: (request) =>
    conversations.listMessageRecords(context, request.path.conversation_id, request.query, askedText(request)),
  listConversationRecords: ({ query }) => conversations.listConversations(context, query),
  getConversationRecord: ({ path }) => conversations.getConversation(context, path.conversation_id),
  cancelConversationWork: ({ path }) => cancelConversationWork(context, path.conversation_id),

  listApprovals: ({ query: { app_id: appId = null, state = null, ...page } }) =>
    approvals.listApprovals(context, { appId, state }, page),
  decideApproval: ({ path, body }) => approvals.decideApproval(context, path.approval_id, body),

  getAdmission: () => admission.getAdmission(context),
  setAdmission: ({ body }) => admission.setAdmission(context, body),

  pruneEvents: ({ body }) => pruneEvents(context, body),
  markRestored: () => markRestored(context),

  createCallback: ({ body }) => callbacks.createCallback(context, body),
  listCallbacks: ({ query: { app_id: appId = null, ...page } }) => callbacks.listCallbacks(context, appId, page),
  getCallback: ({ path }) => callbacks.getCallback(context, path.callback_id),
  updateCallback: ({ path, body }) => callbacks.updateCallback(context, path.callback_id, body),
  rotateCallbackSecret: ({ path, query }) =>
    callbacks.rotateCallbackSecret(context, path.callback_id, query.overlap_seconds),
  eraseConversation: ({ path }) => erasures.eraseConversation(context, path.conversation_id),
  eraseSubject: ({ path }) => erasures.eraseSubject(context, path.app_id, path.subject),
  getErasure: ({ path }) => erasures.getErasure(context, path.erasure_id),

  reencryptSecrets: () => reencryptSecrets(context),
  listDeliveries: ({ query: { app_id: appId = null, callback_id: callbackId = null, state = null, ...page } }) =>
    deliveries.listDeliveries(context, { appId, callbackId, state }, page),
  getDelivery: (request) => deliveries.getDelivery(context, request.path.delivery_id, askedText(request)),
  retryDeliveries: ({ body }) => retryDeliveries(context, body),
  listUsage: ({ query }) => listUsage(context, query),
  retryDelivery: ({ path }) => deliveries.retryDelivery(context, path.delivery_id),
})

const askedText = ({
  query,
  operator,
}: {
  readonly query: { readonly include_text?: boolean }
  readonly operator: OperatorIdentity
}): AskedText => ({ withText: query.include_text === true, mayReadText: operator.mayReadText })
