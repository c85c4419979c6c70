/**
 * An event whose fate is not known: everything that sends it again under its ID and bytes, and no secret but the body.
 * Plain JSON, so that it can be kept anywhere and sent by another process.
 */
export interface WebhookHandle {
  readonly version: 1
  readonly url: string
  readonly id: string
  /** The exact text of the body. */
  readonly body: string
  /** When the event was first sent, ISO 8601. */
  readonly createdAt: string
  /** Until when the gateway remembers the ID (D-34): sent after this, the event could be handled a second time. */
  readonly resendBefore: string
}
