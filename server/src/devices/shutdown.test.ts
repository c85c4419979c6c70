import { describe, expect, it } from 'vitest'
import { quiet, startTestWorker, until } from '../../test/support/test-worker.ts'

const GRACE_MS = 4000
const STOP_MS = 1500

const started = () => startTestWorker({ shutdownGraceMs: GRACE_MS, shutdownStopMs: STOP_MS })

describe('a worker that shuts down', () => {
  it('takes no more work after its end', async () => {
    const { worker, play, timers, wakeups } = await started()
    await worker.stop()
    const run = play({ delta: 'a' })
    timers.advance(10_000)
    await quiet()
    expect([run.state, wakeups.listeners(), timers.pending]).toEqual(['queued', 0, 0])
  })

  it('lets runs continue that end within the grace period', async () => {
    const { worker, play, timers } = await started()
    const run = play({ delta: 'a' }, { sleep_ms: GRACE_MS - 1 }, { delta: 'b' })
    await until(() => run.batches.length === 1)
    const stopped = worker.stop()
    timers.advance(GRACE_MS - 1)
    await stopped
    expect([run.outcome, run.batches.flat()]).toEqual([{ state: 'succeeded' }, ['a', 'b']])
  })

  it('takes no more work while it waits for its runs', async () => {
    const { worker, play, wakeups } = await started()
    const held = play({ delta: 'a' }, { hang: true })
    await until(() => held.batches.length === 1)
    void worker.stop()
    const run = play({ delta: 'b' })
    wakeups.loseHints()
    await quiet()
    expect(run.state).toBe('queued')
  })

  it('stops the other runs and reports them as interrupted, with their output so far', async () => {
    const { worker, play, timers } = await started()
    const run = play({ delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    const stopped = worker.stop()
    await quiet()
    timers.advance(GRACE_MS)
    await stopped
    expect([run.outcome, run.batches]).toEqual([{ state: 'interrupted' }, [['a']]])
  })

  it('polls the runs that it waits for, but does not announce its devices', async () => {
    const { worker, gateway, play, timers } = await started()
    const run = play({ delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    const [looks = 0, beats] = [gateway.calls.get('lookAtRuns'), gateway.calls.get('beat')]
    void worker.stop()
    timers.advance(2000)
    await until(() => (gateway.calls.get('lookAtRuns') ?? 0) > looks)
    expect(gateway.calls.get('beat')).toBe(beats)
  })

  it('does not log that its devices are announced while it drains without the database', async () => {
    const { worker, gateway, play, timers, logged } = await started()
    const run = play({ delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    void worker.stop()
    gateway.away = true
    timers.advance(2000)
    await until(() => logged.some((line) => line.startsWith('the heartbeat failed')))
    logged.length = 0
    timers.advance(2000)
    await quiet()
    expect(logged).toEqual([])
  })

  it('reports a run as interrupted if its assistant ignores the signal', async () => {
    const { worker, run: execute, timers } = await started()
    const run = execute(async function* () {
      yield { delta: 'a' }
      await new Promise(() => {})
      return undefined
    })
    await until(() => run.batches.length === 1)
    const stopped = worker.stop()
    await quiet()
    timers.advance(GRACE_MS)
    await quiet()
    expect(run.outcome).toBeNull()
    timers.advance(STOP_MS)
    await stopped
    expect(run.outcome).toEqual({ state: 'interrupted' })
  })

  it('confirms a stop that was requested before', async () => {
    const { worker, play, timers, cancel } = await started()
    const run = play({ stop_delay_ms: 1000 }, { delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    cancel(run)
    await quiet()
    const stopped = worker.stop()
    timers.advance(1000)
    await stopped
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('ends even if the database is unavailable', async () => {
    const { worker, gateway, play, timers } = await started()
    const run = play({ delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    gateway.away = true
    const stopped = worker.stop()
    for (const ms of [GRACE_MS, STOP_MS, STOP_MS]) {
      timers.advance(ms)
      await quiet()
    }
    await stopped
    expect([run.state, worker.held().length, timers.pending]).toEqual(['running', 0, 0])
  })
})
