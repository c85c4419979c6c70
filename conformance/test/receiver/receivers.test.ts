import { describe, expect, it } from 'vitest'
import { type NullReceiver, startNullReceiver } from '../../broken/receiver/null-receiver.ts'
import { loadChecks } from '../../src/checks/load-checks.ts'
import type { ReceiverConfig } from '../../src/kit/config/receiver-config.ts'
import { startReceiverSystem } from '../../src/kit/receiver/system.ts'
import { loadReceiver } from '../../src/run/load-receiver.ts'
import { runChecks } from '../../src/run/run-checks.ts'

const receiverChecks = await loadChecks('receiver')

const examine = async (config: ReceiverConfig) => {
  const system = await startReceiverSystem(config)
  try {
    const runs = await runChecks(receiverChecks, system)
    const of = (kind: string) => runs.filter(({ outcome }) => outcome.kind === kind)
    return {
      passed: of('passed').map(({ id }) => id),
      untestable: of('untestable').map(({ id }) => id),
      failed: of('failed').map(({ id, outcome }) => ({ id, ...outcome })),
      undecided: of('undecided').map(({ id, outcome }) => ({ id, ...outcome })),
    }
  } finally {
    await system.stop()
  }
}

const ALL = receiverChecks.map(({ id }) => id)

describe('the receiver target', () => {
  it.each([
    ['the SDK’s receiver kit', 'sdk'],
    ['the example in Python', 'python'],
  ])('finds nothing wrong with %s, which can be asked everything', async (_what, config) => {
    await expect(examine(await loadReceiver(config))).resolves.toEqual({
      passed: ALL,
      untestable: [],
      failed: [],
      undecided: [],
    })
  })

  it('examines a receiver without a driver as far as that goes', async () => {
    const { driver: _unused, ...config } = await loadReceiver('sdk')
    const { passed, untestable, failed } = await examine(config)
    expect(failed).toEqual([])
    expect(untestable).toEqual(receiverChecks.filter(({ needs = [] }) => needs.length > 0).map(({ id }) => id))
    expect(passed.length + untestable.length).toBe(ALL.length)
  })

  it('says what a driver returns that does not fit, instead of blaming the receiver', async () => {
    const config = await loadReceiver('sdk')
    const stored = async () => JSON.parse('{"times":1}')
    const { failed, undecided } = await examine({ ...config, driver: { ...config.driver, stored } })
    expect(failed).toEqual([])
    expect(undecided).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('driver.stored must return null or { body, … }') }),
    )
  })

  it.each<[string, NullReceiver]>([
    ['never answers', 'silent'],
    ['confirms everything', 'agreeing'],
    ['refuses everything', 'refusing'],
  ])('lets a receiver that %s pass nothing', async (_what, kind) => {
    const { driver, ...config } = await startNullReceiver(kind)
    // Without a driver too: a check that can ask for nothing stored must not believe what it is told.
    const bare = await examine({ ...config, stop: async () => {} })
    expect([...bare.passed, ...bare.undecided]).toEqual([])
    const driven = await examine({ ...config, ...(driver ? { driver } : {}) })
    expect([...driven.passed, ...driven.untestable, ...driven.undecided]).toEqual([])
  })
})
