import type { Check } from '../check.ts'
import type { ReceiverDriver } from '../config/receiver-config.ts'
import type { Callback, CallbackParts } from './callback.ts'
import type { ReceiverAnswer, Sending } from './post.ts'

/** Functions of the driver that a check may need. */
export type ReceiverNeed = keyof ReceiverDriver

/** A check of the target `receiver`. */
export type ReceiverCheck = Check<ReceiverContext, ReceiverNeed>

/** What a check of a receiver works with. */
export interface ReceiverContext {
  readonly secret: string
  readonly clockToleranceSeconds: number
  readonly driver: Required<ReceiverDriver>
  /** Creates a callback, signed with the receiver's secret. */
  make(parts?: Omit<CallbackParts, 'secret'>): Callback
  /** Posts a callback. Resolves with the answer, or with null if the connection ended without one. */
  post(callback: Callback, sending?: Sending): Promise<ReceiverAnswer | null>
  /** Posts it. Fails unless the answer is 2xx and, if the driver has `stored`, the same body is stored. */
  expectAccepted(what: string, callback: Callback, sending?: Sending): Promise<void>
  /**
   * Posts it. Fails if the answer is 2xx or, if the driver has `stored`, the event is stored. Resolves with the status.
   */
  expectRefused(what: string, callback: Callback, sending?: Sending): Promise<number | null>
}
