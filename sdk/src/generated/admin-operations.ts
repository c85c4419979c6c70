// Generated from openapi/admin.yaml by `pnpm generate`. Do not edit.

import type { OperationInfo } from './operations.ts'

export const ADMIN_OPERATIONS = {
  listApps: {operationId: "listApps", method: "GET", path: "/admin/v1/apps", operatorRole: "read"},
  createApp: {operationId: "createApp", method: "POST", path: "/admin/v1/apps", operatorRole: "admin"},
  getApp: {operationId: "getApp", method: "GET", path: "/admin/v1/apps/{app_id}", operatorRole: "read"},
  updateApp: {
    operationId: "updateApp",
    method: "PATCH",
    path: "/admin/v1/apps/{app_id}",
    operatorRole: "admin"
  },
  listKeys: {
    operationId: "listKeys",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/keys",
    operatorRole: "read"
  },
  createKey: {
    operationId: "createKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys",
    operatorRole: "admin"
  },
  revokeKey: {
    operationId: "revokeKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys/{key_id}/revoke",
    operatorRole: "operate"
  },
  eraseSubject: {
    operationId: "eraseSubject",
    method: "DELETE",
    path: "/admin/v1/apps/{app_id}/subjects/{subject}",
    operatorRole: "admin"
  },
  listEndpoints: {
    operationId: "listEndpoints",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints",
    operatorRole: "read"
  },
  createEndpoint: {
    operationId: "createEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints",
    operatorRole: "admin"
  },
  getEndpoint: {
    operationId: "getEndpoint",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}",
    operatorRole: "read"
  },
  publishVersion: {
    operationId: "publishVersion",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/versions",
    operatorRole: "admin"
  },
  rotateEndpointSecret: {
    operationId: "rotateEndpointSecret",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/rotate-secret",
    operatorRole: "admin"
  },
  tryEndpoint: {
    operationId: "tryEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/try",
    operatorRole: "operate"
  },
  listDevices: {operationId: "listDevices", method: "GET", path: "/admin/v1/devices", operatorRole: "read"},
  createDevice: {
    operationId: "createDevice",
    method: "POST",
    path: "/admin/v1/devices",
    operatorRole: "admin"
  },
  getDevice: {
    operationId: "getDevice",
    method: "GET",
    path: "/admin/v1/devices/{device_id}",
    operatorRole: "read"
  },
  updateDevice: {
    operationId: "updateDevice",
    method: "PATCH",
    path: "/admin/v1/devices/{device_id}",
    operatorRole: "admin"
  },
  pauseDevice: {
    operationId: "pauseDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/pause",
    operatorRole: "operate"
  },
  resumeDevice: {
    operationId: "resumeDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/resume",
    operatorRole: "operate"
  },
  disableDevice: {
    operationId: "disableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/disable",
    operatorRole: "operate"
  },
  enableDevice: {
    operationId: "enableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/enable",
    operatorRole: "operate"
  },
  listDeviceKeys: {
    operationId: "listDeviceKeys",
    method: "GET",
    path: "/admin/v1/devices/{device_id}/keys",
    operatorRole: "read"
  },
  createDeviceKey: {
    operationId: "createDeviceKey",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/keys",
    operatorRole: "admin"
  },
  revokeDeviceKey: {
    operationId: "revokeDeviceKey",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/keys/{key_id}/revoke",
    operatorRole: "operate"
  },
  listDeviceSessions: {
    operationId: "listDeviceSessions",
    method: "GET",
    path: "/admin/v1/devices/{device_id}/sessions",
    operatorRole: "read"
  },
  listOperators: {
    operationId: "listOperators",
    method: "GET",
    path: "/admin/v1/operators",
    operatorRole: "read"
  },
  createOperator: {
    operationId: "createOperator",
    method: "POST",
    path: "/admin/v1/operators",
    operatorRole: "admin"
  },
  revokeOperator: {
    operationId: "revokeOperator",
    method: "POST",
    path: "/admin/v1/operators/{operator_id}/revoke",
    operatorRole: "admin"
  },
  getOperatorSelf: {
    operationId: "getOperatorSelf",
    method: "GET",
    path: "/admin/v1/operator",
    operatorRole: "read"
  },
  listAuditRecords: {
    operationId: "listAuditRecords",
    method: "GET",
    path: "/admin/v1/audit",
    operatorRole: "read"
  },
  listUsage: {operationId: "listUsage", method: "GET", path: "/admin/v1/usage", operatorRole: "read"},
  getOverview: {operationId: "getOverview", method: "GET", path: "/admin/v1/overview", operatorRole: "read"},
  listRunRecords: {
    operationId: "listRunRecords",
    method: "GET",
    path: "/admin/v1/runs",
    operatorRole: "read"
  },
  getRunRecord: {
    operationId: "getRunRecord",
    method: "GET",
    path: "/admin/v1/runs/{run_id}",
    operatorRole: "read"
  },
  cancelRunRecord: {
    operationId: "cancelRunRecord",
    method: "POST",
    path: "/admin/v1/runs/{run_id}/cancel",
    operatorRole: "operate"
  },
  cancelRunRecords: {
    operationId: "cancelRunRecords",
    method: "POST",
    path: "/admin/v1/run-cancellations",
    operatorRole: "operate"
  },
  getRunTimeline: {
    operationId: "getRunTimeline",
    method: "GET",
    path: "/admin/v1/runs/{run_id}/timeline",
    operatorRole: "read"
  },
  listConversationRecords: {
    operationId: "listConversationRecords",
    method: "GET",
    path: "/admin/v1/conversations",
    operatorRole: "read"
  },
  listMessageRecords: {
    operationId: "listMessageRecords",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}/messages",
    operatorRole: "read"
  },
  cancelConversationWork: {
    operationId: "cancelConversationWork",
    method: "POST",
    path: "/admin/v1/conversations/{conversation_id}/cancel-work",
    operatorRole: "operate"
  },
  listApprovals: {
    operationId: "listApprovals",
    method: "GET",
    path: "/admin/v1/approvals",
    operatorRole: "read"
  },
  decideApproval: {
    operationId: "decideApproval",
    method: "POST",
    path: "/admin/v1/approvals/{approval_id}/decision",
    operatorRole: "operate"
  },
  getAdmission: {
    operationId: "getAdmission",
    method: "GET",
    path: "/admin/v1/admission",
    operatorRole: "read"
  },
  setAdmission: {
    operationId: "setAdmission",
    method: "PUT",
    path: "/admin/v1/admission",
    operatorRole: "operate"
  },
  pruneEvents: {
    operationId: "pruneEvents",
    method: "POST",
    path: "/admin/v1/events/prune",
    operatorRole: "admin"
  },
  markRestored: {
    operationId: "markRestored",
    method: "POST",
    path: "/admin/v1/mark-restored",
    operatorRole: "admin"
  },
  listWebhooks: {
    operationId: "listWebhooks",
    method: "GET",
    path: "/admin/v1/webhooks",
    operatorRole: "read"
  },
  createWebhook: {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/v1/webhooks",
    operatorRole: "admin"
  },
  getWebhook: {
    operationId: "getWebhook",
    method: "GET",
    path: "/admin/v1/webhooks/{integration_id}",
    operatorRole: "read"
  },
  updateWebhook: {
    operationId: "updateWebhook",
    method: "PATCH",
    path: "/admin/v1/webhooks/{integration_id}",
    operatorRole: "admin"
  },
  rotateWebhookSecret: {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/v1/webhooks/{integration_id}/rotate-secret",
    operatorRole: "admin"
  },
  listCallbacks: {
    operationId: "listCallbacks",
    method: "GET",
    path: "/admin/v1/callbacks",
    operatorRole: "read"
  },
  createCallback: {
    operationId: "createCallback",
    method: "POST",
    path: "/admin/v1/callbacks",
    operatorRole: "admin"
  },
  getCallback: {
    operationId: "getCallback",
    method: "GET",
    path: "/admin/v1/callbacks/{callback_id}",
    operatorRole: "read"
  },
  updateCallback: {
    operationId: "updateCallback",
    method: "PATCH",
    path: "/admin/v1/callbacks/{callback_id}",
    operatorRole: "admin"
  },
  rotateCallbackSecret: {
    operationId: "rotateCallbackSecret",
    method: "POST",
    path: "/admin/v1/callbacks/{callback_id}/rotate-secret",
    operatorRole: "admin"
  },
  reencryptSecrets: {
    operationId: "reencryptSecrets",
    method: "POST",
    path: "/admin/v1/secrets/reencrypt",
    operatorRole: "admin"
  },
  getConversationRecord: {
    operationId: "getConversationRecord",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}",
    operatorRole: "read"
  },
  eraseConversation: {
    operationId: "eraseConversation",
    method: "DELETE",
    path: "/admin/v1/conversations/{conversation_id}",
    operatorRole: "admin"
  },
  getErasure: {
    operationId: "getErasure",
    method: "GET",
    path: "/admin/v1/erasures/{erasure_id}",
    operatorRole: "read"
  },
  listDeliveries: {
    operationId: "listDeliveries",
    method: "GET",
    path: "/admin/v1/deliveries",
    operatorRole: "read"
  },
  retryDeliveries: {
    operationId: "retryDeliveries",
    method: "POST",
    path: "/admin/v1/delivery-retries",
    operatorRole: "operate"
  },
  getDelivery: {
    operationId: "getDelivery",
    method: "GET",
    path: "/admin/v1/deliveries/{delivery_id}",
    operatorRole: "read"
  },
  retryDelivery: {
    operationId: "retryDelivery",
    method: "POST",
    path: "/admin/v1/deliveries/{delivery_id}/retry",
    operatorRole: "operate"
  }
} as const satisfies Record<string, OperationInfo>

export type AdminOperationId = keyof typeof ADMIN_OPERATIONS
