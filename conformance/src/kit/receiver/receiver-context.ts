import type { Check } from '../check.ts'
import type { ReceiverDriver } from '../config/receiver-config.ts'
import type { Callback, CallbackParts } from './callback.ts'
import type { ReceiverAnswer, Sending } from './post.ts'

/** Functions of the driver without which some checks are not testable. */
export type ReceiverNeed = keyof ReceiverDriver

/** A check of the target `receiver`. */
export type ReceiverCheck = Check<ReceiverContext, ReceiverNeed>

/** The context of a check of a receiver. */
export interface ReceiverContext {
  readonly secret: string
  readonly clockToleranceSeconds: number
  readonly driver: Required<ReceiverDriver>
  /** A new callback, signed with the receiver's secret. */
  make(parts?: Omit<CallbackParts, 'secret'>): Callback
  /** Posts a callback and gives the answer, or null where the connection ended without one. */
  post(callback: Callback, sending?: Sending): Promise<ReceiverAnswer | null>
  /** Posts it and fails unless the answer is 2xx, and what is stored, where that can be asked, is this. */
  expectAccepted(what: string, callback: Callback, sending?: Sending): Promise<void>
  /** Posts it and fails if the answer is 2xx, or if the event is stored, where that can be asked. Gives the status. */
  expectRefused(what: string, callback: Callback, sending?: Sending): Promise<number | null>
}
