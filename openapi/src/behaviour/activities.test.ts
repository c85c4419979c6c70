import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActivityUpdate } from './activities.ts'
import { foldActivities, joinChanges } from './activities.ts'

const BEGIN = { activity_id: 'a', kind: 'tool', name: 'find' } as const

describe('the activities of a run [D-69]', () => {
  it('result from their changes, in the order in which they began', () => {
    const changes: ActivityUpdate[] = [
      { ...BEGIN, state: 'running', input: { order: 1 } },
      { activity_id: 'b', kind: 'reasoning', name: 'thinking', text_delta: 'one' },
      { activity_id: 'a', state: 'succeeded', output: [1] },
      { activity_id: 'b', text_delta: ' two', title: 'Thinks' },
    ]
    expect(foldActivities(changes)).toEqual([
      { ...BEGIN, state: 'succeeded', input: { order: 1 }, output: [1] },
      { activity_id: 'b', kind: 'reasoning', name: 'thinking', state: 'running', title: 'Thinks', text: 'one two' },
    ])
  })

  it('replace their text, and accept null as a value', () => {
    const changes = [BEGIN, { activity_id: 'a', text_delta: 'x' }, { activity_id: 'a', text: 'y', output: null }]
    expect(foldActivities(changes)).toEqual([{ ...BEGIN, state: 'running', text: 'y', output: null }])
  })

  const change = fc
    .record(
      {
        activity_id: fc.constantFrom('a', 'b'),
        state: fc.constantFrom('running' as const, 'succeeded' as const, 'failed' as const),
        output: fc.jsonValue(),
        text: fc.string({ maxLength: 3 }),
        text_delta: fc.string({ maxLength: 3 }),
      },
      { requiredKeys: ['activity_id'] },
    )
    .map(
      ({ text, text_delta, ...rest }): ActivityUpdate =>
        text === undefined ? { ...rest, ...(text_delta === undefined ? {} : { text_delta }) } : { ...rest, text },
    )

  it('are the same when adjacent changes are merged and applied incrementally', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(12), (later, cut) => {
        const changes = [BEGIN, { ...BEGIN, activity_id: 'b' }, ...later]
        const whole = foldActivities(changes)
        expect(foldActivities(changes.slice(cut), foldActivities(changes.slice(0, cut)))).toEqual(whole)
        const joined = changes.reduce<ActivityUpdate[]>((all, next) => {
          const last = all.at(-1)
          if (last?.activity_id !== next.activity_id) return [...all, next]
          return [...all.slice(0, -1), joinChanges(last, next)]
        }, [])
        expect(foldActivities(joined)).toEqual(whole)
      }),
    )
  })
})
