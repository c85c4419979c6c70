/** What a receiver has stored of an event. */
export interface StoredEvent {
  /** The body, as it was received first. */
  readonly body: string
  /** The run, or the conversation, under which the receiver has put it in its own records. Absent: it cannot tell. */
  readonly runId?: string | null
  readonly conversationId?: string | null
  /** How often the event was handled. Absent: it cannot tell. */
  readonly handled?: number
}

/** What the suite asks of the receiver's side. Every function is optional; a check that needs a missing one is not testable. */
export interface ReceiverDriver {
  /** What is stored durably of an event, or null. Must work while the receiver is dead, or be asked after `restart`. */
  stored?(eventId: string): Promise<StoredEvent | null>
  /** Ends the receiver at once, as SIGKILL does. Resolves when it is dead. */
  kill?(): Promise<void>
  /** Starts it again, with what it had stored and at the same URL. Resolves when it answers. */
  restart?(): Promise<void>
  /** Makes all storing fail, and work again. */
  breakStorage?(): Promise<void>
  mendStorage?(): Promise<void>
}

/** A receiver of callbacks under test. */
export interface ReceiverConfig {
  /** Where it takes callbacks. */
  readonly url: string
  /** The secret that it verifies with. */
  readonly secret: string
  /** How reports name it. Default: its URL. */
  readonly name?: string
  readonly driver?: ReceiverDriver
  /**
   * How far its clock may be from this machine's, in seconds. Default 0: the edges of the 300 seconds are examined to the
   * second. With n they are examined at 300 - n and 301 + n.
   */
  readonly clockToleranceSeconds?: number
  /** For one answer, in milliseconds. Default 30 000. Only a failing receiver uses it up. */
  readonly answerMs?: number
  /** Checks at once. Default 4. */
  readonly concurrency?: number
  /** Called once when the suite is over, for what starting the configuration started. */
  stop?(): Promise<void>
}

/** What a configuration file exports as `default`. */
export type ReceiverConfigSource = ReceiverConfig | (() => ReceiverConfig | Promise<ReceiverConfig>)

/** Types a configuration file: `export default defineReceiverConfig({ … })`. */
export const defineReceiverConfig = (source: ReceiverConfigSource): ReceiverConfigSource => source
