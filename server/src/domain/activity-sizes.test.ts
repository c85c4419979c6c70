import { ACTIVITY_LIMITS } from '@conversation-gateway/openapi/behaviour/activities'
import { describe, expect, it } from 'vitest'
import { countedSizes, noActivities, takeActivity } from './activity-sizes.ts'

const tool = (id: string, more: object = {}) => ({ activity_id: id, kind: 'tool', name: 'find', ...more })
const ofBytes = (bytes: number) => 'x'.repeat(bytes)

describe('the activity changes of a run [D-69]', () => {
  it('begin with a kind, a name and a state', () => {
    expect(takeActivity(noActivities(), tool('a'))).toEqual({ kind: 'taken', change: tool('a', { state: 'running' }) })
    expect(takeActivity(noActivities(), { activity_id: 'a', name: 'find' })).toEqual({
      kind: 'invalid',
      fault: 'activity "a" begins without a kind',
    })
    expect(takeActivity(noActivities(), { activity_id: 'a', kind: 'tool' })).toMatchObject({ kind: 'invalid' })
  })

  it('concern at most 100 activities, of any name', () => {
    const sizes = noActivities()
    for (let each = 0; each < ACTIVITY_LIMITS.count - 1; each += 1) takeActivity(sizes, tool(String(each)))
    expect(takeActivity(sizes, tool('__proto__'))).toMatchObject({ kind: 'taken' })
    expect(takeActivity(sizes, { activity_id: '__proto__', state: 'failed' })).toMatchObject({ kind: 'taken' })
    expect(takeActivity(countedSizes(JSON.parse(JSON.stringify(sizes))), tool('one more'))).toMatchObject({
      kind: 'too_much',
    })
  })

  it('leave each activity at 64 KiB or less; replaced values do not count', () => {
    const sizes = noActivities()
    for (let turn = 0; turn < 3; turn += 1)
      expect(takeActivity(sizes, tool('a', { output: ofBytes(60_000) }))).toMatchObject({ kind: 'taken' })
    expect(takeActivity(countedSizes(sizes), { activity_id: 'a', text_delta: ofBytes(6000) })).toMatchObject({
      kind: 'too_much',
    })
    expect(takeActivity(sizes, { activity_id: 'a', output: null, text: ofBytes(60_000) })).toMatchObject({
      kind: 'taken',
    })
    expect(takeActivity(sizes, { activity_id: 'a', text_delta: ofBytes(6000) })).toMatchObject({ kind: 'too_much' })
  })

  it('are at most 1 MiB together, and at most 4 MiB with replaced values', () => {
    const sizes = noActivities()
    let taken = 0
    while (takeActivity(sizes, tool(String(taken), { output: ofBytes(60_000) })).kind === 'taken') taken += 1
    expect(taken).toBe(Math.floor(ACTIVITY_LIMITS.togetherBytes / 60_100))
    const one = noActivities()
    let changes = 0
    while (takeActivity(one, tool('a', { output: ofBytes(60_000) })).kind === 'taken') changes += 1
    expect(changes).toBe(Math.floor(ACTIVITY_LIMITS.changesBytes / 60_070))
  })

  it('are valid JSON that the database can store', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    let deep: unknown = 0
    for (let level = 0; level < 130; level += 1) deep = [deep]
    for (const output of [cycle, 1n, deep])
      expect(takeActivity(noActivities(), tool('a', { output }))).toMatchObject({ kind: 'invalid' })
    expect(takeActivity(noActivities(), tool('a', { output: { 'a\0': '\ud800', at: new Date(0) } }))).toMatchObject({
      change: { output: { 'a\uFFFD': '\uFFFD', at: '1970-01-01T00:00:00.000Z' } },
    })
  })
})
