import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Logger } from 'pino'
import type { DeliverySettings } from '../delivery/settings.ts'
import type { WorkerSettings } from '../devices/settings.ts'
import type { CallbackTargets } from '../domain/callback-url.ts'
import type { SecretKeys } from '../domain/secret-box.ts'
import type { Rate } from '../domain/token-bucket.ts'
import type { GatewaySettings } from '../gateway/context.ts'
import type { Retention } from '../gateway/retention.ts'
import type { Tracing } from '../gateway/tracing.ts'
import type { Tls } from '../http/framework.ts'
import type { DemoPage } from '../http/site/demo.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Db } from '../store/db.ts'
import type { StreamLimits } from '../store/streams.ts'
import type { Environment } from './settings/environment.ts'
import type { Role } from './settings/settings.ts'

/** The options of one process of the gateway. */
export interface GatewayOptions {
  readonly db: Db
  readonly clock: Clock
  /** How far this machine's clock is ahead of the database's; null if the database uses this machine's clock. */
  readonly clockOffsetSeconds: () => number | null
  /** How long a request may wait for the database, in milliseconds. */
  readonly deadlineMs: number
  readonly timers: Timers
  readonly log: Logger
  /** Returns the number of dropped log lines. */
  readonly droppedLogLines: () => number
  /** Traces requests, runs and callbacks. */
  readonly tracing: Tracing
  readonly roles: ReadonlySet<Role>
  readonly settings: GatewaySettings
  /** The retention that the maintenance role enforces. */
  readonly retention: Retention
  readonly worker: WorkerSettings
  /** How long a remote worker's session lasts after a heartbeat, in milliseconds. */
  readonly workerLeaseMs: number
  /** Devices that this process serves; null for all devices without remote workers. */
  readonly deviceIds: readonly string[] | null
  readonly streamLimits: StreamLimits
  /** The request rate of a key whose application has no rate (D-61); null for unlimited. */
  readonly rateLimit: Rate | null
  /** Ping interval of a stream, in milliseconds (D-30). */
  readonly pingMs: number
  /** Shortest interval between wake-ups to other processes, in milliseconds. */
  readonly wakeMs: number
  /** If it is null, or without the api role, this process does not serve the operator's API. */
  readonly adminToken: string | null
  readonly tls?: Tls
  readonly trustProxy: boolean
  /** Whether clients can reach the gateway over HTTPS only. */
  readonly httpsOnly: boolean
  /** A separate server for the admin API and the metrics. Absent: they share the main server. */
  readonly operator?: { readonly tls?: Tls }
  readonly environment: Environment
  /** The keys of GATEWAY_SECRET_KEY; null if no secret can be stored. */
  readonly secretKeys: SecretKeys | null
  /** Returns the gateway's public origin; called only after it listens. */
  readonly baseUrl: () => string
  /** The targets to which callbacks may be sent (D-41). */
  readonly callbackTargets: CallbackTargets
  readonly delivery: DeliverySettings
  /** The folder for relative paths of assistant modules. */
  readonly moduleDirectory: string
  /** Memory limit of a module's process in MiB, for its heap and separately for its buffers. */
  readonly moduleMemoryMb: number
  /** Whether a module is reloaded for new runs after its file has changed. */
  readonly reloadModules: boolean
  /**
   * The handler of `/demo`; called for each request, null while there is no demo. Default: the route does not exist.
   */
  readonly demoPage?: () => DemoPage | null
  /** Validates every answer against the contract; for tests. Default false. */
  readonly checkResponses?: boolean
}
