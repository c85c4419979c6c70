import { ABILITIES } from '../control/abilities.ts'
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
import type { KnownMembers } from './unknown-members.ts'

/** Every member of a type, once each; the compiler misses those that are missing here. */
type Members<T> = { readonly [Name in keyof T]-?: true | KnownMembers }

const APP = { key: true, appId: true, scopedKeys: true } satisfies Members<AppConfig>
const WEBHOOK = { integrationId: true, secret: true, subject: true } satisfies Members<WebhookConfig>
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
  main: true,
  sameDevice: true,
  otherDevice: true,
  foreign: true,
  echo: true,
  module: true,
} satisfies Members<ServicesConfig>
const CALLBACKS = {
  service: true,
  receiver: { host: true, port: true, path: true, tls: { cert: true, key: true } },
  secret: true,
  allowedHost: true,
} satisfies Members<CallbacksConfig>
const MODEL = {
  service: true,
  receiver: { host: true, port: true },
  model: true,
  key: true,
} satisfies Members<ModelConfig>
const ADMIN = { url: true, token: true } satisfies Members<AdminConfig>
const CONTROL = { url: true, token: true } satisfies Members<ControlConfig>
const DEADLINES = { answerMs: true, settleMs: true, quietMs: true, startMs: true } satisfies Members<DeadlinesConfig>
const abilities = Object.fromEntries(Object.keys(ABILITIES).map((name) => [name, true] as const))
const DRIVER = { ...abilities, scriptInput: true, launch: true } as Members<Driver>

export const SERVER_MEMBERS = {
  name: true,
  baseUrl: true,
  apps: { first: APP, second: APP },
  subjects: { first: true, second: true },
  freshSubjects: true,
  services: SERVICES,
  webhooks: WEBHOOKS,
  callbacks: CALLBACKS,
  model: MODEL,
  admin: ADMIN,
  control: CONTROL,
  driver: DRIVER,
  deadlines: DEADLINES,
  secrets: true,
  another: true,
  stop: true,
} satisfies Members<ServerConfig>

export const CLIENT_MEMBERS = {
  command: true,
  name: true,
  cwd: true,
  env: true,
  concurrency: true,
  deadlines: { startMs: true, stepMs: true } satisfies Members<ClientDeadlines>,
} satisfies Members<ClientConfig>

export const RECEIVER_MEMBERS = {
  url: true,
  secret: true,
  name: true,
  driver: {
    stored: true,
    kill: true,
    restart: true,
    breakStorage: true,
    mendStorage: true,
  } satisfies Members<ReceiverDriver>,
  clockToleranceSeconds: true,
  answerMs: true,
  concurrency: true,
  stop: true,
} satisfies Members<ReceiverConfig>
