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

/** Every member of a type, once each; the compiler misses those that are missing here. */
type Members<T> = { readonly [Name in keyof T]-?: MemberKind | KnownMembers }

const APP = { key: 'any', appId: 'text?', scopedKeys: 'named texts?' } satisfies Members<AppConfig>
const WEBHOOK = { integrationId: 'text', secret: 'text', subject: 'text' } satisfies Members<WebhookConfig>
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
  sameDevice: 'text?',
  otherDevice: 'text?',
  foreign: 'any',
  echo: 'text?',
  module: 'text?',
} satisfies Members<ServicesConfig>
const CALLBACKS = {
  service: 'text',
  receiver: { host: 'text', port: 'number', path: 'text', tls: { cert: 'text', key: 'text' } },
  secret: 'text',
  allowedHost: 'text?',
} satisfies Members<CallbacksConfig>
const MODEL = {
  service: 'text',
  receiver: { host: 'text', port: 'number' },
  model: 'text',
  key: 'text',
} satisfies Members<ModelConfig>
const ADMIN = { url: 'text', token: 'text' } satisfies Members<AdminConfig>
const CONTROL = { url: 'text', token: 'text?' } satisfies Members<ControlConfig>
const DEADLINES = {
  answerMs: 'number?',
  settleMs: 'number?',
  quietMs: 'number?',
  startMs: 'number?',
} satisfies Members<DeadlinesConfig>
const abilities = Object.fromEntries(Object.keys(ABILITIES).map((name) => [name, 'function?'] as const))
const DRIVER = { ...abilities, scriptInput: 'function?', launch: 'function?' } as Members<Driver>

export const SERVER_MEMBERS = {
  name: 'text?',
  baseUrl: 'any',
  apps: { first: APP, second: APP },
  subjects: { first: 'any', second: 'any' },
  freshSubjects: 'flag?',
  services: SERVICES,
  webhooks: WEBHOOKS,
  callbacks: CALLBACKS,
  model: MODEL,
  admin: ADMIN,
  control: CONTROL,
  driver: DRIVER,
  deadlines: DEADLINES,
  secrets: 'texts?',
  another: 'function?',
  stop: 'function?',
} satisfies Members<ServerConfig>

export const CLIENT_MEMBERS = {
  command: 'any',
  name: 'text?',
  cwd: 'text?',
  env: 'named texts?',
  concurrency: 'number?',
  deadlines: { startMs: 'number?', stepMs: 'number?' } satisfies Members<ClientDeadlines>,
} satisfies Members<ClientConfig>

export const WORKER_MEMBERS = {
  command: 'any',
  name: 'text?',
  cwd: 'text?',
  env: 'named texts?',
  concurrency: 'number?',
  deadlines: { stepMs: 'number?' } satisfies Members<WorkerDeadlines>,
} satisfies Members<WorkerConfig>

export const RECEIVER_MEMBERS = {
  url: 'any',
  secret: 'any',
  name: 'text?',
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
