import type { Driver } from './driver.ts'

/** An application of the system under test. */
export interface AppConfig {
  /** A key with all four scopes. */
  readonly key: string
  /** Its ID as shown in records. Absent: not compared. */
  readonly appId?: string
  /** Keys with only some of the scopes. Each is named by its scopes in alphabetical order, joined by a space. */
  readonly scopedKeys?: Readonly<Record<string, string>>
}

/** Published services. All but `foreign` belong to the first application. */
export interface ServicesConfig {
  /** The service that most checks use. */
  readonly main: string
  /** Another service on the same device as `main`. */
  readonly sameDevice?: string
  /** A service on a device of its own, which the suite may republish, pause, disable and take offline. */
  readonly otherDevice?: string
  /** A service of the second application. */
  readonly foreign: string
  /** A service without an assistant. */
  readonly echo?: string
  /** A service whose assistant is the module `src/run/reference/assistant-module.mjs` of this suite. */
  readonly module?: string
}

/** A service of the first application whose assistant is `openai` (D-44), which asks the suite's own model server. */
export interface ModelConfig {
  readonly service: string
  /** The suite's listening address: the `base_url` of the assistant is `http://<host>:<port>/v1`. */
  readonly receiver: { readonly host: string; readonly port: number }
  /** The `model` of the assistant. */
  readonly model: string
  /** The key of the model server, as set in the gateway's environment. */
  readonly key: string
}

/** One configured webhook integration of the first application, for the service `main`. */
export interface WebhookConfig {
  /** The path after `/api/v1/webhooks/`. */
  readonly integrationId: string
  readonly secret: string
  /** The fixed subject that owns its conversations. */
  readonly subject: string
}

/**
 * Webhook integrations. Each reads the event type at `event.type` and accepts `conformance.event` and
 * `conformance.other`; text at `event.text`, data at `event.data`, resource IDs at `event.resources`,
 * the business key at `conversation.key`, the conversation ID at `conversation.id`, the generation at
 * `conversation.generation`, the run ID at `run.id`.
 */
export interface WebhooksConfig {
  readonly new?: WebhookConfig
  readonly messageByKey?: WebhookConfig
  readonly messageById?: WebhookConfig
  /** Busy policy `reject`. */
  readonly resetReject?: WebhookConfig
  /** Busy policy `cancel_and_reset`. */
  readonly resetCancel?: WebhookConfig
  readonly cancel?: WebhookConfig
  /** Configured but disabled. */
  readonly disabled?: WebhookConfig
  /** Action `message` by key, with paths of five segments: text at `a.b.c.d.e`, key at `k`, event type at `t`. */
  readonly deepPaths?: WebhookConfig
}

/**
 * Callbacks of a service of the first application, sent to the suite's own receiver: `run.completed`, `run.failed`,
 * `run.cancelled`, `run.interrupted`, `run.expired` and `approval.required`, if the gateway supports them, and no
 * others.
 */
export interface CallbacksConfig {
  /** The service. Its device must serve no service of `ServicesConfig`. */
  readonly service: string
  /** The suite's listening address, which must receive requests to the configured callback URL. */
  readonly receiver: {
    readonly host: string
    readonly port: number
    /** Path of the configured URL. */
    readonly path: string
    /** Certificate and key in PEM, if the gateway connects over TLS. Absent: plain HTTP. */
    readonly tls?: { readonly cert: string; readonly key: string }
  }
  /** Secret of the signatures. */
  readonly secret: string
  /** A host name on the administrator's allowlist. It needs no server, because nothing is sent to it. */
  readonly allowedHost?: string
}

/** Deadlines of the suite. A wait ends as soon as its condition is true, so only a failing system reaches them. */
export interface DeadlinesConfig {
  /** For one answer to begin, in milliseconds. Default 30 000. */
  readonly answerMs?: number
  /** For an effect after an answer, such as the end of a run or an event. Default 20 000. */
  readonly settleMs?: number
  /** Time to listen before the suite concludes that nothing arrives. Default 400. */
  readonly quietMs?: number
  /** For the suite's first two answers, in milliseconds. Without them nothing is examined. Default 15 000. */
  readonly startMs?: number
}

/** The operator's surface (D-46), if the system has one. */
export interface AdminConfig {
  /** Origin and path: `http://127.0.0.1:8787/admin/v1`. */
  readonly url: string
  readonly token: string
}

/** A server of the control protocol (`openapi/control.yaml`), which offers abilities of the driver over HTTP. */
export interface ControlConfig {
  /** The URL to which ability names are appended: `http://127.0.0.1:8788`. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly token?: string
}

/** A system under test and the abilities that it offers to the suite. */
export interface ServerConfig {
  /** Its name in reports. Default: `baseUrl`. */
  readonly name?: string
  /** Origin without `/api/v1`. */
  readonly baseUrl: string
  readonly apps: { readonly first: AppConfig; readonly second: AppConfig }
  /** Two business subjects that both applications may act for. */
  readonly subjects: { readonly first: string; readonly second: string }
  /**
   * Whether any string is a valid subject, so that every check can have subjects of its own (default). With false only
   * the two are used, and checks that open event streams wait for one another.
   */
  readonly freshSubjects?: boolean
  readonly services: ServicesConfig
  readonly webhooks?: WebhooksConfig
  readonly callbacks?: CallbacksConfig
  readonly model?: ModelConfig
  readonly admin?: AdminConfig
  /** Abilities over HTTP. */
  readonly control?: ControlConfig
  /** Abilities as functions. They take precedence over those of the control server. */
  readonly driver?: Driver
  readonly deadlines?: DeadlinesConfig
  /** Further secrets to redact from reports. Keys and secrets of this configuration are always redacted. */
  readonly secrets?: readonly string[]
  /**
   * Starts another instance of the same server, with the same setup and with data of its own. Checks that affect the
   * whole server (restarts, a moved clock, paused admission) then run on such instances, in parallel with the others.
   * Without it they run on this server, one by one, after all others. The suite calls `stop` of the returned
   * configuration.
   */
  another?(): Promise<ServerConfig>
  /** Called once when the suite is over, to stop processes that the configuration started. */
  stop?(): Promise<void>
}

/** The type of a configuration file's default export. */
export type ServerConfigSource = ServerConfig | (() => ServerConfig | Promise<ServerConfig>)

/** Types a configuration file: `export default defineServerConfig({ … })`. */
export const defineServerConfig = (source: ServerConfigSource): ServerConfigSource => source
