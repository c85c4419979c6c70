import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Windows } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { CallbackTargets } from '../domain/callback-url.ts'
import type { SecretBox } from '../domain/secret-box.ts'
import type { Db } from '../store/db.ts'
import type { StreamLimits } from '../store/streams.ts'
import type { Wakeups } from '../writer/wakeups.ts'
import type { Writer } from '../writer/writer.ts'
import type { ServiceSchemas } from './service-schemas.ts'

/** Limits and waiting times of one gateway; all of them are settings. */
export interface GatewaySettings extends Windows {
  /** Maximum number of queued runs of a conversation (specification "Limits"). */
  readonly queuedPerConversation: number
  /** Default limits of unfinished runs for applications and devices (D-24). */
  readonly pendingPerApp: number
  readonly pendingPerDevice: number
  /** How long a process's leases last after its last heartbeat or its release of a run (D-19, D-60). */
  readonly leaseMs: number
  /** A device without a heartbeat for this long gets no new work (D-43). */
  readonly deviceOfflineMs: number
  /** Maximum JSON bytes of a snapshot (D-14). */
  readonly snapshotBytes: number
}

export interface DefaultLimits {
  readonly streams: StreamLimits
  /** The limit of each key in each process; null for unlimited. */
  readonly requestsPerSecond: number | null
}

/** The dependencies of every use case. */
export interface GatewayContext {
  readonly db: Db
  /** The writer of conversations. */
  readonly writer: Writer
  readonly clock: Clock
  readonly wakeups: Wakeups
  readonly settings: GatewaySettings
  readonly schemas: ServiceSchemas
  /** The default limits of applications and devices, for display. */
  readonly limits: DefaultLimits
  /** Encrypts stored secrets; null without GATEWAY_SECRET_KEY, when no secret can be stored or used. */
  readonly secrets: SecretBox | null
  /** The gateway's public origin. */
  readonly baseUrl: () => string
  /** The rules for callback targets. */
  readonly callbackTargets: CallbackTargets
}
