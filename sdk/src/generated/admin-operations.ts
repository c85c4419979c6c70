// Generated from openapi/admin.yaml by `pnpm generate`. Do not edit.

import type { OperationInfo } from './operations.ts'

export const ADMIN_OPERATIONS = {
  listApps: {
    operationId: "listApps",
    method: "GET",
    path: "/admin/v1/apps"
  },
  createApp: {
    operationId: "createApp",
    method: "POST",
    path: "/admin/v1/apps"
  },
  getApp: {
    operationId: "getApp",
    method: "GET",
    path: "/admin/v1/apps/{app_id}"
  },
  updateApp: {
    operationId: "updateApp",
    method: "PATCH",
    path: "/admin/v1/apps/{app_id}"
  },
  listKeys: {
    operationId: "listKeys",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/keys"
  },
  createKey: {
    operationId: "createKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys"
  },
  revokeKey: {
    operationId: "revokeKey",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/keys/{key_id}/revoke"
  },
  eraseSubject: {
    operationId: "eraseSubject",
    method: "DELETE",
    path: "/admin/v1/apps/{app_id}/subjects/{subject}"
  },
  listEndpoints: {
    operationId: "listEndpoints",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints"
  },
  createEndpoint: {
    operationId: "createEndpoint",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints"
  },
  getEndpoint: {
    operationId: "getEndpoint",
    method: "GET",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}"
  },
  publishVersion: {
    operationId: "publishVersion",
    method: "POST",
    path: "/admin/v1/apps/{app_id}/endpoints/{endpoint_id}/versions"
  },
  listDevices: {
    operationId: "listDevices",
    method: "GET",
    path: "/admin/v1/devices"
  },
  createDevice: {
    operationId: "createDevice",
    method: "POST",
    path: "/admin/v1/devices"
  },
  getDevice: {
    operationId: "getDevice",
    method: "GET",
    path: "/admin/v1/devices/{device_id}"
  },
  updateDevice: {
    operationId: "updateDevice",
    method: "PATCH",
    path: "/admin/v1/devices/{device_id}"
  },
  pauseDevice: {
    operationId: "pauseDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/pause"
  },
  resumeDevice: {
    operationId: "resumeDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/resume"
  },
  disableDevice: {
    operationId: "disableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/disable"
  },
  enableDevice: {
    operationId: "enableDevice",
    method: "POST",
    path: "/admin/v1/devices/{device_id}/enable"
  },
  listOperators: {
    operationId: "listOperators",
    method: "GET",
    path: "/admin/v1/operators"
  },
  createOperator: {
    operationId: "createOperator",
    method: "POST",
    path: "/admin/v1/operators"
  },
  revokeOperator: {
    operationId: "revokeOperator",
    method: "POST",
    path: "/admin/v1/operators/{operator_id}/revoke"
  },
  getOperatorSelf: {
    operationId: "getOperatorSelf",
    method: "GET",
    path: "/admin/v1/operator"
  },
  listAuditRecords: {
    operationId: "listAuditRecords",
    method: "GET",
    path: "/admin/v1/audit"
  },
  getOverview: {
    operationId: "getOverview",
    method: "GET",
    path: "/admin/v1/overview"
  },
  listRunRecords: {
    operationId: "listRunRecords",
    method: "GET",
    path: "/admin/v1/runs"
  },
  getRunRecord: {
    operationId: "getRunRecord",
    method: "GET",
    path: "/admin/v1/runs/{run_id}"
  },
  getRunTimeline: {
    operationId: "getRunTimeline",
    method: "GET",
    path: "/admin/v1/runs/{run_id}/timeline"
  },
  listConversationRecords: {
    operationId: "listConversationRecords",
    method: "GET",
    path: "/admin/v1/conversations"
  },
  listApprovals: {
    operationId: "listApprovals",
    method: "GET",
    path: "/admin/v1/approvals"
  },
  decideApproval: {
    operationId: "decideApproval",
    method: "POST",
    path: "/admin/v1/approvals/{approval_id}/decision"
  },
  getAdmission: {
    operationId: "getAdmission",
    method: "GET",
    path: "/admin/v1/admission"
  },
  setAdmission: {
    operationId: "setAdmission",
    method: "PUT",
    path: "/admin/v1/admission"
  },
  pruneEvents: {
    operationId: "pruneEvents",
    method: "POST",
    path: "/admin/v1/events/prune"
  },
  listWebhooks: {
    operationId: "listWebhooks",
    method: "GET",
    path: "/admin/v1/webhooks"
  },
  createWebhook: {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/v1/webhooks"
  },
  getWebhook: {
    operationId: "getWebhook",
    method: "GET",
    path: "/admin/v1/webhooks/{integration_id}"
  },
  updateWebhook: {
    operationId: "updateWebhook",
    method: "PATCH",
    path: "/admin/v1/webhooks/{integration_id}"
  },
  rotateWebhookSecret: {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/v1/webhooks/{integration_id}/rotate-secret"
  },
  listCallbacks: {
    operationId: "listCallbacks",
    method: "GET",
    path: "/admin/v1/callbacks"
  },
  createCallback: {
    operationId: "createCallback",
    method: "POST",
    path: "/admin/v1/callbacks"
  },
  getCallback: {
    operationId: "getCallback",
    method: "GET",
    path: "/admin/v1/callbacks/{callback_id}"
  },
  updateCallback: {
    operationId: "updateCallback",
    method: "PATCH",
    path: "/admin/v1/callbacks/{callback_id}"
  },
  rotateCallbackSecret: {
    operationId: "rotateCallbackSecret",
    method: "POST",
    path: "/admin/v1/callbacks/{callback_id}/rotate-secret"
  },
  reencryptSecrets: {
    operationId: "reencryptSecrets",
    method: "POST",
    path: "/admin/v1/secrets/reencrypt"
  },
  getConversationRecord: {
    operationId: "getConversationRecord",
    method: "GET",
    path: "/admin/v1/conversations/{conversation_id}"
  },
  eraseConversation: {
    operationId: "eraseConversation",
    method: "DELETE",
    path: "/admin/v1/conversations/{conversation_id}"
  },
  getErasure: {
    operationId: "getErasure",
    method: "GET",
    path: "/admin/v1/erasures/{erasure_id}"
  },
  listDeliveries: {
    operationId: "listDeliveries",
    method: "GET",
    path: "/admin/v1/deliveries"
  },
  getDelivery: {
    operationId: "getDelivery",
    method: "GET",
    path: "/admin/v1/deliveries/{delivery_id}"
  },
  retryDelivery: {
    operationId: "retryDelivery",
    method: "POST",
    path: "/admin/v1/deliveries/{delivery_id}/retry"
  }
} as const satisfies Record<string, OperationInfo>

export type AdminOperationId = keyof typeof ADMIN_OPERATIONS
