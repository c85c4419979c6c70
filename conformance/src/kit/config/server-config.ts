import type { Driver } from './driver.ts'

/** An application of the system under test. */
export interface AppConfig {
  /** A key with all four scopes. */
  readonly key: string
  /** Its ID as records show it. Absent: not compared. */
  readonly appId?: string
  /** Keys that have only some of the scopes, by the scopes that they have, joined by a space in alphabetical order. */
  readonly scopedKeys?: Readonly<Record<string, string>>
}

/** Published services. All but `foreign` belong to the first application. */
export interface ServicesConfig {
  /** The service that most checks use. */
  readonly main: string
  /** Another service on the same device as `main`. */
  readonly sameDevice?: string
  /** A service on a device of its own, which the suite may publish anew, pause, disable and take offline. */
  readonly otherDevice?: string
  /** A service of the second application. */
  readonly foreign: string
  /** A service that names no assistant. */
  readonly echo?: string
  /** A service whose assistant is the module `src/reference/assistant-module.mjs` of this suite. */
  readonly module?: string
}

/** A service of the first application whose assistant is `openai` (D-44), which asks the suite's own model server. */
export interface ModelConfig {
  readonly service: string
  /** Where the suite listens: the `base_url` of the assistant is `http://<host>:<port>/v1`. */
  readonly receiver: { readonly host: string; readonly port: number }
  /** The `model` of the assistant. */
  readonly model: string
  /** What the gateway's environment has as the key of the model server. */
  readonly key: string
}

/** One configured webhook integration of the first application, for the service `main`. */
export interface WebhookConfig {
  /** The path after `/api/v1/webhooks/`. */
  readonly integrationId: string
  readonly secret: string
  /** The fixed subject that its work belongs to. */
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
  /** Configured, and switched off. */
  readonly disabled?: WebhookConfig
  /** Action `message` by key, with paths of five segments: text at `a.b.c.d.e`, key at `k`, event type at `t`. */
  readonly deepPaths?: WebhookConfig
}

/**
 * Callbacks of a service of the first application, sent to the suite's own receiver: `run.completed`, `run.failed`,
 * `run.cancelled`, `run.interrupted`, `run.expired` and `approval.required`, as far as the gateway knows them, and no others.
 */
export interface CallbacksConfig {
  /** The service: on a device of its own, which is not that of any service of `ServicesConfig`. */
  readonly service: string
  /** Where the suite listens; the gateway's configured callback URL leads there. */
  readonly receiver: {
    readonly host: string
    readonly port: number
    /** Path of the configured URL. */
    readonly path: string
    /** Where the gateway connects by TLS: certificate and key in PEM. Absent: plain HTTP. */
    readonly tls?: { readonly cert: string; readonly key: string }
  }
  /** Secret of the signatures. */
  readonly secret: string
  /** A host name that the administrator's allowlist holds. Nothing has to answer there: nothing is sent to it. */
  readonly allowedHost?: string
}

/** How long the suite waits. A wait ends as soon as its condition holds; only a failing system uses these up. */
export interface DeadlinesConfig {
  /** For one answer to begin, in milliseconds. Default 30 000. */
  readonly answerMs?: number
  /** For something that the gateway does after an answer: a run to end, an event to come. Default 20 000. */
  readonly settleMs?: number
  /** How long it listens before it believes that nothing comes. Default 400. */
  readonly quietMs?: number
  /** For the first two answers of a run, in milliseconds: without them there is nothing to examine. Default 15 000. */
  readonly startMs?: number
}

/** The operator's surface (D-46), where the system has it. */
export interface AdminConfig {
  /** Origin and path: `http://127.0.0.1:8787/admin/v1`. */
  readonly url: string
  readonly token: string
}

/** A server of the control protocol (`openapi/control.yaml`), which offers abilities of the driver over HTTP. */
export interface ControlConfig {
  /** What the names of abilities are appended to: `http://127.0.0.1:8788`. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly token?: string
}

/** A system under test and what the suite may do with it. */
export interface ServerConfig {
  /** How reports name it. Default: `baseUrl`. */
  readonly name?: string
  /** Origin without `/api/v1`. */
  readonly baseUrl: string
  readonly apps: { readonly first: AppConfig; readonly second: AppConfig }
  /** Two business subjects that both applications may act for. */
  readonly subjects: { readonly first: string; readonly second: string }
  /**
   * Whether any string is a subject, so that every check can have subjects of its own (default). With false only the two
   * are used, and checks that open event streams wait for one another.
   */
  readonly freshSubjects?: boolean
  readonly services: ServicesConfig
  readonly webhooks?: WebhooksConfig
  readonly callbacks?: CallbacksConfig
  readonly model?: ModelConfig
  readonly admin?: AdminConfig
  /** Abilities over HTTP. */
  readonly control?: ControlConfig
  /** Abilities as functions, which go before those of the control server. */
  readonly driver?: Driver
  readonly deadlines?: DeadlinesConfig
  /** Further secrets that reports must not show; keys and secrets of this configuration are never shown anyway. */
  readonly secrets?: readonly string[]
  /**
   * Starts one more instance of the same server, set up alike and with data of its own. With it the checks that disturb
   * everything (restarts, a moved clock, paused admission) run on such instances beside the others; without it they run
   * on this one, one by one, when all others are done. The suite calls the `stop` of what it returns.
   */
  another?(): Promise<ServerConfig>
  /** Called once when the suite is over, for what starting the configuration started. */
  stop?(): Promise<void>
}

/** What a configuration file exports as `default`. */
export type ServerConfigSource = ServerConfig | (() => ServerConfig | Promise<ServerConfig>)

/** Types a configuration file: `export default defineServerConfig({ … })`. */
export const defineServerConfig = (source: ServerConfigSource): ServerConfigSource => source
