import { expect, it } from 'vitest'
import { createManualTiming, type ManualTiming } from '../../test/support/manual-timing.ts'
import type { Decision } from '../client/decision.ts'
import { ConnectionError, StreamInterruptedError } from '../errors.ts'
import { createPatience } from './patience.ts'

const down = new ConnectionError('down')

const start = (patienceMs: number) => {
  const timing: ManualTiming = createManualTiming(1)
  const decisions: Decision[] = []
  const patience = createPatience({
    operationId: 'streamRunEvents',
    timing,
    backoff: { baseMs: 250, maxMs: 8_000 },
    patienceMs,
    tell: (decision) => decisions.push(decision),
  })
  return { timing, decisions, patience, fail: () => patience.spend('connection', down, 1000, 5) }
}

it('waits at least as long as the gateway asks, spread up to a bound that doubles up to the limit, and gives up before it waits beyond itself', () => {
  const { timing, fail, decisions } = start(60_000)
  const waits: number[] = []
  for (let failures = 0; failures < 6; failures++) {
    waits.push(fail())
    timing.advance(10_000)
  }
  expect(waits).toEqual([1250, 1500, 2000, 3000, 5000, 9000])
  expect(fail).toThrow(StreamInterruptedError)
  expect(decisions.map(({ kind }) => kind)).toEqual([...Array(6).fill('reconnect'), 'give-up'])
})

it('counts anew after progress', () => {
  const { timing, patience, fail } = start(10_000)
  fail()
  timing.advance(600_000)
  patience.renew()
  expect([fail(), fail()]).toEqual([1250, 1500])
})

it('says where to resume', () => {
  const { patience } = start(0)
  expect(() => patience.spend('idle', down, 1000, 5)).toThrow(/\(idle\).*after 5/)
  expect(() => patience.spend('idle', down, 1000, null)).toThrow(/after its start/)
})
