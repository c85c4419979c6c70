import { ABILITIES } from './abilities.ts'
import type { ClientConfig, ClientDeadlines } from './client-config.ts'
import type { Driver } from './driver.ts'
import type { ReceiverConfig, ReceiverDriver } from './receiver-config.ts'
import type {
  AdminConfig,
  AppConfig,
  CallbacksConfig,
  ControlConfig,
  DeadlinesConfig,
  ModelConfig,
  ServerConfig,
  ServicesConfig,
  WebhookConfig,
  WebhooksConfig,
} from './server-config.ts'
import type { KnownMembers, MemberKind } from './unknown-members.ts'
import type { WorkerConfig, WorkerDeadlines } from './worker-config.ts'

/** A table with every member of a type. The compiler reports missing members. */
type Members<T> = { readonly [Name in keyof T]-?: MemberKind | KnownMembers }

const APP = { key: 'any', appId: 'string?', scopedKeys: 'strings by name?' } satisfies Members<AppConfig>
const WEBHOOK = { integrationId: 'string', secret: 'string', subject: 'string' } satisfies Members<WebhookConfig>
const WEBHOOKS = {
  new: WEBHOOK,
  messageByKey: WEBHOOK,
  messageById: WEBHOOK,
  resetReject: WEBHOOK,
  resetCancel: WEBHOOK,
  cancel: WEBHOOK,
  disabled: WEBHOOK,
  deepPaths: WEBHOOK,
} satisfies Members<WebhooksConfig>
const SERVICES = {
  main: 'any',
  sameDevice: 'string?',
  otherDevice: 'string?',
  foreign: 'any',
  echo: 'string?',
  module: 'string?',
} satisfies Members<ServicesConfig>
const CALLBACKS = {
  service: 'string',
  receiver: { host: 'string', port: 'number', path: 'string', tls: { cert: 'string', key: 'string' } },
  secret: 'string',
  allowedHost: 'string?',
} satisfies Members<CallbacksConfig>
const MODEL = {
  service: 'string',
  receiver: { host: 'string', port: 'number' },
  model: 'string',
  key: 'string',
} satisfies Members<ModelConfig>
const ADMIN = { url: 'string', token: 'string' } satisfies Members<AdminConfig>
const CONTROL = { url: 'string', token: 'string?' } satisfies Members<ControlConfig>
const DEADLINES = {
  answerMs: 'number?',
  settleMs: 'number?',
  quietMs: 'number?',
  startMs: 'number?',
} satisfies Members<DeadlinesConfig>
const abilities = Object.fromEntries(Object.keys(ABILITIES).map((name) => [name, 'function?'] as const))
const DRIVER = { ...abilities, scriptInput: 'function?', launch: 'function?' } as Members<Driver>

export const SERVER_MEMBERS = {
  name: 'string?',
  baseUrl: 'any',
  apps: { first: APP, second: APP },
  subjects: { first: 'any', second: 'any' },
  freshSubjects: 'boolean?',
  services: SERVICES,
  webhooks: WEBHOOKS,
  callbacks: CALLBACKS,
  model: MODEL,
  admin: ADMIN,
  control: CONTROL,
  driver: DRIVER,
  deadlines: DEADLINES,
  secrets: 'strings?',
  another: 'function?',
  stop: 'function?',
} satisfies Members<ServerConfig>

export const CLIENT_MEMBERS = {
  command: 'any',
  name: 'string?',
  cwd: 'string?',
  env: 'strings by name?',
  concurrency: 'number?',
  deadlines: { startMs: 'number?', stepMs: 'number?' } satisfies Members<ClientDeadlines>,
} satisfies Members<ClientConfig>

export const WORKER_MEMBERS = {
  command: 'any',
  name: 'string?',
  cwd: 'string?',
  env: 'strings by name?',
  concurrency: 'number?',
  deadlines: { stepMs: 'number?' } satisfies Members<WorkerDeadlines>,
} satisfies Members<WorkerConfig>

export const RECEIVER_MEMBERS = {
  url: 'any',
  secret: 'any',
  name: 'string?',
  driver: {
    stored: 'function?',
    kill: 'function?',
    restart: 'function?',
    breakStorage: 'function?',
    mendStorage: 'function?',
  } satisfies Members<ReceiverDriver>,
  clockToleranceSeconds: 'number?',
  answerMs: 'number?',
  concurrency: 'number?',
  stop: 'function?',
} satisfies Members<ReceiverConfig>
