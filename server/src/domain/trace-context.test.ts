import { describe, expect, it } from 'vitest'
import { continueTrace, readTraceparent, traceFields } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const GIVEN = `00-${TRACE}-${SPAN}-01`

describe('a traceparent', () => {
  it('is accepted unchanged', () => {
    expect(readTraceparent(GIVEN)).toBe(GIVEN)
  })

  it('of a later version is read up to the fields of this version', () => {
    expect(readTraceparent(`01-${TRACE}-${SPAN}-00`)).toBe(`00-${TRACE}-${SPAN}-00`)
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toBe(GIVEN)
  })

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['has the invalid version ff', `ff-${TRACE}-${SPAN}-01`],
    ['has more fields than its version', `${GIVEN}-more`],
    ['is in capitals', GIVEN.toUpperCase()],
    ['has no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['has no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['is too short', `00-${TRACE}-${SPAN}`],
    ['was sent twice', `${GIVEN}, ${GIVEN}`],
    ['has a line end', `${GIVEN}\n`],
  ])('that %s is ignored', (_, header) => {
    expect(readTraceparent(header)).toBeNull()
  })

  it('is continued in the same trace, with the same flags, by a new span', () => {
    const [first, second] = [continueTrace(GIVEN), continueTrace(GIVEN)]
    expect(readTraceparent(first)).toBe(first)
    expect([first.slice(0, 36), first.slice(52)]).toEqual([`00-${TRACE}-`, '-01'])
    expect(new Set([GIVEN, first, second]).size).toBe(3)
  })

  it('adds its trace ID to log lines; without a traceparent nothing is added', () => {
    expect(traceFields(GIVEN)).toEqual({ trace_id: TRACE })
    expect(traceFields(null)).toEqual({})
  })
})
