import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { createClaimQueue, type WaitingClaim } from './claim-queue.ts'

const GONE = new AbortController().signal
const claimOf = (sessionId: string, more: Partial<WaitingClaim> = {}): WaitingClaim => ({
  deviceId: 'dev_1',
  sessionId,
  limit: 1,
  waitMs: 1000,
  gone: GONE,
  ...more,
})

/** A queue whose device has as many runs as the test says; `asked` lists whose claim was tried. */
const createFixture = () => {
  const state = { runs: 0, asked: [] as string[], hint: (_deviceId: string): void => {}, unable: new Set<string>() }
  let pass = async (): Promise<void> => {}
  const timers = createManualTimers()
  const queue = createClaimQueue({
    take: async ({ sessionId }) => {
      state.asked.push(sessionId)
      await pass()
      if (state.unable.has(sessionId)) return null
      if (state.runs === 0) return 0
      state.runs -= 1
      return 1
    },
    timers,
    wakeups: {
      onDevice: (onHint) => {
        state.hint = onHint
        return () => {}
      },
    },
  })
  const ended: string[] = []
  return {
    state,
    queue,
    ended,
    timers,
    hold: (until: Promise<void>) => {
      pass = () => until
    },
    wait: (claim: WaitingClaim) => queue.wait(claim).then(() => void ended.push(claim.sessionId)),
    turns: async () => {
      for (let turn = 0; turn < 20; turn += 1) await null
    },
  }
}

describe('claims that wait', () => {
  it('are served the oldest first, one claim for each run and one more', async () => {
    const { state, wait, ended, turns } = createFixture()
    for (const session of ['a', 'b', 'c']) void wait(claimOf(session))
    await turns()
    state.asked.length = 0
    state.runs = 2
    state.hint('dev_1')
    await turns()
    expect(ended).toEqual(['a', 'b'])
    expect(state.asked).toEqual(['a', 'b', 'c'])
  })

  it('do not hold up others when their session can take nothing', async () => {
    const { state, wait, ended, turns } = createFixture()
    state.unable.add('a')
    for (const session of ['a', 'b']) void wait(claimOf(session))
    state.runs = 1
    state.hint('dev_1')
    await turns()
    expect(ended).toEqual(['b'])
  })

  it('end when a newer one took their place, and runs that were being taken for the older are for the newer', async () => {
    const { state, wait, ended, hold, turns } = createFixture()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold(promise)
    state.runs = 1
    void wait(claimOf('a'))
    await turns()
    void wait(claimOf('a'))
    await turns()
    expect(ended).toEqual(['a'])
    resolve()
    await turns()
    expect(ended).toEqual(['a', 'a'])
  })

  it('end after their time, with their client, and with the queue', async () => {
    const { queue, wait, ended, timers, turns } = createFixture()
    const gone = new AbortController()
    void wait(claimOf('a'))
    void wait(claimOf('b', { gone: gone.signal, waitMs: 5000 }))
    void wait(claimOf('c', { deviceId: 'dev_2', waitMs: 5000 }))
    timers.advance(1000)
    await turns()
    expect(ended).toEqual(['a'])
    gone.abort()
    await turns()
    expect(ended).toEqual(['a', 'b'])
    queue.close()
    await wait(claimOf('d'))
    expect(ended).toEqual(['a', 'b', 'c', 'd'])
  })
})
