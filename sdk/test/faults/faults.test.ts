import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFaultMatrix, type FaultMatrix } from './matrix.ts'
import { READERS, runCancels } from './run-cancels.ts'
import { runExpiry } from './run-expiry.ts'
import { runOtherWrites } from './run-other-writes.ts'
import { DEATHS, runOutboxCrash } from './run-outbox-crash.ts'
import { runOutboxSteps } from './run-outbox-steps.ts'
import { runRecovery } from './run-recoveries.ts'
import { runRestart } from './run-restarts.ts'
import { runCreations, runReplay, runSends } from './run-sends.ts'
import { createFinishedConversation, type FinishedConversation, runStreams } from './run-streams.ts'
import { runWatch } from './run-watches.ts'
import { SEND_CASES } from './send-cases.ts'
import { STREAM_CASES } from './stream-cases.ts'
import { sweepAnswer, sweepStreamCuts, sweepStreamSplits } from './sweeps.ts'
import { openWorld, type World } from './world.ts'

let world: World
let finished: FinishedConversation

/** Enough for thousands of connections, or a restart, on a shared machine. */
const LONG = { timeout: 300_000 }

beforeAll(async () => {
  world = await openWorld()
  finished = await createFinishedConversation(world, 1)
})
beforeEach(() => world.proxy.clearFaults())
afterAll(() => world.close())

/** The number of cases that were tried. Fails if one of them lost or doubled an admission or an event. */
const casesOf = async (tryCases: (matrix: FaultMatrix) => Promise<unknown>): Promise<number> => {
  const matrix = createFaultMatrix()
  await tryCases(matrix)
  const { cases, ...faults } = matrix.total()
  expect(faults).toEqual({ admissionsLost: 0, admissionsDoubled: 0, eventsLost: 0, eventsDoubled: 0 })
  return cases
}

describe('a write is admitted exactly once under', () => {
  it.each(SEND_CASES)('$fault', async (sendCase) => {
    const cases = await casesOf(async (matrix) => {
      await runSends(world, matrix, sendCase, 2)
      await runCreations(world, matrix, sendCase, 1)
    })
    expect(cases).toBe(3)
  })
})

/** Every eighth case. `npm run faults` tries all of them. */
const some = <Case extends { readonly fault: string }>(cases: readonly Case[]): readonly Case[] =>
  cases.filter((_, index) => index % 8 === 1)

describe('a direct run, a cancel, a reset and an upload happen exactly once under', () => {
  it.each(some(SEND_CASES))('$fault', async (sendCase) => {
    expect(await casesOf((matrix) => runOtherWrites(world, matrix, sendCase))).toBe(5)
  })
})

describe('an entry left in an outbox is finished exactly once under', () => {
  it.each(some(SEND_CASES))('$fault', async (sendCase) => {
    expect(await casesOf((matrix) => runRecovery(world, matrix, sendCase, 3))).toBe(3)
  })
})

describe('a watch shows every message exactly once under', () => {
  it.each(some(STREAM_CASES))('$fault', async (streamCase) => {
    const watched = await createFinishedConversation(world, 1)
    expect(await casesOf((matrix) => runWatch(world, matrix, streamCase, watched))).toBe(1)
  })
})

describe('a stream shows every event exactly once under', () => {
  it.each(STREAM_CASES)('$fault', async (streamCase) => {
    expect(await casesOf((matrix) => runStreams(world, matrix, streamCase, finished))).toBe(2)
  })
})

describe('a reader that is cancelled at any step leaves no connection', () => {
  it.each(Object.keys(READERS))('%s', async (name) => {
    expect(await casesOf((matrix) => runCancels(world, matrix, name, finished))).toBe(8)
  })
})

describe('sweeps over a recording', () => {
  /** The first events, up to this number, that contain multi-byte characters. */
  const excerpt = (events: number): FinishedConversation => ({
    ...finished,
    log: finished.log
      .filter((event) => JSON.stringify(event).includes('漢') || JSON.stringify(event).includes('𝄞'))
      .slice(0, events),
  })

  it('an answer that is cut at any byte leads to one repeat with the same key and body', LONG, async () => {
    expect(await casesOf((matrix) => sweepAnswer(world, matrix, 'in-turn'))).toBeGreaterThan(300)
  })

  it('a stream that is cut at any byte shows every event once', LONG, async () => {
    expect(await casesOf((matrix) => sweepStreamCuts(world, matrix, excerpt(2), 'in-turn'))).toBeGreaterThan(600)
  })

  it('a stream that is split at any byte, even within characters and CRLF, shows every event once', LONG, async () => {
    expect(await casesOf((matrix) => sweepStreamSplits(world, matrix, excerpt(1)))).toBeGreaterThan(600)
  })
})

describe('unfinished work of a gateway or a sender', () => {
  it('a message that the client gave up on is finished from its handle, and sent exactly once', async () => {
    expect(await casesOf((matrix) => runReplay(world, matrix))).toBe(1)
  })

  it('a stream whose position has expired ends with 410 and resumes from the snapshot', async () => {
    expect(await casesOf((matrix) => runExpiry(world, matrix))).toBe(2)
  })

  it.each(DEATHS)('a message whose sender was killed %s is sent exactly once', async (death) => {
    expect(await casesOf((matrix) => runOutboxCrash(world, matrix, death))).toBe(1)
  })

  it(
    'a message whose sender is killed at various steps is sent at most once, and its outcome is reported',
    LONG,
    async () => {
      expect(await casesOf((matrix) => runOutboxSteps(world, matrix, 12))).toBe(13)
    },
  )

  it('a gateway that is killed and restarted has every message and event once', LONG, async () => {
    expect(await casesOf((matrix) => runRestart(world, matrix, 3))).toBe(13)
  })
})
