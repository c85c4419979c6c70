import type { operations } from '@conversation-gateway/openapi/generated/admin-closed'
import type { ADMIN_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { Handlers } from '../operation.ts'
import type { OperatorUseCases } from '../use-cases.ts'

/**
 * The operator's API: what of a request each use case is given.
 * @param forgetKeys Called after changes to keys and applications, so that this process knows them at once.
 */
export const createAdminHandlers = (
  useCases: OperatorUseCases,
  forgetKeys: () => void,
): Handlers<operations, typeof ADMIN_OPERATIONS> => ({
  createApp: ({ body }) => useCases.createApp(body),
  listApps: ({ query }) => useCases.listApps(query),
  getApp: ({ path }) => useCases.getApp(path.app_id),
  updateApp: ({ path, body }) => useCases.updateApp(path.app_id, body).finally(forgetKeys),

  createKey: ({ path, body }) => useCases.createKey(path.app_id, body).finally(forgetKeys),
  listKeys: ({ path, query }) => useCases.listKeys(path.app_id, query),
  revokeKey: ({ path }) => useCases.revokeKey(path.app_id, path.key_id).finally(forgetKeys),

  createDevice: ({ body }) => useCases.createDevice(body),
  listDevices: ({ query }) => useCases.listDevices(query),
  getDevice: ({ path }) => useCases.getDevice(path.device_id),
  updateDevice: ({ path, body }) => useCases.updateDevice(path.device_id, body),
  pauseDevice: ({ path }) => useCases.moveDevice(path.device_id, 'pause'),
  resumeDevice: ({ path }) => useCases.moveDevice(path.device_id, 'resume'),
  disableDevice: ({ path }) => useCases.moveDevice(path.device_id, 'disable'),
  enableDevice: ({ path }) => useCases.moveDevice(path.device_id, 'enable'),

  createDeviceKey: ({ path, body }) => useCases.createDeviceKey(path.device_id, body),
  listDeviceKeys: ({ path, query }) => useCases.listDeviceKeys(path.device_id, query),
  revokeDeviceKey: ({ path }) => useCases.revokeDeviceKey(path.device_id, path.key_id).finally(forgetKeys),
  listDeviceSessions: ({ path, query }) => useCases.listDeviceSessions(path.device_id, query),

  createEndpoint: ({ path, body }) => useCases.createEndpoint(path.app_id, body),
  listEndpoints: ({ path, query }) => useCases.listEndpoints(path.app_id, query),
  getEndpoint: ({ path }) => useCases.getEndpoint(path.app_id, path.endpoint_id),
  publishVersion: ({ path, body }) => useCases.publishVersion(path.app_id, path.endpoint_id, body),
  tryEndpoint: ({ path, body }) => useCases.tryEndpoint(path.app_id, path.endpoint_id, body),
  rotateEndpointSecret: ({ path, query }) =>
    useCases.rotateEndpointSecret(path.app_id, path.endpoint_id, query.overlap_seconds),

  createWebhook: ({ body }) => useCases.createWebhook(body),
  listWebhooks: ({ query: { app_id: appId = null, ...page } }) => useCases.listWebhooks(appId, page),
  getWebhook: ({ path }) => useCases.getWebhook(path.integration_id),
  updateWebhook: ({ path, body }) => useCases.updateWebhook(path.integration_id, body),
  rotateWebhookSecret: ({ path, query }) => useCases.rotateWebhookSecret(path.integration_id, query.overlap_seconds),

  createOperator: ({ body }) => useCases.createOperator(body),
  listOperators: ({ query }) => useCases.listOperators(query),
  revokeOperator: ({ path }) => useCases.revokeOperator(path.operator_id),
  getOperatorSelf: ({ operator }) => useCases.showOperator(operator),
  listAuditRecords: ({ query }) => useCases.listAuditRecords(query),

  getOverview: () => useCases.getOverview(),
  listRunRecords: ({ query }) => useCases.listRuns(query),
  getRunRecord: ({ path }) => useCases.getRun(path.run_id),
  cancelRunRecords: ({ body }) => useCases.cancelMany(body),
  cancelRunRecord: ({ path }) => useCases.cancelRunAsOperator(path.run_id),
  getRunTimeline: ({ path, query, operator }) =>
    useCases.getRunTimeline(path.run_id, { withText: query.include_text === true, mayReadText: operator.mayReadText }),
  listMessageRecords: ({ path, query, operator }) =>
    useCases.listMessageRecords(path.conversation_id, query, {
      withText: query.include_text === true,
      mayReadText: operator.mayReadText,
    }),
  listConversationRecords: ({ query }) => useCases.listConversations(query),
  getConversationRecord: ({ path }) => useCases.getConversation(path.conversation_id),
  cancelConversationWork: ({ path }) => useCases.cancelConversationWork(path.conversation_id),

  listApprovals: ({ query: { app_id: appId = null, state = null, ...page } }) =>
    useCases.listApprovals({ appId, state }, page),
  decideApproval: ({ path, body }) => useCases.decideApproval(path.approval_id, body),

  getAdmission: () => useCases.getAdmission(),
  setAdmission: ({ body }) => useCases.setAdmission(body),

  pruneEvents: ({ body }) => useCases.pruneEvents(body),
  markRestored: () => useCases.markRestored(),

  createCallback: ({ body }) => useCases.createCallback(body),
  listCallbacks: ({ query: { app_id: appId = null, ...page } }) => useCases.listCallbacks(appId, page),
  getCallback: ({ path }) => useCases.getCallback(path.callback_id),
  updateCallback: ({ path, body }) => useCases.updateCallback(path.callback_id, body),
  rotateCallbackSecret: ({ path, query }) => useCases.rotateCallbackSecret(path.callback_id, query.overlap_seconds),
  eraseConversation: ({ path }) => useCases.eraseConversation(path.conversation_id),
  eraseSubject: ({ path }) => useCases.eraseSubject(path.app_id, path.subject),
  getErasure: ({ path }) => useCases.getErasure(path.erasure_id),

  reencryptSecrets: () => useCases.reencryptSecrets(),
  listDeliveries: ({ query: { app_id: appId = null, callback_id: callbackId = null, state = null, ...page } }) =>
    useCases.listDeliveries({ appId, callbackId, state }, page),
  getDelivery: ({ path, query, operator }) =>
    useCases.getDelivery(path.delivery_id, {
      withText: query.include_text === true,
      mayReadText: operator.mayReadText,
    }),
  retryDeliveries: ({ body }) => useCases.retryDeliveries(body),
  listUsage: ({ query }) => useCases.listUsage(query),
  retryDelivery: ({ path }) => useCases.retryDelivery(path.delivery_id),
})
