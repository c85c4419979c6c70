import { describe, expect, it } from 'vitest'
import { createTestClock, SETTINGS, SILENT } from '../../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { settle } from '../../../test/support/test-hub.ts'
import { createPacedWriter } from './paced-writer.ts'
import { createSenders } from './senders.ts'

const LARGE = 100_000

/** Sets up a paced writer. A change ends when the test calls `end`. */
const setUp = () => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const senders = createSenders(clock, 60_000)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const writer = createPacedWriter(
    {
      write: (_context, { conversation: { conversationId } }) => {
        const { promise, resolve } = Promise.withResolvers<null>()
        begun.push(conversationId)
        ends.set(conversationId, () => resolve(null))
        return promise
      },
    },
    { senders, clock, timers },
  )
  const context = { clock, settings: SETTINGS, wakeups: SILENT }
  const write = (appId: string, conversationId: string, bytes = LARGE) =>
    writer.write(context, { conversation: { appId, conversationId }, reads: {}, bytes, decide: () => null })
  const pass = async (ms: number) => {
    clock.pass(ms)
    timers.advance(ms)
    await settle()
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { senders, timers, begun, write, pass, end }
}

describe('large changes of an application on a single connection', () => {
  it('are written without waiting while no other application sends [LIMIT-28]', async () => {
    const { write, begun } = setUp()
    for (const name of ['1', '2', '3']) void write('app_a', name)
    await settle()
    expect(begun).toEqual(['1', '2', '3'])
  })

  it('are written one at a time with pauses while another application sends; other changes do not wait [LIMIT-28]', async () => {
    const { senders, write, begun, pass, end } = setUp()
    senders.see('app_b')
    for (const name of ['1', '2']) void write('app_a', name)
    void write('app_b', 'b')
    void write('app_a', 'small', 1000)
    await settle()
    expect(begun.toSorted()).toEqual(['1', 'b', 'small'])
    await pass(300)
    await end('1')
    await pass(599)
    expect(begun).not.toContain('2')
    await pass(1)
    expect(begun).toContain('2')
  })

  it('release all state when they end [LIMIT-28]', async () => {
    const { senders, write, begun, pass, end, timers } = setUp()
    senders.see('app_b')
    void write('app_a', '1')
    await settle()
    await end('1')
    await pass(0)
    void write('app_a', '2')
    await settle()
    expect(begun).toEqual(['1', '2'])
    await end('2')
    await pass(0)
    expect(timers.pending).toBe(0)
  })
})
