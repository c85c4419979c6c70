import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { settle } from '../../../test/support/test-hub.ts'
import { createReadAtPace } from './fairness.ts'
import { createSenders } from './senders.ts'

const LARGE = 'large'

/** Reads that end when the test sets their result. */
const setUp = () => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const senders = createSenders(clock, 60_000)
  const atPace = createReadAtPace({ senders, waitMs: 5000, clock, timers })
  const begun: string[] = []
  const reads = new Map<string, PromiseWithResolvers<string>>()
  const read = (appId: string, name: string) => {
    const found = Promise.withResolvers<string>()
    reads.set(name, found)
    return atPace(appId, {
      perform: () => {
        begun.push(name)
        return found.promise
      },
      isLarge: (result) => result === LARGE,
    })
  }
  return {
    clock,
    senders,
    timers,
    begun,
    read,
    /** Starts one read per letter. */
    readMany: async (appId: string, names: string) => {
      for (const name of names) void read(appId, name)
      await settle()
    },
    end: async (name: string, result: string) => {
      reads.get(name)?.resolve(result)
      await settle()
    },
    fail: async (name: string) => {
      reads.get(name)?.reject(new Error('broken'))
      await settle()
    },
    pass: async (ms: number) => {
      clock.pass(ms)
      timers.advance(ms)
      await settle()
    },
  }
}

describe('the reads of an application on a single connection', () => {
  it('start without waiting while no other application sends, whatever their size [LIMIT-29]', async () => {
    const { readMany, begun, end, pass } = setUp()
    await readMany('app_a', 'ab')
    await pass(10)
    await end('a', LARGE)
    await readMany('app_a', 'c')
    expect(begun.join('')).toBe('abc')
  })

  it('start without waiting while another application sends, as long as they are small [LIMIT-29]', async () => {
    const { senders, readMany, begun, end, pass } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'abc')
    await pass(10)
    await end('a', 'small')
    await readMany('app_a', 'd')
    expect(begun.join('')).toBe('abcd')
  })

  it('run one at a time with a pause after a large one, while the other application does not wait [LIMIT-29]', async () => {
    const { senders, readMany, begun, end, pass } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'a')
    await pass(20)
    await end('a', LARGE)
    await readMany('app_a', 'bcd')
    await readMany('app_b', 'x')
    await pass(39)
    expect(begun.join('')).toBe('ax')
    await pass(1)
    expect(begun.join('')).toBe('axb')
    await pass(30)
    await end('b', LARGE)
    await pass(59)
    expect(begun.join('')).toBe('axb')
    await pass(1)
    expect(begun.join('')).toBe('axbc')
  })

  it('start as soon as a small read ends, and no longer wait once the queue is empty [LIMIT-29]', async () => {
    const { senders, readMany, begun, end, pass, timers } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'a')
    await end('a', LARGE)
    await readMany('app_a', 'bc')
    await pass(0)
    expect(begun.join('')).toBe('ab')
    await end('b', 'small')
    expect(begun.join('')).toBe('abc')
    await end('c', 'small')
    await readMany('app_a', 'de')
    expect(begun.join('')).toBe('abcde')
    expect(timers.pending).toBe(0)
  })

  it('wait for the pauses of all concurrent large reads [LIMIT-29]', async () => {
    const { senders, readMany, begun, end, pass } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'ab')
    await pass(10)
    await end('a', LARGE)
    await pass(10)
    await end('b', LARGE)
    await readMany('app_a', 'c')
    await pass(39)
    expect(begun.join('')).toBe('ab')
    await pass(1)
    expect(begun.join('')).toBe('abc')
  })

  it('pause for at most a second [LIMIT-29]', async () => {
    const { senders, readMany, begun, end, pass } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'a')
    await pass(4000)
    await end('a', LARGE)
    await readMany('app_a', 'b')
    await pass(999)
    expect(begun.join('')).toBe('a')
    await pass(1)
    expect(begun.join('')).toBe('ab')
  })

  it('stop waiting when the other application has sent nothing for a while [LIMIT-29]', async () => {
    const { senders, clock, readMany, begun, end } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'a')
    await end('a', LARGE)
    clock.pass(60_001)
    await readMany('app_a', 'b')
    expect(begun.join('')).toBe('ab')
  })

  it('are refused if too many wait, or one has waited too long [LIMIT-29]', async () => {
    const { senders, readMany, read, pass, begun, end, timers } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'ab')
    await pass(10)
    await end('a', LARGE)
    const waiting = Array.from({ length: 500 }, (_, n) => read('app_a', `waits ${n}`))
    await settle()
    expect(await read('app_a', 'one more')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    await pass(20)
    expect(begun).toEqual(['a', 'b', 'waits 0'])
    await pass(4980)
    for (const answer of waiting.slice(1)) expect(await answer).toMatchObject({ code: 'RATE_LIMITED' })
    expect(timers.pending).toBe(0)
  })

  it('release their turn when they fail [LIMIT-29]', async () => {
    const { senders, read, readMany, begun, end, fail, pass } = setUp()
    senders.see('app_b')
    await readMany('app_a', 'a')
    await end('a', LARGE)
    const failed = expect(read('app_a', 'b')).rejects.toThrow('broken')
    await readMany('app_a', 'c')
    await pass(0)
    await fail('b')
    await failed
    expect(begun.join('')).toBe('abc')
  })
})
