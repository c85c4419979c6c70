import { describe, expect, it } from 'vitest'
import { createTestWorker, quiet, startTestWorker, until } from '../../test/support/test-worker.ts'

const HEARTBEAT_MS = 2000
const LONG_MS = 120_000

describe('while the database is unavailable', () => {
  it('an outcome is kept, and reported when the database is back', async () => {
    const { gateway, play, timers, worker } = await startTestWorker()
    const run = play({ delta: 'a' }, { sleep_ms: 10 }, { succeed: { text: 'done' } })
    await until(() => run.batches.length === 1)
    gateway.away = true
    timers.advance(10)
    for (let passed = 0; passed < LONG_MS; passed += HEARTBEAT_MS) {
      timers.advance(HEARTBEAT_MS)
      await quiet()
    }
    expect([worker.isConnected(), worker.held().length]).toEqual([false, 1])
    gateway.away = false
    timers.advance(5000)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded', text: 'done' })
    timers.advance(HEARTBEAT_MS)
    await until(() => worker.isConnected())
    expect(worker.held().length).toBe(0)
  })

  it('streamed text is kept, merged into few pieces, and written when the database is back', async () => {
    const { gateway, run: execute, timers } = await startTestWorker()
    const words = Array.from({ length: 1000 }, (_, index) => `${index} `)
    const run = execute(async function* () {
      yield { delta: 'first ' }
      await new Promise(setImmediate)
      gateway.away = true
      await new Promise(setImmediate)
      for (const word of words) yield { delta: word }
      return undefined
    })
    await quiet()
    gateway.away = false
    timers.advance(5000)
    await until(() => run.outcome !== null)
    expect(run.batches.flat().join('')).toBe(`first ${words.join('')}`)
    expect(run.batches.flat().length).toBeLessThanOrEqual(65)
    expect(run.indexes).toEqual(run.indexes.map((_, index) => index))
  })

  it('the outage is logged once, and so is its end', async () => {
    const { gateway, timers, logged, worker } = await startTestWorker()
    gateway.away = true
    for (let beats = 0; beats < 5; beats += 1) {
      timers.advance(HEARTBEAT_MS)
      await quiet()
    }
    gateway.away = false
    timers.advance(HEARTBEAT_MS)
    await until(() => worker.isConnected())
    expect(logged).toEqual([
      'the devices are announced',
      'the heartbeat failed; executing runs continue: away',
      'the devices are announced',
    ])
  })

  it('a worker that starts during an outage takes runs after it', async () => {
    const { worker, gateway, play, timers } = createTestWorker()
    gateway.away = true
    await worker.start()
    const run = play({ delta: 'a' })
    gateway.away = false
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
  })
})

describe('lost answers to writes', () => {
  it('a run is interrupted if the answer to its claim is lost, because no worker executes it [DEV-16]', async () => {
    const { gateway, play, timers, worker } = await startTestWorker()
    gateway.loseAnswer('claimWork')
    const run = play({ delta: 'a' })
    await quiet()
    expect([run.state, worker.held().length]).toEqual(['running', 0])
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
    expect([run.outcome, run.batches]).toEqual([{ state: 'interrupted' }, []])
  })

  it('a claim that is still in progress is not treated as lost', async () => {
    const { gateway, play, timers, wakeups } = await startTestWorker()
    const arrival = Promise.withResolvers<void>()
    const { claimWork } = gateway
    gateway.claimWork = async (deviceId, limit) => {
      const runs = await claimWork(deviceId, limit)
      if (runs.length > 0) await arrival.promise
      return runs
    }
    const run = play({ delta: 'a' })
    await until(() => run.state === 'running')
    timers.advance(HEARTBEAT_MS)
    await quiet()
    expect(run.outcome).toBeNull()
    arrival.resolve()
    await until(() => run.outcome !== null)
    expect([run.outcome, run.batches]).toEqual([{ state: 'succeeded' }, [['a']]])
    wakeups.loseHints()
    await quiet()
    expect(run.outcome).toEqual({ state: 'succeeded' })
  })

  it('deltas are not written again', async () => {
    const { gateway, play, timers } = await startTestWorker()
    gateway.loseAnswer('appendToReply')
    const run = play({ delta: 'a' }, { delta: 'b' }, { sleep_ms: 50 }, { delta: 'c' })
    await until(() => run.batches.length === 1)
    await quiet()
    timers.advance(100)
    await until(() => run.outcome !== null)
    expect(run.batches).toEqual([['a', 'b'], ['c']])
    expect(run.indexes).toEqual([0, 1, 2])
  })

  it('a message is not written again', async () => {
    const { gateway, play, timers } = await startTestWorker()
    gateway.loseAnswer('appendMessage')
    const run = play({ message: 'a' }, { message: 'b' })
    await until(() => run.messages.length === 1)
    await quiet()
    timers.advance(100)
    await until(() => run.outcome !== null)
    expect(run.messages).toEqual(['a', 'b'])
  })

  it('a request for approval is not repeated: the approval is found', async () => {
    const { gateway, play, timers, wakeups } = await startTestWorker()
    gateway.loseAnswer('requestApproval')
    const run = play({ approval: 'May I?' }, { delta: 'yes' })
    await until(() => run.approvals.length === 1)
    await quiet()
    timers.advance(100)
    await quiet()
    for (const approval of run.approvals) approval.state = 'approved'
    run.state = 'running'
    wakeups.hintRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect([run.approvals.length, run.batches]).toEqual([1, [['yes']]])
  })

  it('an outcome is reported again, which has no further effect', async () => {
    const { gateway, play, timers, worker } = await startTestWorker()
    gateway.loseAnswer('reportOutcome')
    const run = play({ delta: 'a' })
    await until(() => run.outcome !== null)
    await quiet()
    timers.advance(100)
    await until(() => worker.held().length === 0)
    expect(run.outcome).toEqual({ state: 'succeeded' })
  })
})

describe('writes that the gateway rejects', () => {
  const advanceOften = async (timers: { advance(ms: number): void }) => {
    for (let pauses = 0; pauses < 20; pauses += 1) {
      timers.advance(5000)
      await quiet()
    }
  }

  it('rejected output fails the run as INTERNAL', async () => {
    const { gateway, play, timers } = await startTestWorker()
    gateway.failWith('appendToReply', () => new Error('cannot be stored'))
    const run = play({ delta: 'a' }, { hang: true })
    await advanceOften(timers)
    expect(run.state).toBe('running')
    run.state = 'cancelling'
    await advanceOften(timers)
    expect(run.outcome).toMatchObject({ state: 'failed', error: { code: 'INTERNAL', retryable: true } })
  })

  it('a run whose outcome is rejected becomes interrupted', async () => {
    const { gateway, play, timers } = await startTestWorker()
    let refusals = 0
    gateway.failWith('reportOutcome', () => {
      refusals += 1
      return refusals <= 5 ? new Error('the run cannot change to this state') : null
    })
    const run = play({ delta: 'a' })
    await advanceOften(timers)
    expect(run.outcome).toEqual({ state: 'interrupted' })
  })

  it('the worker finally releases a run whose every outcome is rejected', async () => {
    const { gateway, play, timers, worker } = await startTestWorker()
    gateway.failWith('reportOutcome', () => new Error('no outcome can be stored'))
    const run = play({ delta: 'a' })
    await advanceOften(timers)
    await advanceOften(timers)
    expect([run.state, worker.held().length]).toEqual(['running', 0])
  })
})
