/** A step of the script that a scripted assistant follows (D-45). */
export type ScriptStep =
  | { readonly delta: string }
  | { readonly message: string }
  | { readonly activity: Readonly<Record<string, unknown>> }
  | { readonly sleep_ms: number }
  | { readonly approval: string }
  | {
      readonly succeed: {
        readonly text?: string
        readonly resource_ids?: readonly string[]
        readonly data?: Readonly<Record<string, unknown>>
        readonly usage?: Readonly<Record<string, unknown>>
      }
    }
  | { readonly fail: { readonly code: string; readonly message: string; readonly retryable?: boolean } }
  | { readonly hang: true }
  | { readonly stop_delay_ms: number }
  | { readonly ignore_stop: true }
  | { readonly crash: true }

/** A delivery of a callback as the operator sees it. */
export interface DeliveryView {
  readonly deliveryId: string
  readonly eventId: string
  readonly state: 'pending' | 'sending' | 'delivered' | 'needs_action' | 'expired' | 'cancelled_config_changed'
  readonly attempts: number
  readonly lastError: string | null
  /** Timestamps of the next attempt and of the end of automatic delivery. Absent: the gateway does not show them. */
  readonly nextAttemptAt?: string | null
  readonly expiresAt?: string
}

/** A gateway process for a single check, started with settings of D-47 in an empty working directory. */
export interface LaunchedProcess {
  /** The base URL in its ready line (D-49), or null if it exited before it was ready. */
  readonly baseUrl: string | null
  /** Its output so far, standard output and standard error together. */
  output(): string
  /** Its log so far: standard error alone. */
  log(): string
  /** Names of the entries in its working directory. */
  files(): Promise<readonly string[]>
  /** Sends the signal if it still runs, and resolves with the exit code, or null if it was killed. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
  /** Starts another process with these settings in the same working directory. Call it after this one has exited. */
  again(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>
}

/** The input of a message, as the API takes it. */
export interface DriverInput {
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly resource_ids?: readonly string[]
}

/** The gateway refuses an operator's request, such as invalid settings. Nothing has changed. */
export interface Refusal {
  /** The reason, in a sentence. */
  readonly refused: string
}

/** The result of an ability that may refuse. */
export type OrRefusal<Result> = (Result & { readonly refused?: never }) | Refusal

/** An application: one of the configuration, or the result of `createApp`. */
export type AppName = 'first' | 'second' | (string & {})

/** Maximum number of unfinished runs; null restores the default. */
interface PendingLimit {
  readonly pendingRuns?: number | null
}

/** The fields of the specification's configuration of a webhook. */
export interface WebhookSettings {
  readonly app?: AppName
  readonly endpointId?: string
  readonly subject?: string
  readonly eventTypeField?: string
  readonly eventTypes?: readonly string[]
  readonly action?: string
  readonly messageField?: string
  readonly dataField?: string
  readonly resourceIdsField?: string
  readonly match?: string
  readonly conversationKeyField?: string
  readonly conversationIdField?: string
  readonly generationField?: string
  readonly runIdField?: string
  readonly busyPolicy?: string
  readonly enabled?: boolean
}

/** A configuration of callbacks. */
export interface CallbackSettings {
  readonly app?: AppName
  readonly endpointId?: string
  readonly url?: string
  readonly events?: readonly string[]
  readonly enabled?: boolean
  readonly secret?: string
}

export interface SavedWebhook {
  readonly integrationId: string
  readonly secret: string
  /** The full receiving URL. */
  readonly url: string
}

export interface SavedCallback {
  readonly callbackId: string
  readonly secret: string
  /** Version of the configuration. Absent: the gateway does not show it. */
  readonly version?: number
}

/**
 * Abilities: operator actions that the suite needs and that no public route offers. Each is optional. A check that
 * needs a missing one is reported as not testable here, as is a check whose ability throws an `UntestableError`. An
 * ability resolves once its effect can be observed through the API. All but the first two are also part of the control
 * protocol, so that a server can offer them over HTTP.
 */
export interface Driver {
  /**
   * Returns input that makes an assistant execute these steps. It must use `data`, because checks add texts and
   * attachments. Default: `{ data: { script: steps } }` (D-45).
   */
  scriptInput?(steps: readonly ScriptStep[]): DriverInput
  /**
   * Starts another gateway with only these settings, and resolves once it is ready or has exited. For a setting of the
   * form `file:<content>`, the content is first written to a file: `{ GATEWAY_BOOTSTRAP: 'file:{…}' }`.
   */
  launch?(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>

  /** Pauses admission of the whole gateway. */
  pauseAdmission?(): Promise<void>
  resumeAdmission?(): Promise<void>
  /** Moves the gateway's clock forward. Work that is due by the new time is done soon afterwards. */
  moveClock?(milliseconds: number): Promise<void>
  /**
   * Loses the answers to the next `count` requests with an Idempotency-Key, after their effects are committed. The
   * connection ends without an answer, or the answer is the 503 with `outcome: unknown` (D-57).
   */
  loseAnswers?(count: number): Promise<void>
  /** Kills the gateway without warning (as SIGKILL does), starts it again, and resolves when it answers. */
  restartServer?(): Promise<void>
  /** Stops the gateway as its operator does (SIGTERM), starts it again, and resolves when it answers. */
  shutDownServer?(): Promise<void>

  /** Creates a further application with a key that has all four scopes. */
  createApp?(options?: PendingLimit): Promise<{ readonly app: string; readonly key: string }>
  disableApp?(app: AppName): Promise<void>
  enableApp?(app: AppName): Promise<void>
  /** Sets limits of an application; null restores the default. */
  limitApp?(app: AppName, limits: PendingLimit & { readonly requestsPerSecond?: number | null }): Promise<void>
  /** Create a key of the first application with these scopes, and revoke a key. */
  createKey?(scopes: readonly string[]): Promise<string>
  revokeKey?(key: string): Promise<void>

  /** Creates a service with a scripted assistant, on a new device of its own or on the device of another service. */
  createService?(options?: {
    /** Default `first`. */
    readonly app?: AppName
    /** Accepted attachment types. Default: `text/*`. */
    readonly accepts?: readonly string[]
    /** A service whose device it shares. */
    readonly besides?: string
  }): Promise<{ readonly endpointId: string }>
  /** Publishes a new version of the service and returns its number. A `breaking` version requires a reset (D-23). */
  publishVersion?(endpointId: string, change: 'compatible' | 'breaking'): Promise<number>
  /** Make the device of the service unreachable, and reachable again. Its runs continue while it is unreachable. */
  takeDeviceOffline?(endpointId: string): Promise<void>
  bringDeviceOnline?(endpointId: string): Promise<void>
  pauseDevice?(endpointId: string): Promise<void>
  resumeDevice?(endpointId: string): Promise<void>
  disableDevice?(endpointId: string): Promise<void>
  enableDevice?(endpointId: string): Promise<void>
  /** Sets limits of the device of the service; null restores the default. */
  limitDevice?(endpointId: string, limits: PendingLimit): Promise<void>

  /** Decides an open approval. */
  decideApproval?(approvalId: string, decision: 'approved' | 'denied'): Promise<void>
  /** Expires the events of the conversation up to and including this seq. */
  expireEvents?(conversationId: string, upToSeq: number): Promise<void>

  saveWebhook?(settings: WebhookSettings): Promise<OrRefusal<SavedWebhook>>
  /** Changes the given settings, if any. */
  changeWebhook?(integrationId: string, settings: WebhookSettings): Promise<OrRefusal<object>>
  /** The complete configuration as the operator can read it. */
  readWebhook?(integrationId: string): Promise<unknown>
  /**
   * Resolves with the new secret, which is valid immediately. The old one stays valid for `overlapSeconds` (default 0).
   */
  rotateWebhookSecret?(integrationId: string, overlapSeconds?: number): Promise<string>

  saveCallback?(settings: CallbackSettings): Promise<OrRefusal<SavedCallback>>
  /** Changes the given settings, if any. Without an ID: of the callbacks that the configuration describes. */
  changeCallback?(settings: CallbackSettings, callbackId?: string): Promise<OrRefusal<{ readonly version?: number }>>
  /** The complete configuration as the operator can read it. */
  readCallback?(callbackId: string): Promise<unknown>
  /** Without an ID: of the callbacks that the configuration describes. */
  rotateCallbackSecret?(callbackId?: string): Promise<{ readonly secret: string; readonly version?: number }>
  /**
   * Lists the deliveries of a conversation's events, in all callback configurations, or the deliveries of one
   * configuration.
   */
  listDeliveries?(of: {
    readonly conversationId?: string
    readonly callbackId?: string
  }): Promise<readonly DeliveryView[]>
  /** Retries a delivery manually. */
  retryDelivery?(deliveryId: string): Promise<OrRefusal<object>>
}
