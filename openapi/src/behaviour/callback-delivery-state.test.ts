import { describe, expect, it } from 'vitest'
import type { CallbackDeliveryState } from './callback-delivery-state.ts'
import { CALLBACK_DELIVERY_STATES, CALLBACK_DELIVERY_TRANSITIONS, canDeliveryMove } from './callback-delivery-state.ts'

const movesFrom = (from: CallbackDeliveryState): CallbackDeliveryState[] =>
  CALLBACK_DELIVERY_STATES.filter((to) => canDeliveryMove(from, to))

describe('a delivery', () => {
  it('has six states, each with a row in the table of transitions [CB-43]', () => {
    expect(CALLBACK_DELIVERY_STATES).toHaveLength(6)
    expect(Object.keys(CALLBACK_DELIVERY_TRANSITIONS)).toEqual([...CALLBACK_DELIVERY_STATES])
  })

  it('that is pending can become sending, expired or cancelled [CB-22, CB-44]', () => {
    expect(movesFrom('pending')).toEqual(['sending', 'expired', 'cancelled_config_changed'])
  })

  it('that is being sent can become pending for a retry, delivered, needs_action or expired [CB-22, CB-45]', () => {
    expect(movesFrom('sending')).toEqual(['pending', 'delivered', 'needs_action', 'expired'])
  })

  it('that needs action or has expired can only be retried [CB-46]', () => {
    expect([movesFrom('needs_action'), movesFrom('expired')]).toEqual([['pending'], ['pending']])
  })

  it('that was delivered or cancelled never changes', () => {
    expect([movesFrom('delivered'), movesFrom('cancelled_config_changed')]).toEqual([[], []])
  })
})
