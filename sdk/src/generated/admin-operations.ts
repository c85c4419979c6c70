// Generated from openapi/admin.yaml by `npm run generate`. Do not edit.

import type { OperationInfo } from './operations.ts'

export const ADMIN_OPERATIONS = {
  listApps: {
    operationId: "listApps",
    method: "GET",
    path: "/admin/v1/apps",
    status: 200,
    operatorRole: "read"
  },
  createApp: {
    operationId: "createApp",
    method: "POST",
    path: "/admin/v1/apps",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  getApp: {
    operationId: "getApp",
    method: "GET",
    path: "/admin/v1/apps/{app_id}",
    status: 200,
    operatorRole: "read"
  },
  updateApp: {
    operationId: "updateApp",
    method: "PATCH",
    path: "/admin/v1/apps/{app_id}",
    status: 200,
    repeat: "same",
    operatorRole: "admin"
  },
  listKeys: {
    operationId: "listKeys",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/keys",
    status: 200,
    operatorRole: "read"
  },
  createKey: {
    operationId: "createKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  revokeKey: {
    operationId: "revokeKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys/{key_id}/revoke",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  eraseSubject: {
    operationId: "eraseSubject",
    method: "DELETE",
    path: "/admin/v1/apps/{app_id}/subjects/{subject}",
    status: 202,
    repeat: "again",
    operatorRole: "admin"
  },
  listEndpoints: {
    operationId: "listEndpoints",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints",
    status: 200,
    operatorRole: "read"
  },
  createEndpoint: {
    operationId: "createEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  getEndpoint: {
    operationId: "getEndpoint",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}",
    status: 200,
    operatorRole: "read"
  },
  publishVersion: {
    operationId: "publishVersion",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/versions",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  rotateEndpointSecret: {
    operationId: "rotateEndpointSecret",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/rotate-secret",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  tryEndpoint: {
    operationId: "tryEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/try",
    status: 200,
    repeat: "again",
    operatorRole: "operate"
  },
  listDevices: {
    operationId: "listDevices",
    method: "GET",
    path: "/admin/v1/devices",
    status: 200,
    operatorRole: "read"
  },
  createDevice: {
    operationId: "createDevice",
    method: "POST",
    path: "/admin/v1/devices",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  getDevice: {
    operationId: "getDevice",
    method: "GET",
    path: "/admin/v1/devices/{device_id}",
    status: 200,
    operatorRole: "read"
  },
  updateDevice: {
    operationId: "updateDevice",
    method: "PATCH",
    path: "/admin/v1/devices/{device_id}",
    status: 200,
    repeat: "same",
    operatorRole: "admin"
  },
  pauseDevice: {
    operationId: "pauseDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/pause",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  resumeDevice: {
    operationId: "resumeDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/resume",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  disableDevice: {
    operationId: "disableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/disable",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  enableDevice: {
    operationId: "enableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/enable",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  listDeviceKeys: {
    operationId: "listDeviceKeys",
    method: "GET",
    path: "/admin/v1/devices/{device_id}/keys",
    status: 200,
    operatorRole: "read"
  },
  createDeviceKey: {
    operationId: "createDeviceKey",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/keys",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  revokeDeviceKey: {
    operationId: "revokeDeviceKey",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/keys/{key_id}/revoke",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  listDeviceSessions: {
    operationId: "listDeviceSessions",
    method: "GET",
    path: "/admin/v1/devices/{device_id}/sessions",
    status: 200,
    operatorRole: "read"
  },
  listOperators: {
    operationId: "listOperators",
    method: "GET",
    path: "/admin/v1/operators",
    status: 200,
    operatorRole: "read"
  },
  createOperator: {
    operationId: "createOperator",
    method: "POST",
    path: "/admin/v1/operators",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  revokeOperator: {
    operationId: "revokeOperator",
    method: "POST",
    path: "/admin/v1/operators/{operator_id}/revoke",
    status: 200,
    repeat: "same",
    operatorRole: "admin"
  },
  getOperatorSelf: {
    operationId: "getOperatorSelf",
    method: "GET",
    path: "/admin/v1/operator",
    status: 200,
    operatorRole: "read"
  },
  listAuditRecords: {
    operationId: "listAuditRecords",
    method: "GET",
    path: "/admin/v1/audit",
    status: 200,
    operatorRole: "read"
  },
  listUsage: {
    operationId: "listUsage",
    method: "GET",
    path: "/admin/v1/usage",
    status: 200,
    operatorRole: "read"
  },
  getOverview: {
    operationId: "getOverview",
    method: "GET",
    path: "/admin/v1/overview",
    status: 200,
    operatorRole: "read"
  },
  getOverviewHistory: {
    operationId: "getOverviewHistory",
    method: "GET",
    path: "/admin/v1/overview/history",
    status: 200,
    operatorRole: "read"
  },
  listRunRecords: {
    operationId: "listRunRecords",
    method: "GET",
    path: "/admin/v1/runs",
    status: 200,
    operatorRole: "read"
  },
  getRunRecord: {
    operationId: "getRunRecord",
    method: "GET",
    path: "/admin/v1/runs/{run_id}",
    status: 200,
    operatorRole: "read"
  },
  cancelRunRecord: {
    operationId: "cancelRunRecord",
    method: "POST",
    path: "/admin/v1/runs/{run_id}/cancel",
    status: 202,
    repeat: "same",
    operatorRole: "operate"
  },
  cancelRunRecords: {
    operationId: "cancelRunRecords",
    method: "POST",
    path: "/admin/v1/run-cancellations",
    status: 200,
    repeat: "again",
    operatorRole: "operate"
  },
  getRunTimeline: {
    operationId: "getRunTimeline",
    method: "GET",
    path: "/admin/v1/runs/{run_id}/timeline",
    status: 200,
    operatorRole: "read"
  },
  listConversationRecords: {
    operationId: "listConversationRecords",
    method: "GET",
    path: "/admin/v1/conversations",
    status: 200,
    operatorRole: "read"
  },
  listMessageRecords: {
    operationId: "listMessageRecords",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}/messages",
    status: 200,
    operatorRole: "read"
  },
  cancelConversationWork: {
    operationId: "cancelConversationWork",
    method: "POST",
    path: "/admin/v1/conversations/{conversation_id}/cancel-work",
    status: 202,
    repeat: "same",
    operatorRole: "operate"
  },
  listApprovals: {
    operationId: "listApprovals",
    method: "GET",
    path: "/admin/v1/approvals",
    status: 200,
    operatorRole: "read"
  },
  decideApproval: {
    operationId: "decideApproval",
    method: "POST",
    path: "/admin/v1/approvals/{approval_id}/decision",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  getAdmission: {
    operationId: "getAdmission",
    method: "GET",
    path: "/admin/v1/admission",
    status: 200,
    operatorRole: "read"
  },
  setAdmission: {
    operationId: "setAdmission",
    method: "PUT",
    path: "/admin/v1/admission",
    status: 200,
    repeat: "same",
    operatorRole: "operate"
  },
  pruneEvents: {
    operationId: "pruneEvents",
    method: "POST",
    path: "/admin/v1/events/prune",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  markRestored: {
    operationId: "markRestored",
    method: "POST",
    path: "/admin/v1/mark-restored",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  listWebhooks: {
    operationId: "listWebhooks",
    method: "GET",
    path: "/admin/v1/webhooks",
    status: 200,
    operatorRole: "read"
  },
  createWebhook: {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/v1/webhooks",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  getWebhook: {
    operationId: "getWebhook",
    method: "GET",
    path: "/admin/v1/webhooks/{integration_id}",
    status: 200,
    operatorRole: "read"
  },
  updateWebhook: {
    operationId: "updateWebhook",
    method: "PATCH",
    path: "/admin/v1/webhooks/{integration_id}",
    status: 200,
    repeat: "same",
    operatorRole: "admin"
  },
  rotateWebhookSecret: {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/v1/webhooks/{integration_id}/rotate-secret",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  listCallbacks: {
    operationId: "listCallbacks",
    method: "GET",
    path: "/admin/v1/callbacks",
    status: 200,
    operatorRole: "read"
  },
  createCallback: {
    operationId: "createCallback",
    method: "POST",
    path: "/admin/v1/callbacks",
    status: 201,
    repeat: "again",
    operatorRole: "admin"
  },
  getCallback: {
    operationId: "getCallback",
    method: "GET",
    path: "/admin/v1/callbacks/{callback_id}",
    status: 200,
    operatorRole: "read"
  },
  updateCallback: {
    operationId: "updateCallback",
    method: "PATCH",
    path: "/admin/v1/callbacks/{callback_id}",
    status: 200,
    repeat: "same",
    operatorRole: "admin"
  },
  rotateCallbackSecret: {
    operationId: "rotateCallbackSecret",
    method: "POST",
    path: "/admin/v1/callbacks/{callback_id}/rotate-secret",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  reencryptSecrets: {
    operationId: "reencryptSecrets",
    method: "POST",
    path: "/admin/v1/secrets/reencrypt",
    status: 200,
    repeat: "again",
    operatorRole: "admin"
  },
  getConversationRecord: {
    operationId: "getConversationRecord",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}",
    status: 200,
    operatorRole: "read"
  },
  eraseConversation: {
    operationId: "eraseConversation",
    method: "DELETE",
    path: "/admin/v1/conversations/{conversation_id}",
    status: 202,
    repeat: "same",
    operatorRole: "admin"
  },
  getErasure: {
    operationId: "getErasure",
    method: "GET",
    path: "/admin/v1/erasures/{erasure_id}",
    status: 200,
    operatorRole: "read"
  },
  listDeliveries: {
    operationId: "listDeliveries",
    method: "GET",
    path: "/admin/v1/deliveries",
    status: 200,
    operatorRole: "read"
  },
  retryDeliveries: {
    operationId: "retryDeliveries",
    method: "POST",
    path: "/admin/v1/delivery-retries",
    status: 200,
    repeat: "again",
    operatorRole: "operate"
  },
  getDelivery: {
    operationId: "getDelivery",
    method: "GET",
    path: "/admin/v1/deliveries/{delivery_id}",
    status: 200,
    operatorRole: "read"
  },
  retryDelivery: {
    operationId: "retryDelivery",
    method: "POST",
    path: "/admin/v1/deliveries/{delivery_id}/retry",
    status: 202,
    repeat: "again",
    operatorRole: "operate"
  }
} as const satisfies Record<string, OperationInfo>

export type AdminOperationId = keyof typeof ADMIN_OPERATIONS
