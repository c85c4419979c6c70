import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { z } from 'zod'
import { DEFAULT_RATE } from '../../domain/token-bucket.ts'
import * as read from './setting-values.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The description of a setting in the documentation and in `--help`. */
export interface SettingText {
  /** The environment variable. */
  readonly name: string
  readonly description: string
  /** The text of the default value; absent if there is no default. */
  readonly default?: string
  readonly unit?: string
  /** Set if its value must never be shown. */
  readonly secret?: true
}

export const ROLES = ['api', 'device', 'delivery', 'maintenance'] as const
export type Role = (typeof ROLES)[number]

const CLOCKS = ['database', 'process'] as const

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const milliseconds = read.integer(1, DAY_MS)
const window = read.integer(0, 10_000)
const hours = read.integer(1, 10 * 365 * 24)
const count = read.integer(1, 1_000_000)

const deviceId = read.value((it) => (/^[A-Za-z0-9_-]{1,64}$/.test(it) ? it : null), 'must be a device ID')

const texts = z.registry<SettingText>()

const setting = <T>(schema: read.SettingValue<T>, text: SettingText & { readonly default: string }) =>
  schema.prefault(text.default).register(texts, text)

/** A setting without a default, whose absence has a meaning of its own. */
const optional = <T>(schema: read.SettingValue<T>, text: SettingText & { readonly default?: never }) =>
  schema.optional().register(texts, text)

