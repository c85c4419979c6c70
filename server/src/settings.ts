import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { z } from 'zod'
import { DEFAULT_RATE } from './domain/token-bucket.ts'
import * as read from './setting-values.ts'

const HOUR_MS = 3_600_000

/** What the documentation and `--help` say about a setting. */
export interface SettingText {
  /** The environment variable. */
  readonly name: string
  readonly description: string
  /** As one would write it; absent where there is no default. */
  readonly default?: string
  readonly unit?: string
  /** Its value is never shown. */
  readonly secret?: true
}

export const ROLES = ['api', 'device', 'delivery', 'maintenance'] as const
export type Role = (typeof ROLES)[number]

const CLOCKS = ['database', 'process'] as const

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const milliseconds = read.integer(1, 24 * 3_600_000)
const window = read.integer(0, 10_000)
const hours = read.integer(1, 10 * 365 * 24)
const count = read.integer(1, 1_000_000)

const deviceId = read.value((it) => (/^[A-Za-z0-9_-]{1,64}$/.test(it) ? it : null), 'must be a device ID')

const texts = z.registry<SettingText>()

const setting = <T>(schema: read.SettingValue<T>, text: SettingText & { readonly default: string }) =>
  schema.prefault(text.default).register(texts, text)

/** A setting whose absence means something. */
const optional = <T>(schema: read.SettingValue<T>, text: SettingText & { readonly default?: never }) =>
  schema.optional().register(texts, text)

