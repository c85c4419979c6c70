import { describe, expect, it } from 'vitest'
import type { EventEnvelope, Message } from '../../src/generated/gateway.ts'
import { countAdmissions, countEvents, createFaultMatrix } from './matrix.ts'

const message = (message_id: string, text: string, role = 'user') =>
  ({ message_id, role, content: { text } }) as Message
const event = (seq: number) => ({ seq }) as EventEnvelope

describe('countAdmissions', () => {
  it('finds missing records, duplicates, and records with another ID than was returned', () => {
    const messages = [message('1', 'a'), message('2', 'b'), message('3', 'b'), message('4', 'a', 'assistant')]
    const count = (text: string, messageId: string | null) => countAdmissions([{ text, messageId }], messages)
    expect(count('a', '1')).toEqual({ admissionsLost: 0, admissionsDoubled: 0 })
    expect(count('b', '3')).toEqual({ admissionsLost: 0, admissionsDoubled: 1 })
    expect(count('a', '2')).toEqual({ admissionsLost: 1, admissionsDoubled: 0 })
    expect(count('a', null)).toEqual({ admissionsLost: 1, admissionsDoubled: 0 })
    expect(count('c', null)).toEqual({ admissionsLost: 1, admissionsDoubled: 0 })
  })
})

describe('countEvents', () => {
  const log = [event(1), event(2), event(3)]

  it('finds missing and repeated events', () => {
    expect(countEvents(log, log)).toEqual({ eventsLost: 0, eventsDoubled: 0 })
    expect(countEvents(log, [event(1), event(3), event(3)])).toEqual({ eventsLost: 1, eventsDoubled: 1 })
  })

  it('throws for events in another order', () => {
    expect(() => countEvents(log, [event(2), event(1), event(3)])).toThrow('2, 1, 3')
  })
})

describe('the matrix', () => {
  it('adds up the results per fault and in total', () => {
    const matrix = createFaultMatrix()
    matrix.add('one', { cases: 2, eventsLost: 1 })
    matrix.add('one', { cases: 3 })
    matrix.add('another', { cases: 10, admissionsDoubled: 4 })
    expect(matrix.table()).toBe(
      [
        'fault    cases  admissions lost  doubled  events lost  doubled',
        'one          5                0        0            1        0',
        'another     10                0        4            0        0',
        'all         15                0        4            1        0',
      ].join('\n'),
    )
  })
})
