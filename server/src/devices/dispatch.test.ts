import { describe, expect, it } from 'vitest'
import { quiet, startTestWorker, until } from '../../test/support/test-worker.ts'
import { createSlots } from './dispatch.ts'

const HEARTBEAT_MS = 2000

describe('taking work', () => {
  it('executes a run after a hint, up to its reported outcome', async () => {
    const { gateway, wakeups } = await startTestWorker()
    const run = gateway.admit({ text: 'one two  three' })
    wakeups.hintDevice('dev_1')
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded' })
    expect(run.batches).toEqual([['one ', 'two  ', 'three']])
    expect(run.indexes).toEqual([0, 1, 2])
  })

  it('finds work without a hint at the next heartbeat', async () => {
    const { gateway, timers } = await startTestWorker()
    const run = gateway.admit({ text: 'hello' })
    await quiet()
    expect(run.state).toBe('queued')
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
  })

  it('polls everything after lost hints', async () => {
    const { gateway, wakeups } = await startTestWorker()
    const run = gateway.admit({ text: 'hello' })
    wakeups.loseHints()
    await until(() => run.outcome !== null)
  })

  it('serves new devices, and ignores hints about devices of others', async () => {
    const { gateway, timers, wakeups } = await startTestWorker()
    const run = gateway.admit({ deviceId: 'dev_2', text: 'hello' })
    wakeups.hintDevice('dev_2')
    await quiet()
    expect(run.state).toBe('queued')
    gateway.devices.add('dev_2')
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
  })

  it('executes no more runs than its limit, and continues when one has ended', async () => {
    const { gateway, play, timers } = await startTestWorker({ runConcurrency: 2 })
    const [first, second, last] = [play({ hang: true }), play({ hang: true }), play({ delta: 'last' })]
    await quiet()
    expect([first.state, second.state, last.state]).toEqual(['running', 'running', 'queued'])
    expect(gateway.calls.get('claimWork')).toBe(1)
    first.state = 'cancelling'
    timers.advance(HEARTBEAT_MS)
    await until(() => last.outcome !== null)
  })

  it('executes for one device even if another is full', async () => {
    const { gateway, play, wakeups } = await startTestWorker({ runConcurrency: 1 })
    gateway.devices.add('dev_2')
    wakeups.loseHints()
    await quiet()
    const hanging = [play({ hang: true }), play({ hang: true })]
    await quiet()
    expect(hanging.map(({ state }) => state)).toEqual(['running', 'queued'])
    const run = gateway.admit({ deviceId: 'dev_2', text: 'hello' })
    wakeups.hintDevice('dev_2')
    await until(() => run.outcome !== null)
  })

  it('does not count runs that wait for an approval, up to the limit of held runs', async () => {
    const { play, worker } = await startTestWorker({ runConcurrency: 1, heldRuns: 3 })
    const runs = Array.from({ length: 4 }, () => play({ approval: 'May I?' }))
    await quiet()
    expect(runs.map(({ state }) => state)).toEqual([
      'waiting_approval',
      'waiting_approval',
      'waiting_approval',
      'queued',
    ])
    expect(worker.held().length).toBe(3)
  })

  it('takes a backlog in batches until nothing is left', async () => {
    const { gateway, wakeups } = await startTestWorker({ claimBatch: 2 })
    const runs = Array.from({ length: 7 }, () => gateway.admit({ text: 'hello' }))
    wakeups.hintDevice('dev_1')
    await until(() => runs.every(({ outcome }) => outcome !== null))
  })
})

