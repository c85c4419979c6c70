import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CALLBACK_DELIVERY_STATES,
  canDeliveryMove,
} from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import { isComplete, OPERATION_STATES } from '@conversation-gateway/openapi/behaviour/operation-state'
import { isExecuting, isTerminal, RUN_STATES } from '@conversation-gateway/openapi/behaviour/run-state'
import { describe, expect, it } from 'vitest'

/** The sets of states that SQL statements may list, each derived from its state machine. */
const SETS: Record<string, readonly string[]> = {
  'executing runs': RUN_STATES.filter(isExecuting),
  'executing runs whose execution time counts': RUN_STATES.filter(
    (state) => isExecuting(state) && state !== 'waiting_approval',
  ),
  'unfinished runs': RUN_STATES.filter((state) => !isTerminal(state)),
  'ended runs': RUN_STATES.filter(isTerminal),
  'ended runs without success': RUN_STATES.filter((state) => isTerminal(state) && state !== 'succeeded'),
  'open operations': OPERATION_STATES.filter((state) => !isComplete(state)),
  'complete operations': OPERATION_STATES.filter(isComplete),
  'deliveries under way': CALLBACK_DELIVERY_STATES.filter((state) => canDeliveryMove(state, 'expired')),
  'deliveries that can be retried by hand': CALLBACK_DELIVERY_STATES.filter(
    (state) => state !== 'sending' && canDeliveryMove(state, 'pending'),
  ),
  'deliveries given up': CALLBACK_DELIVERY_STATES.filter(
    (state) => state !== 'delivered' && !canDeliveryMove(state, 'expired'),
  ),
}
const STATES = new Set<string>([...RUN_STATES, ...OPERATION_STATES, ...CALLBACK_DELIVERY_STATES])

const keyOf = (states: readonly string[]): string => states.toSorted().join()
const KNOWN = new Set(Object.values(SETS).map(keyOf))

/** Lists of two or more states in the text of a statement: `in ('pending', 'sending')`. */
const stateListsOf = (text: string): string[][] =>
  [...text.matchAll(/\bin \(((?:\s*'[a-z_]+'\s*,?)+)\)/g)]
    .map(([, list = '']) => [...list.matchAll(/'([a-z_]+)'/g)].map(([, state = '']) => state))
    .filter((states) => states.length > 1 && states.every((state) => STATES.has(state)))

const files = globSync(['**/*.ts', 'migrations/*.sql'], { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, lists: stateListsOf(readFileSync(join(import.meta.dirname, file), 'utf8')) }))
  .filter(({ lists }) => lists.length > 0)

describe('the states that SQL statements list', () => {
  it('are found', () => {
    expect(files.map(({ file }) => file)).toContain('runs.ts')
    expect(stateListsOf(`where state in ('running', 'reconciling') and kind in ('a', 'b')`)).toEqual([
      ['running', 'reconciling'],
    ])
  })

  it.each(files)('match a set from a state machine, in $file', ({ lists }) => {
    expect(lists.filter((states) => !KNOWN.has(keyOf(states)))).toEqual([])
  })
})
