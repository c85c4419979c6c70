/** A receiver's stored record of an event. */
export interface StoredEvent {
  /** The body as first received. */
  readonly body: string
  /** The run or conversation under which the receiver has filed the event. Absent: unknown. */
  readonly runId?: string | null
  readonly conversationId?: string | null
  /** How often the event was handled. Absent: unknown. */
  readonly handled?: number
}

/**
 * Actions on the receiver that the suite needs. Every function is optional; a check that needs a missing one is not
 * testable.
 */
export interface ReceiverDriver {
  /**
   * Returns the durable record of an event, or null. Must work while the receiver is stopped, or wait for `restart`.
   */
  stored?(eventId: string): Promise<StoredEvent | null>
  /** Kills the receiver, as SIGKILL does. Resolves when it has exited. */
  kill?(): Promise<void>
  /** Starts it again with its stored data and at the same URL. Resolves when it answers. */
  restart?(): Promise<void>
  /** Make all writes to storage fail, and succeed again. */
  breakStorage?(): Promise<void>
  mendStorage?(): Promise<void>
}

/** A receiver of callbacks under test. */
export interface ReceiverConfig {
  /** The URL that receives callbacks. */
  readonly url: string
  /** The secret for verifying signatures. */
  readonly secret: string
  /** Its name in reports. Default: its URL. */
  readonly name?: string
  readonly driver?: ReceiverDriver
  /**
   * Maximum difference n between its clock and this machine's, in seconds. The limit of 300 seconds is tested at
   * 300 - n and 301 + n. Default 0.
   */
  readonly clockToleranceSeconds?: number
  /** Deadline for one answer, in milliseconds. Default 30 000. Only a failing receiver reaches it. */
  readonly answerMs?: number
  /** Maximum number of concurrent checks. Default 4. */
  readonly concurrency?: number
  /** Called once when the suite is over, to stop processes that the configuration started. */
  stop?(): Promise<void>
}

/** The type of a configuration file's default export. */
export type ReceiverConfigSource = ReceiverConfig | (() => ReceiverConfig | Promise<ReceiverConfig>)

/** Types a configuration file: `export default defineReceiverConfig({ … })`. */
export const defineReceiverConfig = (source: ReceiverConfigSource): ReceiverConfigSource => source
