import { expect, test } from 'vitest'
import { pruneEvents } from '../../src/gateway/admin/prune-events.ts'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import { readConversation, readMessages } from '../../src/gateway/read-records.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { readLogBounds } from '../../src/store/history/log-bounds.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf, startRun } from './support.ts'

const DAY_SECONDS = 86_400

/** A conversation with a run that has streamed two deltas: seq 1 queued, 2 started, 3 and 4 deltas. */
const setUp = async (database: TestDatabase) => {
  const clock = createTestClock()
  const context = testContext(database.db, clock)
  const { tenant, run } = await startRun(context)
  const stream = (...pieces: [index: number, text: string][]) =>
    appendToReply(
      context,
      { ...run, messageId: `msg_of_${run.runId}` },
      pieces.map(([index, text]) => ({ place: index, index, text })),
    )
  await stream([0, 'Hello '], [1, 'there, '])
  return { clock, context, tenant, run, stream }
}
type Fixture = Awaited<ReturnType<typeof setUp>>

/** The sequence numbers of the stored events, including events that are no longer served. */
const rowsOf = async ({ context, run }: Fixture) => {
  const events = await readEvents(context.db, { ...run, runId: null }, 0, { events: 5000, payloadBytes: 1e9 })
  return events.map(({ seq }) => seq)
}
const prunedSeqOf = async ({ context, run }: Fixture) =>
  (await readLogBounds(context.db, run.appId, run.conversationId)).prunedSeq

const prune = async ({ context, run }: Fixture, upToSeq: number) => {
  const body = { app_id: run.appId, conversation_id: run.conversationId, up_to_seq: upToSeq }
  return answerOf(await pruneEvents(context, body)).pruned
}
const sweepAll = async (context: Fixture['context'], sweeps = createSweeps(context)) => {
  for (const sweep of sweeps) await sweep.run(new AbortController().signal)
}
const assistantTextOf = async ({ context, tenant, run }: Fixture) =>
  answerOf(await readMessages(context, tenant, run.conversationId, { limit: 50 })).messages.at(-1)?.content

eachDatabase('pruning events', (database) => {
  test('stops at the newest event', async () => {
    const fixture = await setUp(database)
    expect(await prune(fixture, 1_000_000)).toBe(4)
    expect(await prunedSeqOf(fixture)).toBe(4)
    await fixture.stream([2, 'friend'])
    expect((await rowsOf(fixture)).at(-1)).toBe(5)
    expect(await prunedSeqOf(fixture)).toBe(4)
  })

  test('keeps the text of a message while it is streamed and afterwards', async () => {
    const fixture = await setUp(database)
    expect(await prune(fixture, 4)).toBe(4)
    expect(await rowsOf(fixture)).toEqual([3, 4])
    expect(await assistantTextOf(fixture)).toEqual({ text: 'Hello there, ', partial: true })
    await fixture.stream([2, 'friend'])
    const { messages } = answerOf(await readConversation(fixture.context, fixture.tenant, fixture.run.conversationId))
    expect(messages.at(-1)?.content).toEqual({ text: 'Hello there, friend', partial: true })
    await reportOutcome(fixture.context, fixture.run, { state: 'succeeded' })
    expect(await assistantTextOf(fixture)).toEqual({ text: 'Hello there, friend', partial: false })
  })

  test('removes the events of streamed text once the run has ended', async () => {
    const fixture = await setUp(database)
    const sweeps = createSweeps(fixture.context)
    await prune(fixture, 4)
    await sweepAll(fixture.context, sweeps)
    expect(await rowsOf(fixture)).toEqual([3, 4])
    await reportOutcome(fixture.context, fixture.run, { state: 'succeeded' })
    await sweepAll(fixture.context, sweeps)
    expect(await rowsOf(fixture)).toEqual([5, 6])
    expect(await assistantTextOf(fixture)).toEqual({ text: 'Hello there, ', partial: false })
  })

  test('removes all events up to the position, even if this takes several steps', async () => {
    const fixture = await setUp(database)
    await fixture.stream(...Array.from({ length: 1200 }, (_, n): [number, string] => [n + 2, 'x']))
    await reportOutcome(fixture.context, fixture.run, { state: 'succeeded' })
    expect(await prune(fixture, 1204)).toBe(1204)
    expect(await rowsOf(fixture)).toEqual([1205, 1206])
  })

  test('of an unknown conversation, or of another application, is NOT_FOUND', async () => {
    const fixture = await setUp(database)
    const other = await setUp(database)
    const body = { app_id: other.run.appId, conversation_id: fixture.run.conversationId, up_to_seq: 4 }
    expect(codeOf(await pruneEvents(fixture.context, body))).toBe('NOT_FOUND')
    expect(await prunedSeqOf(fixture)).toBe(0)
  })
})

