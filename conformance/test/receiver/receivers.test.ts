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
  ])('passes all checks of %s, which has a complete driver', async (_what, config) => {
    await expect(examine(await loadReceiver(config))).resolves.toEqual({
      passed: ALL,
      untestable: [],
      failed: [],
      undecided: [],
    })
  })

  it('runs the checks that need no driver for a receiver without one', async () => {
    const { driver: _unused, ...config } = await loadReceiver('sdk')
    const { passed, untestable, failed } = await examine(config)
    expect(failed).toEqual([])
    expect(untestable).toEqual(receiverChecks.filter(({ needs = [] }) => needs.length > 0).map(({ id }) => id))
    expect(passed.length + untestable.length).toBe(ALL.length)
  })

  it('reports an invalid result of a driver as a fault of the driver', async () => {
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
  ])('passes no check of a receiver that %s', async (_what, kind) => {
    const { driver, ...config } = await startNullReceiver(kind)
    // Without a driver, a check cannot read the stored events, and must not trust the answers alone.
    const bare = await examine({ ...config, stop: async () => {} })
    expect([...bare.passed, ...bare.undecided]).toEqual([])
    const driven = await examine({ ...config, ...(driver ? { driver } : {}) })
    expect([...driven.passed, ...driven.untestable, ...driven.undecided]).toEqual([])
  })
})