describe('slots reserved for runs during their admission', () => {
  /** A run that the writer admits and starts for this worker. */
  const admitStarted = ({ gateway }: Awaited<ReturnType<typeof startTestWorker>>) => {
    const run = gateway.admit({ text: 'hello' })
    run.state = 'running'
    return run
  }

  it('are used by the runs after the commit, and are free when the runs have ended', async () => {
    const fixture = await startTestWorker({ runConcurrency: 2 })
    const { worker } = fixture
    const reservation = worker.reserve('dev_1', 2)
    expect(worker.reserve('dev_1', 1)).toBeNull()
    const runs = [admitStarted(fixture), admitStarted(fixture)]
    reservation?.settle(
      runs.map(({ claimed }) => claimed),
      'committed',
    )
    expect([worker.held().length, worker.hasFreeSlots()]).toEqual([2, false])
    await until(() => runs.every(({ outcome }) => outcome !== null))
    await until(() => worker.hasFreeSlots())
  })

  it('are free again if nothing was committed', async () => {
    const { worker, gateway, play } = await startTestWorker({ runConcurrency: 1 })
    const reservation = worker.reserve('dev_1', 1)
    const run = play({ delta: 'waits' })
    await quiet()
    expect(run.state).toBe('queued')
    reservation?.settle([gateway.admit({ runId: 'run_none' }).claimed], 'none')
    await until(() => run.outcome !== null)
  })

  it('are used by runs whose commit turns out to have succeeded after an unknown outcome', async () => {
    const fixture = await startTestWorker({ runConcurrency: 2 })
    const { worker, gateway, timers } = fixture
    const reservation = worker.reserve('dev_1', 2)
    const [run, none] = [admitStarted(fixture), gateway.admit({ text: 'never' })]
    none.state = 'succeeded'
    gateway.away = true
    reservation?.settle([run.claimed, none.claimed], 'unknown')
    await quiet()
    gateway.away = false
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded' })
    expect(none.batches).toEqual([])
    await until(() => worker.hasFreeSlots())
  })

  it('are not available while a run waits, or may wait, for the device', async () => {
    const { worker, wakeups, gateway, play } = await startTestWorker({ runConcurrency: 2 })
    expect(worker.hasFreeSlots()).toBe(true)
    gateway.away = true
    wakeups.hintDevice('dev_1')
    expect([worker.hasFreeSlots(), worker.reserve('dev_1', 1)]).toEqual([false, null])
    gateway.away = false
    await until(() => worker.hasFreeSlots())
    const runs = [play({ hang: true }), play({ hang: true }), play({ hang: true })]
    await quiet()
    expect(runs.map(({ state }) => state)).toEqual(['running', 'running', 'queued'])
    expect([worker.hasFreeSlots(), worker.reserve('dev_1', 1)]).toEqual([false, null])
  })

  it('are refused by a worker that shuts down, which waits for its open reservations', async () => {
    const fixture = await startTestWorker()
    const { worker } = fixture
    const reservation = worker.reserve('dev_1', 1)
    const run = admitStarted(fixture)
    const stopped = worker.stop()
    expect([worker.hasFreeSlots(), worker.reserve('dev_1', 1)]).toEqual([false, null])
    reservation?.settle([run.claimed], 'committed')
    await stopped
    expect(run.outcome).toEqual({ state: 'succeeded' })
  })

  it('prevent a poll from treating their runs as orphans', async () => {
    const fixture = await startTestWorker()
    const { worker, timers } = fixture
    const reservation = worker.reserve('dev_1', 1)
    const run = admitStarted(fixture)
    timers.advance(HEARTBEAT_MS)
    await quiet()
    expect(run.state).toBe('running')
    reservation?.settle([run.claimed], 'committed')
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded' })
  })
})

describe('slots', () => {
  it('each device has its own slots', () => {
    const slots = createSlots({ runConcurrency: 2, heldRuns: 10 })
    slots.take('one')
    slots.take('one')
    expect([slots.free('one'), slots.free('two')]).toEqual([0, 2])
    slots.giveBack('one')
    expect(slots.free('one')).toBe(1)
  })

  it('a run that waits for an approval needs no slot, and takes one when it resumes', () => {
    const slots = createSlots({ runConcurrency: 1, heldRuns: 10 })
    slots.take('one')
    slots.pause('one')
    expect(slots.free('one')).toBe(1)
    slots.take('one')
    slots.resume('one')
    expect(slots.free('one')).toBe(0)
    slots.giveBack('one')
    expect(slots.free('one')).toBe(0)
    slots.giveBack('one')
    expect(slots.free('one')).toBe(1)
  })

  it('no device has more runs than its limit, however many of them wait', () => {
    const slots = createSlots({ runConcurrency: 5, heldRuns: 3 })
    for (let taken = 0; taken < 3; taken += 1) {
      slots.take('one')
      slots.pause('one')
    }
    expect([slots.free('one'), slots.free('two')]).toEqual([0, 3])
  })
})
