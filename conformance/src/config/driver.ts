/** A step of the script that a scripted assistant obeys (D-45). */
export type ScriptStep =
  | { readonly delta: string }
  | { readonly message: string }
  | { readonly sleep_ms: number }
  | { readonly approval: string }
  | { readonly succeed: { readonly text?: string; readonly resource_ids?: readonly string[] } }
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

/**
 * What the suite asks the operator's side to do, where no public route can. Every function is optional; a check that
 * needs a missing one is reported as not testable here. A function resolves once the effect can be observed through the API.
 */
export interface Driver {
  /** Input that makes an assistant go through these steps. Default: `{ data: { script: steps } }` (D-45). */
  scriptInput?(steps: readonly ScriptStep[]): DriverInput
  /** Publishes a new version of the service and returns its number. `breaking` versions want a reset (D-23). */
  publishVersion?(endpointId: string, change: 'compatible' | 'breaking'): Promise<number>
  /** Pauses admission of the whole gateway. */
  pauseAdmission?(): Promise<void>
  resumeAdmission?(): Promise<void>
  /** Makes the device of the service unreachable, and reachable again; what it executes goes on unseen. */
  takeDeviceOffline?(endpointId: string): Promise<void>
  bringDeviceOnline?(endpointId: string): Promise<void>
  pauseDevice?(endpointId: string): Promise<void>
  resumeDevice?(endpointId: string): Promise<void>
  disableDevice?(endpointId: string): Promise<void>
  enableDevice?(endpointId: string): Promise<void>
  disableApp?(app: 'first' | 'second'): Promise<void>
  enableApp?(app: 'first' | 'second'): Promise<void>
  /** Makes a key of the first application with these scopes, and revokes one. */
  createKey?(scopes: readonly string[]): Promise<string>
  revokeKey?(key: string): Promise<void>
  /** Sets limits of the first application; null restores the default. */
  limitApp?(limits: { readonly pendingRuns?: number | null; readonly requestsPerSecond?: number | null }): Promise<void>
  /** Sets the pending-task limit of the device of the service; null restores the default. */
  limitDevice?(endpointId: string, limits: { readonly pendingRuns?: number | null }): Promise<void>
  /** Lets the events of the conversation up to and including this seq lapse. */
  expireEvents?(conversationId: string, upToSeq: number): Promise<void>
  /** Decides an open approval. */
  decideApproval?(approvalId: string, decision: 'approved' | 'denied'): Promise<void>
  /** All deliveries of the configured callbacks that carry this event or concern this conversation. */
  listDeliveries?(conversationId: string): Promise<readonly DeliveryView[]>
  /** The manual retry. False: refused. */
  retryDelivery?(deliveryId: string): Promise<boolean>
  /** Changes the callback configuration's URL path and resolves with the new secret, if that changes too. */
  rotateCallbackSecret?(): Promise<string>
  setCallbackEnabled?(enabled: boolean): Promise<void>
  /** Moves the gateway's clock forward by this much, with all that is due by then being done soon. */
  moveClock?(milliseconds: number): Promise<void>
  /** Ends the gateway without a warning (as SIGKILL does), starts it again, and resolves when it answers. */
  restartServer?(): Promise<void>
  /** Ends the gateway as its operator does (SIGTERM), starts it again, and resolves when it answers. */
  shutDownServer?(): Promise<void>
  /**
   * Starts another gateway with just these settings, and resolves once it is ready or has ended. Files that a setting names by
   * `file:` and text are written first: `{ GATEWAY_BOOTSTRAP: 'file:{…}' }`.
   */
  launch?(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>
  /** A service of the first application with a new device of its own, for checks that change it for good. */
  createService?(options?: { readonly accepts?: readonly string[] }): Promise<{ readonly endpointId: string }>
}
