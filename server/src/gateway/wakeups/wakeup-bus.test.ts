import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { settle } from '../../../test/support/test-hub.ts'
import { createWakeupBus, type WakeupBus } from './wakeup-bus.ts'

const WAKE_MS = 10

/** Processes of one gateway that share a NOTIFY channel; notifications arrive at all of them, including the sender. */
const createNetwork = (kind: 'postgres' | 'embedded' = 'postgres') => {
  const timers = createManualTimers()
  const errors: unknown[] = []
  const rounds: (readonly string[])[] = []
  const listeners: { onMessage: (payload: string) => void; onLost: () => void }[] = []
  let refuse: Error | null = null
  let closed = 0
  const db = {
    kind,
    listen: async (_channel: string, onMessage: (payload: string) => void, onLost: () => void) => {
      listeners.push({ onMessage, onLost })
      return {
        close: async () => {
          closed++
        },
      }
    },
    notify: async (_channel: string, payloads: readonly string[]) => {
      if (refuse !== null) throw refuse
      rounds.push(payloads)
      for (const payload of payloads) for (const { onMessage } of listeners) onMessage(payload)
    },
  }
  return {
    timers,
    errors,
    rounds,
    closed: () => closed,
    breakConnection: () => {
      for (const { onLost } of listeners) onLost()
    },
    refuseWith: (error: Error | null) => {
      refuse = error
    },
    start: (processId: string) =>
      createWakeupBus({ db, timers, processId, wakeMs: WAKE_MS, onError: (error) => errors.push(error) }),
  }
}

/** The hints that a process receives, in order. */
const collectHints = (bus: WakeupBus): string[] => {
  const heard: string[] = []
  bus.onConversation(
    ({ appId, conversationId }) => heard.push(`${appId}/${conversationId}`),
    () => heard.push('conversations lost'),
  )
  bus.onDevice(
    (deviceId) => heard.push(deviceId),
    () => heard.push('devices lost'),
  )
  bus.onRun(
    (runId) => heard.push(runId),
    () => heard.push('runs lost'),
  )
  return heard
}

const EVERYTHING_LOST = ['conversations lost', 'devices lost', 'runs lost']

describe('a hint', () => {
  it('reaches listeners of the process before the call returns, and those of others by one NOTIFY', async () => {
    const network = createNetwork()
    const [own, other] = [await network.start('one'), await network.start('two')]
    const [heardHere, heardThere] = [collectHints(own), collectHints(other)]
    own.conversationChanged({ appId: 'app_1', conversationId: 'conv_1' })
    own.workAvailable('dev_1')
    own.runChanged('run_1')
    const all = ['app_1/conv_1', 'dev_1', 'run_1']
    expect(heardHere).toEqual(all)
    await settle()
    expect(heardThere).toEqual(all)
    expect(heardHere).toEqual(all)
    expect(network.rounds).toHaveLength(1)
  })

  it('does not reach a listener that has stopped', async () => {
    const bus = await createNetwork().start('one')
    const heard: string[] = []
    const stop = bus.onRun(
      (runId) => heard.push(runId),
      () => {},
    )
    stop()
    bus.runChanged('run_1')
    expect(heard).toEqual([])
  })

  it('reaches the other listeners when one throws, without affecting the caller', async () => {
    const network = createNetwork()
    const bus = await network.start('one')
    bus.onRun(
      () => {
        throw new Error('broken listener')
      },
      () => {},
    )
    const heard = collectHints(bus)
    bus.runChanged('run_1')
    expect([heard, network.errors]).toEqual([['run_1'], [new Error('broken listener')]])
  })
})

describe('a busy bus', () => {
  it('sends at most one round in each window, with each hint once', async () => {
    const network = createNetwork()
    const bus = await network.start('one')
    bus.runChanged('run_0')
    await settle()
    for (let turn = 0; turn < 5; turn++) {
      bus.runChanged('run_1')
      bus.runChanged('run_2')
      await settle()
    }
    expect(network.rounds).toHaveLength(1)
    network.timers.advance(WAKE_MS - 1)
    await settle()
    expect(network.rounds).toHaveLength(1)
    network.timers.advance(1)
    await settle()
    expect(network.rounds.slice(1)).toEqual([['["one",["run","run_1"],["run","run_2"]]']])
    network.timers.advance(10 * WAKE_MS)
    await settle()
    expect(network.rounds).toHaveLength(2)
  })

  it('sends at once again after a pause', async () => {
    const network = createNetwork()
    const bus = await network.start('one')
    bus.runChanged('run_1')
    await settle()
    network.timers.advance(WAKE_MS)
    await settle()
    bus.runChanged('run_2')
    await settle()
    expect(network.rounds).toHaveLength(2)
  })

  it('buffers a bounded number of hints; beyond it, the other processes learn only that hints were lost', async () => {
    const network = createNetwork()
    const [own, other] = [await network.start('one'), await network.start('two')]
    const heard = collectHints(other)
    own.runChanged('run_0')
    await settle()
    for (let run = 1; run <= 100_000; run++) own.runChanged(`run_${run}`)
    network.timers.advance(WAKE_MS)
    await settle()
    expect(network.rounds.slice(1)).toEqual([['["one",["lost"]]']])
    expect(heard).toEqual(['run_0', ...EVERYTHING_LOST])
  })
})

it('the bus reports lost hints after a broken connection', async () => {
  const network = createNetwork()
  const heard = collectHints(await network.start('one'))
  network.breakConnection()
  expect(heard).toEqual(EVERYTHING_LOST)
})

it('the bus reports a failed round, and does not send the next hints sooner', async () => {
  const network = createNetwork()
  const bus = await network.start('one')
  network.refuseWith(new Error('no connection'))
  bus.runChanged('run_1')
  await settle()
  expect(network.errors).toEqual([])
  network.refuseWith(null)
  bus.runChanged('run_2')
  await settle()
  expect(network.rounds).toEqual([])
  network.timers.advance(WAKE_MS)
  await settle()
  expect(network.errors).toEqual([new Error('no connection')])
  expect(network.rounds).toEqual([['["one",["run","run_2"]]']])
})

it('the bus sends nothing on the embedded database, which serves one process', async () => {
  const network = createNetwork('embedded')
  const bus = await network.start('one')
  const heard = collectHints(bus)
  bus.runChanged('run_1')
  await settle()
  await bus.close()
  expect([heard, network.rounds]).toEqual([['run_1'], []])
})

it('the bus sends pending hints when it is closed, and none afterwards', async () => {
  const network = createNetwork()
  const bus = await network.start('one')
  bus.runChanged('run_1')
  await settle()
  bus.runChanged('run_2')
  await bus.close()
  bus.runChanged('run_3')
  await settle()
  expect(network.rounds).toEqual([['["one",["run","run_1"]]'], ['["one",["run","run_2"]]']])
  expect([network.closed(), network.timers.pending]).toEqual([1, 0])
})
