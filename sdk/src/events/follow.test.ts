import fc from 'fast-check'
import { expect, it } from 'vitest'
import { someEvent } from '../../test/support/played-gateway.ts'
import { ConnectionError, StreamInterruptedError } from '../errors.ts'
import { type Action, type Arrival, type FollowRules, follow, type Input, startFollowing } from './follow.ts'

const RULES: FollowRules = {
  operationId: 'streamRunEvents',
  terminal: ['run.completed'],
  pingMs: 15_000,
  backoff: { baseMs: 250, maxMs: 8_000 },
  patienceMs: 60_000,
}
const DOWN: Input = { kind: 'broke', trouble: 'connection', error: new ConnectionError('down'), isFinal: false }

const arrived = (seqs: readonly number[], rest: Partial<Arrival> = {}): Input => ({
  kind: 'arrived',
  arrival: { events: seqs.map((seq) => someEvent(seq)), hasPing: false, retryMs: null, fault: null, ...rest },
})

/** A follower that resumes after 5, and its output for each input. */
const start = (rules: Partial<FollowRules> = {}, hasEnd = true) => {
  let follower = startFollowing(5, 1000, hasEnd)
  return {
    get phase() {
      return follower.phase
    },
    put: (input: Input, nowMs = 0, random = 1): readonly Action[] => {
      const step = follow({ ...RULES, ...rules }, follower, input, { nowMs, random })
      follower = step.follower
      return step.actions
    },
  }
}

const kindsOf = (actions: readonly Action[]): string[] => actions.map((action) => action.do)
const errorOf = (actions: readonly Action[]): unknown => actions.find((action) => action.do === 'fail')?.error

it('waits for the delay of the gateway plus a jitter whose bound doubles up to a limit, and gives up before it waits beyond its patience', () => {
  const { put } = start()
  put({ kind: 'asked' })
  const waits: unknown[] = []
  for (let failures = 0; failures < 6; failures++) {
    waits.push(put(DOWN, failures * 10_000).find((action) => action.do === 'pause'))
    put({ kind: 'paused' })
  }
  expect(waits).toEqual([1250, 1500, 2000, 3000, 5000, 9000].map((delayMs) => ({ do: 'pause', delayMs })))
  const last = put(DOWN, 60_000)
  expect(kindsOf(last)).toEqual(['report', 'stop-search', 'disconnect', 'fail'])
  expect(errorOf(last)).toBeInstanceOf(StreamInterruptedError)
  expect(errorOf(last)).toMatchObject({ position: 5, message: expect.stringMatching(/\(connection\).*after 5/) })
})

it('acts on the fault of a batch when the next batch is requested', () => {
  const { put } = start()
  put({ kind: 'asked' })
  put({ kind: 'opened' })
  expect(kindsOf(put(arrived([6], { fault: new ConnectionError('broken') })))).toEqual(['stop-search', 'give'])
  expect(put({ kind: 'asked' }, 600_000)).toMatchObject([
    { do: 'disconnect' },
    { do: 'pause', delayMs: 1250 },
    { do: 'report', decision: { kind: 'reconnect', trouble: 'broken-frame', attempt: 1, position: 6 } },
  ])
})

it('ends at once when the end is proven to have passed, even between two connections', () => {
  const { put } = start()
  put({ kind: 'asked' })
  put({ kind: 'opened' })
  expect(kindsOf(put({ kind: 'closed' }))).toEqual(['look', 'disconnect', 'pause', 'report'])
  expect(kindsOf(put({ kind: 'looked', place: 'passed' }))).toEqual(['stop-search', 'disconnect', 'end'])
})

it('answers each request for a batch once and in order, for any order of inputs', () => {
  const seqs = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 })
  const input = fc.oneof<fc.Arbitrary<Input>[]>(
    fc.constant<Input>({ kind: 'asked' }),
    fc.constant<Input>({ kind: 'opened' }),
    fc
      .record({ seqs, hasPing: fc.boolean(), isBroken: fc.boolean() })
      .map(({ seqs: given, hasPing, isBroken }) =>
        arrived(given, { hasPing, fault: isBroken ? new ConnectionError('broken') : null }),
      ),
    fc.constant<Input>({ kind: 'closed' }),
    fc.constant(DOWN),
    fc.constant<Input>({ kind: 'paused' }),
    fc.constantFrom<Input>(
      { kind: 'looked', place: 'running' },
      { kind: 'looked', place: 'awaited' },
      { kind: 'looked', place: 'passed' },
      { kind: 'look-failed', error: new ConnectionError('down') },
    ),
  )
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), fc.boolean(), (inputs, hasEnd) => {
      const follower = start({}, hasEnd)
      let position = 5
      let isAsked = false
      for (const each of inputs) {
        // A reader requests one batch at a time.
        if (each.kind === 'asked' && isAsked) continue
        if (each.kind === 'asked') isAsked = true
        for (const action of follower.put(each)) {
          if (action.do === 'give') {
            for (const { seq } of action.events) {
              expect(seq).toBeGreaterThan(position)
              position = seq
            }
            expect(action.events.length).toBeGreaterThan(0)
          }
          if (action.do !== 'give' && action.do !== 'end' && action.do !== 'fail') continue
          expect(isAsked).toBe(true)
          isAsked = false
        }
        const isWaiting = ['connecting', 'reading', 'pausing'].includes(follower.phase.is)
        expect(isWaiting).toBe(isAsked)
      }
    }),
  )
})
