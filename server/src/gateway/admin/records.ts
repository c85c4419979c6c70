import type {
  App,
  Approval,
  Device,
  Endpoint,
  Erasure,
  Key,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { stillInUse } from '../../domain/secret-rotation.ts'
import type { StoredApproval } from '../../store/admin/approvals.ts'
import type { StoredApp } from '../../store/admin/apps.ts'
import type { StoredDevice } from '../../store/admin/devices.ts'
import type { StoredKey } from '../../store/admin/keys.ts'
import type { StoredService } from '../../store/admin/services.ts'
import type { StoredErasure } from '../../store/erasure/erasures.ts'
import type { GatewayContext, GatewaySettings } from '../context.ts'
import { showAssistant } from '../secrets/stored-assistant.ts'

/** Stored rows as the operator's contract shows them. */

const timestamp = (moment: Date | null): string | null => moment?.toISOString() ?? null

/** The default limits. */
type Limited = Pick<GatewayContext, 'settings' | 'limits'>

export const appRecord = (app: StoredApp, { settings, limits }: Limited): App => ({
  app_id: app.appId,
  owner_id: app.ownerId,
  name: app.name,
  state: app.state,
  pending_limit: app.pendingLimit,
  rate_limit_per_second: app.rateLimitPerSecond,
  stream_limit: app.streamLimit,
  subject_stream_limit: app.subjectStreamLimit,
  limits_in_force: {
    pending_limit: app.pendingLimit ?? settings.pendingPerApp,
    rate_limit_per_second: app.rateLimitPerSecond ?? limits.requestsPerSecond,
    stream_limit: app.streamLimit ?? limits.streams.perApp,
    subject_stream_limit: app.subjectStreamLimit ?? limits.streams.perSubject,
  },
  created_at: app.createdAt.toISOString(),
})

export const keyRecord = (key: StoredKey): Key => ({
  key_id: key.keyId,
  app_id: key.appId,
  name: key.name,
  // The contract has validated the scopes in the database.
  scopes: key.scopes as Key['scopes'],
  created_at: key.createdAt.toISOString(),
  expires_at: timestamp(key.expiresAt),
  revoked_at: timestamp(key.revokedAt),
  prefix: key.prefix,
  last_used_at: timestamp(key.lastUsedAt),
})

export const deviceRecord = (device: StoredDevice, { clock, settings, limits }: GatewayContext): Device => ({
  device_id: device.deviceId,
  name: device.name,
  state: device.state,
  online: isOnline(device.heartbeatAt, clock.now(), settings),
  last_seen_at: timestamp(device.heartbeatAt),
  pending_limit: device.pendingLimit,
  stream_limit: device.streamLimit,
  limits_in_force: {
    pending_limit: device.pendingLimit ?? settings.pendingPerDevice,
    stream_limit: device.streamLimit ?? limits.streams.perDevice,
  },
  created_at: device.createdAt.toISOString(),
})

/** Whether a device's last heartbeat is recent enough (D-43). */
export const isOnline = (heartbeatAt: Date | null, now: Date, { deviceOfflineMs }: GatewaySettings): boolean =>
  heartbeatAt !== null && heartbeatAt.getTime() > now.getTime() - deviceOfflineMs

export const endpointRecord = (service: StoredService, now: Date): Endpoint => ({
  endpoint_id: service.endpointId,
  app_id: service.appId,
  device_id: service.deviceId,
  name: service.name,
  binding_version: service.publishedVersion,
  compatibility: service.compatibility,
  assistant: showAssistant(service.assistant),
  // The contract has validated the media ranges in the database.
  accepts: service.accepts as string[],
  input_schema: service.inputSchema,
  output_schema: service.outputSchema,
  context_activities: service.contextActivities,
  max_run_seconds: service.maxRunSeconds,
  previous_secret_expires_at: timestamp(stillInUse(service.signing?.previousSecret ?? null, now)?.expiresAt ?? null),
  created_at: service.createdAt.toISOString(),
  published_at: service.publishedAt.toISOString(),
})

export const approvalRecord = (approval: StoredApproval): Approval => ({
  approval_id: approval.approvalId,
  app_id: approval.appId,
  conversation_id: approval.conversationId,
  run_id: approval.runId,
  summary: approval.summary,
  state: approval.state,
  created_at: approval.createdAt.toISOString(),
  decided_at: timestamp(approval.decidedAt),
})

export const erasureRecord = (erasure: StoredErasure): Erasure => ({
  erasure_id: erasure.erasureId,
  app_id: erasure.appId,
  conversation_id: erasure.conversationId,
  state: erasure.state,
  erased: {
    conversations: erasure.conversations,
    runs: erasure.runs,
    messages: erasure.messages,
    events: erasure.events,
    resources: erasure.resources,
    deliveries: erasure.deliveries,
    replays: erasure.replays,
  },
  created_at: erasure.createdAt.toISOString(),
  completed_at: timestamp(erasure.completedAt),
})
