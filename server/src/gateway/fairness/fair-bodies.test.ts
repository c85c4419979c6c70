import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { settle } from '../../../test/support/test-hub.ts'
import { createAtPace } from './fairness.ts'
import { createSenders } from './senders.ts'

const setUp = () => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const senders = createSenders(clock, 60_000)
  const atPace = createAtPace({ senders, waitingAtMost: 2, waitMs: 1000, clock, timers })
  const begun: string[] = []
  const send = async (appId: string, name: string) => {
    const turn = await atPace(appId)
    if (typeof turn !== 'function') return turn
    begun.push(name)
    return turn
  }
  const end = (turn: Awaited<ReturnType<typeof send>>): void => {
    if (typeof turn === 'function') turn()
  }
  const pass = async (ms: number): Promise<void> => {
    clock.pass(ms)
    timers.advance(ms)
    await settle()
  }
  return { senders, timers, begun, send, end, pass }
}

describe('the large bodies of an application', () => {
  it('are processed without waiting while no other application sends [LIMIT-27]', async () => {
    const { send, begun } = setUp()
    await Promise.all(['1', '2', '3', '4'].map((name) => send('app_a', name)))
    expect(begun).toEqual(['1', '2', '3', '4'])
  })

  it('are processed one at a time with a pause while another application sends, which does not wait [LIMIT-27]', async () => {
    const { send, senders, begun, end, pass } = setUp()
    senders.see('app_b')
    const first = await send('app_a', '1')
    void send('app_a', '2')
    await send('app_b', 'b')
    await pass(20)
    expect(begun).toEqual(['1', 'b'])
    end(first)
    end(first)
    await pass(39)
    expect(begun).toEqual(['1', 'b'])
    await pass(1)
    expect(begun).toEqual(['1', 'b', '2'])
  })

  it('pause for at most a second [LIMIT-27]', async () => {
    const { send, senders, begun, end, pass } = setUp()
    senders.see('app_b')
    const first = await send('app_a', '1')
    await pass(10_000)
    end(first)
    void send('app_a', '2')
    await pass(999)
    expect(begun).toEqual(['1'])
    await pass(1)
    expect(begun).toEqual(['1', '2'])
  })

  it('are refused if too many wait, or one has waited too long [LIMIT-27]', async () => {
    const { send, senders, begun, pass, timers } = setUp()
    senders.see('app_b')
    await send('app_a', '1')
    const waiting = [send('app_a', '2'), send('app_a', '3')]
    expect(await send('app_a', '4')).toMatchObject({ kind: 'refused', code: 'RATE_LIMITED' })
    await pass(1000)
    for (const refused of waiting) expect(await refused).toMatchObject({ code: 'RATE_LIMITED' })
    expect(begun).toEqual(['1'])
    expect(timers.pending).toBe(0)
  })

  it('release all state when they are done [LIMIT-27]', async () => {
    const { send, senders, begun, end, pass, timers } = setUp()
    senders.see('app_b')
    end(await send('app_a', '1'))
    await pass(0)
    end(await send('app_a', '2'))
    await pass(0)
    expect([begun, timers.pending]).toEqual([['1', '2'], 0])
  })
})
