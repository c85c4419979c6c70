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
  /** Queued runs of a conversation (specification "Limits"). */
  readonly queuedPerConversation: number
  /** Unfinished runs of an application, and of a device, that has no limit of its own (D-24). */
  readonly pendingPerApp: number
  readonly pendingPerDevice: number
  /** How long what a process holds counts after its last beat, or after it has let go of it (D-19, D-60). */
  readonly leaseMs: number
  /** A device without a heartbeat for this long gets no new work (D-43). */
  readonly deviceOfflineMs: number
  /** JSON bytes of a snapshot (D-14). */
  readonly snapshotBytes: number
}

export interface DefaultLimits {
  readonly streams: StreamLimits
  /** Of each key, in each process; null for as many as it likes. */
  readonly requestsPerSecond: number | null
}

/** What every use case works with. */
export interface GatewayContext {
  readonly db: Db
  /** Through which conversations are changed. */
  readonly writer: Writer
  readonly clock: Clock
  readonly wakeups: Wakeups
  readonly settings: GatewaySettings
  readonly schemas: ServiceSchemas
  /** What holds beside the settings where an application or device has no limit of its own; for people to see. */
  readonly limits: DefaultLimits
  /** Encrypts what is stored of secrets; null without GATEWAY_SECRET_KEY, and then none can be stored or used. */
  readonly secrets: SecretBox | null
  /** The origin that this gateway is reached under, as it tells others. */
  readonly baseUrl: () => string
  /** Where callbacks may be sent to. */
  readonly callbackTargets: CallbackTargets
}
