/** A step of the script that a scripted assistant obeys (D-45). */
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
  /** When it is sent again, and when automatic delivery ends, as timestamps. Absent: the gateway does not show it. */
  readonly nextAttemptAt?: string | null
  readonly expiresAt?: string
}

/** A gateway process of a check's own, started with settings of D-47 in an empty working directory. */
export interface LaunchedProcess {
  /** The base URL of its ready line (D-49); null: it ended before it was ready. */
  readonly baseUrl: string | null
  /** What it wrote to standard output and to standard error so far. */
  output(): string
  log(): string
  /** Names of what lies in its working directory. */
  files(): Promise<readonly string[]>
  /** Sends the signal, if it still runs, and resolves with the exit code; null: it was killed. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
  /** A process with these settings in the same working directory, after this one has ended. */
  again(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>
}

/** The input of a message, as the API takes it. */
export interface DriverInput {
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly resource_ids?: readonly string[]
}

/** The operator's side refuses, as it has to with wrong settings; nothing has changed. */
export interface Refusal {
  /** Why, in a sentence. */
  readonly refused: string
}

/** What an ability gives that may refuse. */
export type Unless<Result> = (Result & { readonly refused?: never }) | Refusal

/** An application: of the configuration, or what `createApp` gave. */
export type AppName = 'first' | 'second' | (string & {})

/** Unfinished runs at a time; null restores the default. */
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
  /** Of the configuration. Absent: the gateway does not show it. */
  readonly version?: number
}

/**
 * Abilities: what the suite asks the operator's side to do, where no public route can. Every one is optional; a check that
 * needs a missing one is reported as not testable here, as is one whose ability throws an `UntestableError`. An ability
 * resolves once its effect can be observed through the API. All but the first two are also in the control protocol, by
 * which a server can offer them over HTTP.
 */
export interface Driver {
  /**
   * Input that makes an assistant go through these steps; it goes into `data`, because checks add texts and attachments.
   * Default: `{ data: { script: steps } }` (D-45).
   */
  scriptInput?(steps: readonly ScriptStep[]): DriverInput
  /**
   * Starts another gateway with just these settings, and resolves once it is ready or has ended. Files that a setting names by
   * `file:` and text are written first: `{ GATEWAY_BOOTSTRAP: 'file:{…}' }`.
   */
  launch?(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>

  /** Pauses admission of the whole gateway. */
  pauseAdmission?(): Promise<void>
  resumeAdmission?(): Promise<void>
  /** Moves the gateway's clock forward by this much, with all that is due by then being done soon. */
  moveClock?(milliseconds: number): Promise<void>
  /**
   * Loses the answers to the next so many requests that carry an Idempotency-Key, after their effects were committed: the connection
   * ends without an answer, or the answer is the 503 with `outcome: unknown` (D-57).
   */
  loseAnswers?(count: number): Promise<void>
  /** Ends the gateway without a warning (as SIGKILL does), starts it again, and resolves when it answers. */
  restartServer?(): Promise<void>
  /** Ends the gateway as its operator does (SIGTERM), starts it again, and resolves when it answers. */
  shutDownServer?(): Promise<void>

  /** An application besides the two of the configuration, with a key of all four scopes. */
  createApp?(options?: PendingLimit): Promise<{ readonly app: string; readonly key: string }>
  disableApp?(app: AppName): Promise<void>
  enableApp?(app: AppName): Promise<void>
  /** Sets limits of an application; null restores the default. */
  limitApp?(app: AppName, limits: PendingLimit & { readonly requestsPerSecond?: number | null }): Promise<void>
  /** Makes a key of the first application with these scopes, and revokes one. */
  createKey?(scopes: readonly string[]): Promise<string>
  revokeKey?(key: string): Promise<void>

  /** A service whose assistant obeys scripts, on a new device of its own or on that of another service. */
  createService?(options?: {
    /** Default `first`. */
    readonly app?: AppName
    /** Types of attachments. Default: `text/*`. */
    readonly accepts?: readonly string[]
    /** A service whose device it shares. */
    readonly besides?: string
  }): Promise<{ readonly endpointId: string }>
  /** Publishes a new version of the service and returns its number. `breaking` versions want a reset (D-23). */
  publishVersion?(endpointId: string, change: 'compatible' | 'breaking'): Promise<number>
  /** Makes the device of the service unreachable, and reachable again; its executing runs continue unobserved. */
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
  /** Lets the events of the conversation up to and including this seq lapse. */
  expireEvents?(conversationId: string, upToSeq: number): Promise<void>

  saveWebhook?(settings: WebhookSettings): Promise<Unless<SavedWebhook>>
  /** Changes the settings that are given, or none. */
  changeWebhook?(integrationId: string, settings: WebhookSettings): Promise<Unless<object>>
  /** All that the operator can read of it. */
  readWebhook?(integrationId: string): Promise<unknown>
  /** Resolves with the new secret, which counts from now on; the old one for so many seconds more, by default for none. */
  rotateWebhookSecret?(integrationId: string, overlapSeconds?: number): Promise<string>

  saveCallback?(settings: CallbackSettings): Promise<Unless<SavedCallback>>
  /** Changes the settings that are given, or none. Without an ID: of the callbacks that the configuration describes. */
  changeCallback?(settings: CallbackSettings, callbackId?: string): Promise<Unless<{ readonly version?: number }>>
  /** All that the operator can read of it. */
  readCallback?(callbackId: string): Promise<unknown>
  /** Without an ID: of the callbacks that the configuration describes. */
  rotateCallbackSecret?(callbackId?: string): Promise<{ readonly secret: string; readonly version?: number }>
  /** Deliveries of every configuration that carry an event of the conversation, or those of one configuration. */
  listDeliveries?(of: {
    readonly conversationId?: string
    readonly callbackId?: string
  }): Promise<readonly DeliveryView[]>
  /** The manual retry. */
  retryDelivery?(deliveryId: string): Promise<Unless<object>>
}
