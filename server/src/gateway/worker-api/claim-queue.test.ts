import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { settle } from '../../../test/support/test-hub.ts'
import type { ClaimedRun } from '../../store/claims.ts'
import { createClaimQueue, type WaitingClaim } from './claim-queue.ts'

const NEVER_GONE = new AbortController().signal
const claimOf = (sessionId: string, more: Partial<WaitingClaim> = {}): WaitingClaim => ({
  deviceId: 'dev_1',
  sessionId,
  limit: 1,
  free: 1,
  waitMs: 1000,
  gone: NEVER_GONE,
  ...more,
})

const runOf = (runId: string): ClaimedRun => ({
  appId: 'app_1',
  subject: 'subject',
  conversationId: `conversation of ${runId}`,
  runId,
  messageId: `message of ${runId}`,
  endpointId: 'ep_1',
  deviceId: 'dev_1',
  generation: 1,
  bindingVersion: 1,
  position: 1,
  lastSeq: 2,
  runUntil: new Date(0),
  assistant: {},
  text: null,
  data: null,
  resourceIds: null,
  traceparent: null,
})

/** A queue whose device has as many runs as the test says; `asked` lists the sessions whose claims were tried. */
const createFixture = () => {
  const state = {
    runs: 0,
    asked: [] as string[],
    began: [] as string[],
    hint: (_deviceId: string): void => {},
    unable: new Set<string>(),
  }
  let pass = async (): Promise<void> => {}
  const timers = createManualTimers()
  const queue = createClaimQueue({
    take: async ({ sessionId }) => {
      state.asked.push(sessionId)
      await pass()
      if (state.unable.has(sessionId)) return null
      if (state.runs === 0) return []
      state.runs -= 1
      return [runOf(`claimed for ${sessionId}`)]
    },
    began: ({ runId }) => void state.began.push(runId),
    timers,
    wakeups: {
      onDevice: (onHint) => {
        state.hint = onHint
        return () => {}
      },
    },
  })
  const ended: string[] = []
  const answers: string[] = []
  return {
    state,
    queue,
    ended,
    answers,
    timers,
    hold: (until: Promise<void>) => {
      pass = () => until
    },
    wait: (claim: WaitingClaim) =>
      queue.wait(claim).then((runs) => {
        ended.push(claim.sessionId)
        answers.push(
          `${claim.sessionId}: ${runs === null ? 'in the database' : runs.map(({ runId }) => runId).join(', ') || 'none'}`,
        )
      }),
    /** Ends the claims of a session, and returns whether that has finished. */
    end: (sessionId: string): (() => boolean) => {
      let hasEnded = false
      void queue.end(sessionId).then(() => {
        hasEnded = true
      })
      return () => hasEnded
    },
  }
}

describe('claims that wait', () => {
  it('are served oldest first, until the first one that finds no run', async () => {
    const { state, wait, ended, answers } = createFixture()
    for (const session of ['a', 'b', 'c']) void wait(claimOf(session))
    await settle()
    state.asked.length = 0
    state.runs = 2
    state.hint('dev_1')
    await settle()
    expect(ended).toEqual(['a', 'b'])
    expect(answers).toEqual(['a: claimed for a', 'b: claimed for b'])
    expect(state.began).toEqual(['claimed for a', 'claimed for b'])
    expect(state.asked).toEqual(['a', 'b', 'c'])
  })

  it('do not delay others if their session can take nothing', async () => {
    const { state, wait, ended } = createFixture()
    state.unable.add('a')
    for (const session of ['a', 'b']) void wait(claimOf(session))
    state.runs = 1
    state.hint('dev_1')
    await settle()
    expect(ended).toEqual(['b'])
  })

  it('end when a newer claim replaces them, which then finds the runs that were being taken', async () => {
    const { state, wait, answers, hold } = createFixture()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold(promise)
    state.runs = 1
    void wait(claimOf('a'))
    await settle()
    void wait(claimOf('a'))
    await settle()
    expect(answers).toEqual(['a: in the database'])
    resolve()
    await settle()
    expect(answers).toEqual(['a: in the database', 'a: in the database'])
    expect(state.began).toEqual(['claimed for a'])
  })

  it('end after their timeout, with their client, and with the queue', async () => {
    const { queue, wait, ended, answers, timers } = createFixture()
    const gone = new AbortController()
    void wait(claimOf('a'))
    void wait(claimOf('b', { gone: gone.signal, waitMs: 5000 }))
    void wait(claimOf('c', { deviceId: 'dev_2', waitMs: 5000 }))
    await settle()
    timers.advance(1000)
    await settle()
    expect(ended).toEqual(['a'])
    gone.abort()
    await settle()
    expect(ended).toEqual(['a', 'b'])
    queue.close()
    await wait(claimOf('d'))
    expect(ended).toEqual(['a', 'b', 'c', 'd'])
    expect(answers).toEqual(ended.map((session) => `${session}: none`))
  })
})

