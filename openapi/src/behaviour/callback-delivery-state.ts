/** The state machine of callback deliveries (specification "Callback delivery states", D-38). */

export const CALLBACK_DELIVERY_STATES = [
  'pending',
  'sending',
  'delivered',
  'needs_action',
  'expired',
  'cancelled_config_changed',
] as const
export type CallbackDeliveryState = (typeof CALLBACK_DELIVERY_STATES)[number]

/** `needs_action` and `expired` become `pending` only by a manual retry, which opens a fresh window. */
export const CALLBACK_DELIVERY_TRANSITIONS = {
  pending: ['sending', 'expired', 'cancelled_config_changed'],
  sending: ['delivered', 'pending', 'needs_action', 'expired'],
  delivered: [],
  needs_action: ['pending'],
  expired: ['pending'],
  cancelled_config_changed: [],
} as const satisfies Record<CallbackDeliveryState, readonly CallbackDeliveryState[]>

export const canDeliveryMove = (from: CallbackDeliveryState, to: CallbackDeliveryState): boolean =>
  (CALLBACK_DELIVERY_TRANSITIONS[from] as readonly CallbackDeliveryState[]).includes(to)