/** Every setting (D-47): its field in the configuration, its variable, and how its text is read. */
export const SETTINGS = {
  host: setting(read.host, {
    name: 'GATEWAY_HOST',
    default: '127.0.0.1',
    description:
      'The address to listen on. On any address but a loopback one the gateway also wants TLS or GATEWAY_BEHIND_PROXY=1, GATEWAY_ADMIN_TOKEN and GATEWAY_SECRET_KEY.',
  }),
  port: setting(read.integer(0, 65_535), {
    name: 'GATEWAY_PORT',
    default: '8787',
    description: 'The port to listen on; 0 picks a free one.',
  }),
  operatorPort: optional(read.integer(0, 65_535), {
    name: 'GATEWAY_OPERATOR_PORT',
    description:
      'A port of its own for the admin API and /metrics, which the other one then answers with 404; 0 picks a free one. Absent: all on one port.',
  }),
  operatorHost: optional(read.host, {
    name: 'GATEWAY_OPERATOR_HOST',
    description:
      'The address of GATEWAY_OPERATOR_PORT; it wants what GATEWAY_HOST wants. On a loopback address it is served without TLS. Absent: 127.0.0.1.',
  }),
  publicUrl: optional(read.publicOrigin, {
    name: 'GATEWAY_PUBLIC_URL',
    description: 'The origin under which clients reach the gateway, where that is not the address it listens on.',
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
    description: '1 where a proxy in front ends TLS and nobody else reaches the gateway.',
  }),
  roles: setting(read.list(read.oneOf(ROLES), `one of ${ROLES.join(', ')}`), {
    name: 'GATEWAY_ROLES',
    default: ROLES.join(','),
    description:
      'What this process does. Roles can run in processes of their own on one PostgreSQL. api answers requests, device executes runs, delivery sends callbacks, maintenance keeps deadlines and retention.',
  }),
  devices: optional(read.list(deviceId, 'a device ID'), {
    name: 'GATEWAY_DEVICES',
    description: 'The devices that the device role of this process serves. Absent: all.',
  }),
  bootstrap: optional(read.text, {
    name: 'GATEWAY_BOOTSTRAP',
    description: 'JSON file with applications, keys, devices and services, applied at every start.',
  }),
  demo: optional(read.flag, {
    name: 'GATEWAY_DEMO',
    description:
      '1 makes a demo application in a database without applications, 0 does not. Absent: on a loopback address with the embedded database only.',
  }),
  adminToken: optional(read.strongToken, {
    name: 'GATEWAY_ADMIN_TOKEN',
    secret: true,
    description: 'Bearer token of the admin API. Absent on a loopback address: made at the first start.',
  }),
  secretKeys: optional(read.secretKeys, {
    name: 'GATEWAY_SECRET_KEY',
    secret: true,
    description:
      'Key that encrypts stored secrets: 32 bytes in hexadecimal or base64 (`openssl rand -hex 32`). Several are separated by commas: the first encrypts, all decrypt.',
  }),
  databaseUrl: optional(read.postgresUrl, {
    name: 'DATABASE_URL',
    secret: true,
    description:
      'PostgreSQL, as postgres://user:password@host:port/database. Several servers are host1:port1,host2:port2: the one that takes writes is used. Absent: the embedded database.',
  }),
  databasePool: setting(read.integer(1, 1000), {
    name: 'GATEWAY_DATABASE_POOL',
    default: '16',
    description: 'Connections to PostgreSQL of each process; notifications use two more. Slow disks want more.',
  }),
  databaseDeadlineMs: setting(read.integer(1000, 600_000), {
    name: 'GATEWAY_DATABASE_DEADLINE_MS',
    default: '10000',
    unit: 'ms',
    description: 'How long a request may wait for the database; then it is answered with 503.',
  }),
  databaseMaxAgeMs: setting(read.integer(1000, 24 * 3_600_000), {
    name: 'GATEWAY_DATABASE_MAX_AGE_MS',
    default: '1800000',
    unit: 'ms',
    description: 'Connections to PostgreSQL are replaced at about this age.',
  }),
  clock: setting(read.oneOf(CLOCKS), {
    name: 'GATEWAY_CLOCK',
    default: 'database',
    description:
      'Whose clock leases, deadlines and signatures are judged by: database, or process for that of this machine, which suits a single process only. The embedded database always has that of this machine.',
  }),
  dataDir: setting(read.text, {
    name: 'GATEWAY_DATA_DIR',
    default: '.data',
    description: 'Folder of the embedded database and of what the gateway makes at its first start.',
  }),
  callbackHosts: optional(
    read.list(read.publicHostName, 'an exact host name without scheme, port, path and wildcard'),
    {
      name: 'SERVICE_GATEWAY_CALLBACK_HOSTS',
      description: 'Host names that callbacks may be sent to, separated by commas. Absent: none.',
    },
  ),
  callbackDevTargets: optional(read.list(read.origin, 'an exact origin such as http://127.0.0.1:9000'), {
    name: 'GATEWAY_CALLBACK_DEV_TARGETS',
    description: 'For local development: origins that callbacks may be sent to without any check of the address.',
  }),
  logLevel: setting(read.oneOf(LOG_LEVELS), {
    name: 'GATEWAY_LOG_LEVEL',
    default: 'info',
    description: `The least level that is logged: ${LOG_LEVELS.join(', ')}.`,
  }),
  leaseMs: setting(milliseconds, {
    name: 'GATEWAY_LEASE_MS',
    default: '4000',
    unit: 'ms',
    description:
      'A process that has been silent for this long is gone: its streams no longer count, its runs are reconciling (D-19, D-60).',
  }),
  heartbeatMs: setting(milliseconds, {
    name: 'GATEWAY_HEARTBEAT_MS',
    default: '1000',
    unit: 'ms',
    description:
      'How often a process says that it is there, and looks at its runs. A quarter of the lease lets two beats be lost.',
  }),
  deviceOfflineMs: setting(milliseconds, {
    name: 'GATEWAY_DEVICE_OFFLINE_MS',
    default: '30000',
    unit: 'ms',
    description: 'A device that has been silent for this long gets no new work (D-43). More than the lease.',
  }),
  reconcileMs: setting(milliseconds, {
    name: 'GATEWAY_RECONCILE_MS',
    default: '60000',
    unit: 'ms',
    description: 'How long a device that lost a lease may still report what happened (D-19).',
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
    description: 'How often an event stream says that it lives (D-30), and looks for events without a hint.',
  }),
  wakeMs: setting(window, {
    name: 'GATEWAY_WAKE_MS',
    default: '10',
    unit: 'ms',
    description: 'Hints to other processes are collected for this long.',
  }),
  deltaMs: setting(window, {
    name: 'GATEWAY_DELTA_MS',
    default: '15',
    unit: 'ms',
    description: 'Output of an assistant is collected for this long and written at once.',
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
    description: 'How long messages and results are kept after the end of their run.',
  }),
  streamsPerDevice: setting(count, {
    name: 'GATEWAY_STREAMS_PER_DEVICE',
    default: '32',
    description: 'Open event streams of a device, over all processes (D-31).',
  }),
  streamsPerApp: setting(count, {
    name: 'GATEWAY_STREAMS_PER_APP',
    default: '16',
    description: 'Open event streams of an application, where it has no limit of its own.',
  }),
  streamsPerSubject: setting(count, {
    name: 'GATEWAY_STREAMS_PER_SUBJECT',
    default: '4',
    description: 'Open event streams of a subject, where its application has no limit of its own.',
  }),
  rateLimitPerSecond: setting(read.integer(0, 1_000_000), {
    name: 'GATEWAY_RATE_LIMIT_PER_SECOND',
    default: String(DEFAULT_RATE.perSecond),
    description:
      'Requests a second of a key whose application has no rate of its own (D-61), in each process; 0 for no limit.',
  }),
  rateLimitBurst: setting(count, {
    name: 'GATEWAY_RATE_LIMIT_BURST',
    default: String(DEFAULT_RATE.burst),
    description:
      'Requests that such a key may send at once. The burst of an application with a rate of its own is in the same proportion to it.',
  }),
  pendingPerApp: setting(count, {
    name: 'GATEWAY_PENDING_PER_APP',
    default: '200',
    description: 'Unfinished runs of an application, where it has no limit of its own (D-24).',
  }),
  pendingPerDevice: setting(count, {
    name: 'GATEWAY_PENDING_PER_DEVICE',
    default: '1000',
    description: 'Unfinished runs of a device, where it has no limit of its own (D-24).',
  }),
  queuedPerConversation: setting(count, {
    name: 'GATEWAY_QUEUED_PER_CONVERSATION',
    default: String(LIMITS.queuedRuns),
    description: 'Queued runs of a conversation.',
  }),
  runConcurrency: setting(count, {
    name: 'GATEWAY_RUN_CONCURRENCY',
    default: '64',
    description:
      'Runs that the device role of this process executes at once for each device; the slots of a device are those of all processes that serve it (D-58).',
  }),
}

export const textOf = (field: keyof typeof SETTINGS): SettingText => {
  const text = texts.get(SETTINGS[field])
  if (text === undefined) throw new Error(`${field} has no text`)
  return text
}