eachDatabase('pruning events by age', (database) => {
  test('accepts an age beyond the range of dates', async () => {
    const { context } = await setUp(database)
    const pruned = await pruneEvents(context, { older_than_seconds: Number.MAX_SAFE_INTEGER })
    expect(answerOf(pruned)).toEqual({ pruned: 0 })
  })
})

onPostgres('pruning while others read and write', (database) => {
  test('a reader that checks the pruned position after reading detects every missing event', async () => {
    const fixture = await setUp(database)
    const other = { ...fixture, context: { ...fixture.context, db: database.openAnother() } }
    let writing = true
    const write = async () => {
      for (let index = 2; index < 200; index += 1) await fixture.stream([index, 'x'])
      await reportOutcome(fixture.context, fixture.run, { state: 'succeeded' })
      writing = false
    }
    const pruneRepeatedly = async () => {
      while (writing)
        await prune(
          other,
          (await readLogBounds(other.context.db, other.run.appId, other.run.conversationId)).lastSeq - 3,
        )
    }
    let silentGaps = 0
    let reads = 0
    const read = async () => {
      let position = 0
      while (writing) {
        const page = await readEvents(fixture.context.db, { ...fixture.run, runId: null }, position, {
          events: 10,
          payloadBytes: 1e6,
        })
        const known = (await prunedSeqOf(fixture)) > position
        const first = page[0]?.seq
        if (first !== undefined && first !== position + 1 && !known) silentGaps += 1
        position = known ? await prunedSeqOf(fixture) : (page.at(-1)?.seq ?? position)
        reads += 1
      }
    }
    await Promise.all([write(), pruneRepeatedly(), read()])
    expect(silentGaps).toBe(0)
    expect(reads).toBeGreaterThan(0)
    expect(await assistantTextOf(fixture)).toEqual({ text: `Hello there, ${'x'.repeat(198)}`, partial: false })
  })

  test('two processes that prune at the same time count each event once', async () => {
    // Prune the events that the first test of this block left, so that they are not counted below.
    const earlier = await setUp(database)
    earlier.clock.pass(DAY_SECONDS * 1000 + 1000)
    await pruneEvents(earlier.context, { older_than_seconds: DAY_SECONDS })
    const fixtures = [await setUp(database), await setUp(database), await setUp(database)]
    for (const { context, run } of fixtures) await reportOutcome(context, run, { state: 'succeeded' })
    const [first] = fixtures
    if (first === undefined) throw new Error('there are three')
    first.clock.pass(DAY_SECONDS * 1000 + 1000)
    const contexts = [first.context, { ...first.context, db: database.openAnother() }]
    const outcomes = await Promise.all(
      contexts.map((context) => pruneEvents(context, { older_than_seconds: DAY_SECONDS })),
    )
    const leftOver = answerOf(await pruneEvents(first.context, { older_than_seconds: DAY_SECONDS })).pruned
    const pruned = outcomes.reduce((sum, outcome) => sum + answerOf(outcome).pruned, 0)
    expect(pruned + leftOver).toBe(18)
    for (const fixture of fixtures) {
      expect(await rowsOf(fixture)).toEqual([])
      expect(await prunedSeqOf(fixture)).toBe(6)
    }
  })
})