describe('the slots of claims that wait', () => {
  const PRESENT = ['a', 'b']

  it('are offered from one session per device, after its claim has looked for runs', async () => {
    const { queue, wait } = createFixture()
    void wait(claimOf('a', { free: 0 }))
    void wait(claimOf('b'))
    void wait(claimOf('c'))
    void wait(claimOf('d', { deviceId: 'dev_2' }))
    expect(queue.workerIds()).toEqual([])
    await settle()
    expect(queue.workerIds()).toEqual(['b', 'd'])
  })

  it('are reserved from the first live session with enough free slots, and its claim gets the committed runs', async () => {
    const { state, queue, wait, answers } = createFixture()
    void wait(claimOf('a'))
    void wait(claimOf('b', { limit: 2, free: 2 }))
    void wait(claimOf('c', { limit: 3, free: 3 }))
    await settle()
    expect(queue.reserve('dev_1', 3, PRESENT)).toBe(null)
    expect(queue.reserve('dev_2', 1, PRESENT)).toBe(null)
    const reservation = queue.reserve('dev_1', 2, PRESENT)
    expect(reservation?.workerId).toBe('b')
    expect(queue.reserve('dev_1', 2, PRESENT)).toBe(null)
    reservation?.settle([runOf('one'), runOf('two')], 'committed')
    await settle()
    expect(answers).toEqual(['b: one, two'])
    expect(state.began).toEqual(['one', 'two'])
  })

  it('are not reserved while runs may wait for the device', async () => {
    const { queue, state, wait, hold } = createFixture()
    void wait(claimOf('a'))
    await settle()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold(promise)
    state.hint('dev_1')
    expect(queue.workerIds()).toEqual([])
    expect(queue.reserve('dev_1', 1, PRESENT)).toBe(null)
    resolve()
    await settle()
    expect(queue.reserve('dev_1', 1, PRESENT)?.workerId).toBe('a')
  })

  it('are free again if nothing was committed, and the claim polls for what it may have missed', async () => {
    const { queue, state, wait, answers } = createFixture()
    void wait(claimOf('a'))
    await settle()
    const reservation = queue.reserve('dev_1', 1, PRESENT)
    state.runs = 1
    state.hint('dev_1')
    await settle()
    expect(answers).toEqual([])
    reservation?.settle([runOf('one')], 'none')
    await settle()
    expect(answers).toEqual(['a: claimed for a'])
  })

  it('end the wait if the outcome of the commit is unknown, so that the claim reads the database', async () => {
    const { queue, state, wait, answers } = createFixture()
    void wait(claimOf('a'))
    await settle()
    queue.reserve('dev_1', 1, PRESENT)?.settle([runOf('one')], 'unknown')
    await settle()
    expect(answers).toEqual(['a: in the database'])
    expect(state.began).toEqual([])
  })

  it("are not lost with a claim that ended meanwhile: the session's next claim finds the runs", async () => {
    const { queue, wait, answers, timers } = createFixture()
    void wait(claimOf('a'))
    await settle()
    const reservation = queue.reserve('dev_1', 1, PRESENT)
    timers.advance(1000)
    await settle()
    expect(answers).toEqual(['a: in the database'])
    void wait(claimOf('a'))
    await settle()
    reservation?.settle([runOf('one')], 'committed')
    await settle()
    expect(answers).toEqual(['a: in the database', 'a: in the database'])
  })

  it('stay tracked if other runs are taken for their session meanwhile', async () => {
    const { queue, wait, end, answers, timers } = createFixture()
    void wait(claimOf('a'))
    await settle()
    const reservation = queue.reserve('dev_1', 1, PRESENT)
    timers.advance(1000)
    void wait(claimOf('a'))
    await settle()
    timers.advance(1000)
    await settle()
    expect(answers).toEqual(['a: in the database', 'a: in the database'])
    const hasEnded = end('a')
    await settle()
    expect(hasEnded()).toBe(false)
    reservation?.settle([runOf('one')], 'committed')
    await settle()
    expect(hasEnded()).toBe(true)
  })

  it('delay the end of their session until they are settled', async () => {
    const { queue, wait, end } = createFixture()
    void wait(claimOf('a'))
    await settle()
    const reservation = queue.reserve('dev_1', 1, PRESENT)
    const hasEnded = end('a')
    await settle()
    expect(hasEnded()).toBe(false)
    reservation?.settle([runOf('one')], 'committed')
    await settle()
    expect(hasEnded()).toBe(true)
  })
})
