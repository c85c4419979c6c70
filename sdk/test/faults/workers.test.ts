import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFaultMatrix } from './matrix.ts'
import { runWorkers, sweepWorkers } from './run-workers.ts'
import { SEND_CASES } from './send-cases.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() => world.proxy.clearFaults())
afterAll(() => world.close())

const LONG = { timeout: 300_000 }
const NONE = { admissionsLost: 0, admissionsDoubled: 0, eventsLost: 0, eventsDoubled: 0 }

/** Only `npm run faults` tries half-open faults: a worker waits half a minute for an answer that never arrives. */
const QUICK = SEND_CASES.filter(({ fault }) => !fault.startsWith('half-open'))

describe('a run of a worker is executed once, and each piece arrives once, when', () => {
  it('an answer to the worker is cut at every 61st byte', LONG, async () => {
    const matrix = createFaultMatrix()
    await sweepWorkers(world, matrix, 61)
    expect(matrix.total()).toMatchObject(NONE)
    expect(matrix.total().cases).toBeGreaterThan(20)
  })

  it.each(QUICK.filter((_, index) => index % 4 === 1))(
    'its requests have the fault: $fault',
    LONG,
    async (sendCase) => {
      const matrix = createFaultMatrix()
      await runWorkers(world, matrix, sendCase)
      expect(matrix.total()).toMatchObject(NONE)
      expect(matrix.total().cases).toBeGreaterThan(0)
    },
  )
})
