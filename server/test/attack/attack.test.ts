import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { attackWithRuns } from '../../attack/crowding-rows.ts'
import { type Effort, QUICK } from '../../attack/effort.ts'
import { HOSTILE_BODIES } from '../../attack/hostile-bodies.ts'
import { attackWithBodies } from '../../attack/hostile-body-rows.ts'
import { GIVE_UP_MS } from '../../attack/other-tenant.ts'
import { measureRequestCost } from '../../attack/request-cost-rows.ts'
import { type Scene, startScene } from '../../attack/scene.ts'

/** A short version of `npm run attack`. It checks the answers, and that the runs of others end, but no latencies. */
const EFFORT: Effort = { ...QUICK, measureMs: 50, runs: 3, bodies: 60 }

const silent = (): void => {}

describe('a gateway under attack', () => {
  let embedded: Scene
  let postgres: Scene
  beforeAll(async () => {
    embedded = await startScene({ kind: 'embedded' })
    postgres = await startScene({ kind: 'postgres', serverUrl: inject('databases').postgresUrl })
  })
  afterAll(() => Promise.all([embedded, postgres].map((scene) => scene.close())))

  test('accepts or refuses each hostile body, and answers none with a 5xx status [REQ-17]', async () => {
    const { bodies } = await attackWithBodies(embedded, EFFORT, silent)
    expect(bodies.map(({ name }) => name)).toEqual(HOSTILE_BODIES.map(({ name }) => name))
    for (const { name, answersByStatus } of bodies)
      for (const status of Object.keys(answersByStatus)) expect(Number(status), name).toBeLessThan(500)
  })

  test('accepts or refuses random bodies, and answers none with a 5xx status [REQ-17]', async () => {
    const { answersByStatus } = await measureRequestCost(embedded, EFFORT, silent)
    expect(Object.values(answersByStatus).reduce((sum, count) => sum + count, 0)).toBe(EFFORT.bodies)
    for (const status of Object.keys(answersByStatus)) expect(Number(status)).toBeLessThan(500)
  })

  test('executes the runs of another application despite hanging runs and a flood of runs [DEV-19, DEV-20]', async () => {
    const rows = await attackWithRuns(postgres, EFFORT, silent)
    expect(rows).toHaveLength(4)
    for (const { name, ratio } of rows) expect(ratio, name).toBeLessThan(GIVE_UP_MS)
  })
})