/** Every setting (D-47): its field in the configuration, its variable, and how its text is read. */
export const SETTINGS = {
  host: setting(read.host, {
    name: 'GATEWAY_HOST',
    default: '127.0.0.1',
    description:
      'The address to listen on. On any address other than loopback the gateway also requires TLS or GATEWAY_BEHIND_PROXY=1, GATEWAY_ADMIN_TOKEN and GATEWAY_SECRET_KEY.',
  }),
  port: setting(read.integer(0, 65_535), {
    name: 'GATEWAY_PORT',
    default: '8787',
    description: 'The port to listen on; 0 picks a free one.',
  }),
  operatorPort: optional(read.integer(0, 65_535), {
    name: 'GATEWAY_OPERATOR_PORT',
    description:
      'A separate port for the admin API, the console and /metrics; GATEWAY_PORT then answers them with 404. 0 picks a free port. Absent: everything on one port.',
  }),
  operatorHost: optional(read.host, {
    name: 'GATEWAY_OPERATOR_HOST',
    description:
      'The address of GATEWAY_OPERATOR_PORT, with the same requirements as GATEWAY_HOST. On a loopback address it is served without TLS. Absent: 127.0.0.1.',
  }),
  publicUrl: optional(read.publicOrigin, {
    name: 'GATEWAY_PUBLIC_URL',
    description: 'The origin under which clients reach the gateway, if it differs from the address it listens on.',
  }),
  tlsCert: optional(read.text, {
    name: 'GATEWAY_TLS_CERT',
    description: 'File with the TLS certificate chain (PEM). Needs GATEWAY_TLS_KEY.',
  }),
  tlsKey: optional(read.text, {
    name: 'GATEWAY_TLS_KEY',
    description: 'File with the private key of the certificate (PEM).',
  }),
  behindProxy: setting(read.flag, {
    name: 'GATEWAY_BEHIND_PROXY',
    default: '0',
    description:
      'Set to 1 if a proxy in front of the gateway terminates TLS and the gateway cannot be reached without it.',
  }),
  roles: setting(read.list(read.oneOf(ROLES), `one of ${ROLES.join(', ')}`), {
    name: 'GATEWAY_ROLES',
    default: ROLES.join(','),
    description:
      'What this process does. Roles can run in separate processes on one PostgreSQL: api answers requests, device executes runs, delivery sends callbacks, maintenance enforces deadlines and retention.',
  }),
  devices: optional(read.list(deviceId, 'a device ID'), {
    name: 'GATEWAY_DEVICES',
    description:
      'The devices that the device role of this process serves. Absent: all devices that have never had a device key.',
  }),
  bootstrap: optional(read.text, {
    name: 'GATEWAY_BOOTSTRAP',
    description: 'A JSON file with applications, keys, devices and endpoints, applied at every start.',
  }),
  demo: optional(read.flag, {
    name: 'GATEWAY_DEMO',
    description:
      '1 creates a demo application in a database without applications; 0 does not. Absent: only on a loopback address with the embedded database.',
  }),
  adminToken: optional(read.strongToken, {
    name: 'GATEWAY_ADMIN_TOKEN',
    secret: true,
    description:
      'Bearer token of the admin API. Absent on a loopback address: with the embedded database the gateway creates one at its first start; with PostgreSQL it serves no admin API.',
  }),
  secretKeys: optional(read.secretKeys, {
    name: 'GATEWAY_SECRET_KEY',
    secret: true,
    description:
      'The key that encrypts stored secrets: 32 bytes in hexadecimal or base64 (`openssl rand -hex 32`). Separate several with commas: the first one encrypts, all of them decrypt.',
  }),
  databaseUrl: optional(read.postgresUrl, {
    name: 'DATABASE_URL',
    secret: true,
    description:
      'PostgreSQL, as postgres://user:password@host:port/database. With several servers, host1:port1,host2:port2, the gateway uses the one that accepts writes. Absent: the embedded database.',
  }),
  databasePool: setting(read.integer(1, 1000), {
    name: 'GATEWAY_DATABASE_POOL',
    default: '16',
    description:
      'Connections that each process opens to PostgreSQL; notifications use two more. Increase it on slow disks.',
  }),
  databaseDeadlineMs: setting(read.integer(1000, 600_000), {
    name: 'GATEWAY_DATABASE_DEADLINE_MS',
    default: '10000',
    unit: 'ms',
    description: 'How long a request may wait for the database before it is answered with 503.',
  }),
  databaseMaxAgeMs: setting(read.integer(1000, DAY_MS), {
    name: 'GATEWAY_DATABASE_MAX_AGE_MS',
    default: '1800000',
    unit: 'ms',
    description: 'The age at which a connection to PostgreSQL is replaced, approximately.',
  }),
  clock: setting(read.oneOf(CLOCKS), {
    name: 'GATEWAY_CLOCK',
    default: 'database',
    description:
      'The clock that decides leases, deadlines and signatures: database, or process for the clock of this machine, which only suits a single process. The embedded database always uses the clock of this machine.',
  }),
  dataDir: setting(read.text, {
    name: 'GATEWAY_DATA_DIR',
    default: '.data',
    description: 'The folder of the embedded database and of the secrets that the gateway creates at its first start.',
  }),
  callbackHosts: optional(
    read.list(read.publicHostName, 'an exact host name without scheme, port, path and wildcard'),
    {
      name: 'SERVICE_GATEWAY_CALLBACK_HOSTS',
      description: 'The host names that may receive callbacks, separated by commas. Absent: none.',
    },
  ),
  callbackDevTargets: optional(read.list(read.origin, 'an exact origin such as http://127.0.0.1:9000'), {
    name: 'GATEWAY_CALLBACK_DEV_TARGETS',
    description: 'For local development only: origins that may receive callbacks without any check of their address.',
  }),
  logLevel: setting(read.oneOf(LOG_LEVELS), {
    name: 'GATEWAY_LOG_LEVEL',
    default: 'info',
    description: `The lowest level that is logged: ${LOG_LEVELS.join(', ')}.`,
  }),
  leaseMs: setting(milliseconds, {
    name: 'GATEWAY_LEASE_MS',
    default: '4000',
    unit: 'ms',
    description:
      'A process that has been silent for this long is treated as dead: its streams no longer count towards limits, and its runs become reconciling (D-19, D-60). The process of an assistant module that blocks for this long is replaced.',
  }),
  workerLeaseMs: setting(milliseconds, {
    name: 'GATEWAY_WORKER_LEASE_MS',
    default: '15000',
    unit: 'ms',
    description:
      'A remote worker that has been silent for this long is treated as dead: its session ends, and its runs become reconciling (D-67).',
  }),
  heartbeatMs: setting(milliseconds, {
    name: 'GATEWAY_HEARTBEAT_MS',
    default: '1000',
    unit: 'ms',
    description:
      'How often a process reports that it is alive and checks its runs. A quarter of the lease allows for two missed heartbeats.',
  }),
  deviceOfflineMs: setting(milliseconds, {
    name: 'GATEWAY_DEVICE_OFFLINE_MS',
    default: '30000',
    unit: 'ms',
    description: 'A device that has been silent for this long gets no new work (D-43). Must be longer than the lease.',
  }),
  reconcileMs: setting(milliseconds, {
    name: 'GATEWAY_RECONCILE_MS',
    default: '60000',
    unit: 'ms',
    description:
      'How long a run stays reconciling before it becomes interrupted, unless its process reports again (D-19).',
  }),
  stopMs: setting(milliseconds, {
    name: 'GATEWAY_STOP_MS',
    default: '60000',
    unit: 'ms',
    description: 'How long a device may take to confirm a stop (D-20).',
  }),
  pingMs: setting(milliseconds, {
    name: 'GATEWAY_PING_MS',
    default: '15000',
    unit: 'ms',
    description: 'How often an event stream sends a ping (D-30), and polls for events without a notification.',
  }),
  wakeMs: setting(window, {
    name: 'GATEWAY_WAKE_MS',
    default: '10',
    unit: 'ms',
    description: 'How long hints to other processes are collected before they are sent.',
  }),
  deltaMs: setting(window, {
    name: 'GATEWAY_DELTA_MS',
    default: '15',
    unit: 'ms',
    description: 'How long output of an assistant is collected before it is written in one statement.',
  }),
  eventRetentionHours: setting(hours, {
    name: 'GATEWAY_EVENT_RETENTION_HOURS',
    default: String(LIMITS.eventsMs / HOUR_MS),
    unit: 'hours',
    description: 'How long events are kept.',
  }),
  bodyRetentionHours: setting(hours, {
    name: 'GATEWAY_BODY_RETENTION_HOURS',
    default: String(LIMITS.bodiesMs / HOUR_MS),
    unit: 'hours',
    description: 'How long messages and results are kept after their run has ended.',
  }),
  streamsPerDevice: setting(count, {
    name: 'GATEWAY_STREAMS_PER_DEVICE',
    default: '32',
    description: 'Open event streams allowed for a device, over all processes (D-31).',
  }),
  streamsPerApp: setting(count, {
    name: 'GATEWAY_STREAMS_PER_APP',
    default: '16',
    description: 'Open event streams allowed for an application without a limit of its own.',
  }),
  streamsPerSubject: setting(count, {
    name: 'GATEWAY_STREAMS_PER_SUBJECT',
    default: '4',
    description: 'Open event streams allowed for a subject whose application has no limit of its own.',
  }),
  rateLimitPerSecond: setting(read.integer(0, 1_000_000), {
    name: 'GATEWAY_RATE_LIMIT_PER_SECOND',
    default: String(DEFAULT_RATE.perSecond),
    description:
      'Requests per second that a key may send to each process, if its application has no rate of its own (D-61); 0 for no limit.',
  }),
  rateLimitBurst: setting(count, {
    name: 'GATEWAY_RATE_LIMIT_BURST',
    default: String(DEFAULT_RATE.burst),
    description:
      'Requests that a key may send at once, if its application has no rate of its own. An application with its own rate gets a burst in the same proportion.',
  }),
  pendingPerApp: setting(count, {
    name: 'GATEWAY_PENDING_PER_APP',
    default: '200',
    description: 'Unfinished runs allowed for an application without a limit of its own (D-24).',
  }),
  pendingPerDevice: setting(count, {
    name: 'GATEWAY_PENDING_PER_DEVICE',
    default: '1000',
    description: 'Unfinished runs allowed for a device without a limit of its own (D-24).',
  }),
  queuedPerConversation: setting(count, {
    name: 'GATEWAY_QUEUED_PER_CONVERSATION',
    default: String(LIMITS.queuedRuns),
    description: 'Queued runs allowed in a conversation.',
  }),
  runConcurrency: setting(count, {
    name: 'GATEWAY_RUN_CONCURRENCY',
    default: '64',
    description:
      'Runs that the device role of this process executes at once for each device. The slots of a device add up over all processes that serve it (D-58).',
  }),
  drainMs: setting(read.integer(0, DAY_MS), {
    name: 'GATEWAY_DRAIN_MS',
    default: '20000',
    unit: 'ms',
    description:
      'How long runs may continue after SIGTERM or SIGINT (D-73); at most a day. The process takes no more runs, and exits at most 10 s after this time. Give its supervisor more time than both.',
  }),
  moduleMemoryMb: setting(read.integer(32, 1_000_000), {
    name: 'GATEWAY_MODULE_MEMORY_MB',
    default: '512',
    unit: 'MiB',
    description:
      'The heap that the process of an assistant module may use, and as much again for buffers. A process that exceeds it is replaced.',
  }),
}

export const textOf = (field: keyof typeof SETTINGS): SettingText => {
  const text = texts.get(SETTINGS[field])
  if (text === undefined) throw new Error(`${field} has no text`)
  return text
}
