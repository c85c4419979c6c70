import assert from 'node:assert/strict'
import type { Admission, Conversation, MessageInput, Snapshot } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

const BUDGET_BYTES = 1024 * 1024
/** How much the size of the same JSON may vary with white space and escapes (D-64). */
const SLACK_BYTES = 16 * 1024
/** The largest plausible budget: a snapshot of at least this size exceeds its budget. */
const LARGEST_BUDGET_BYTES = 16 * 1024 * 1024

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Input whose run succeeds with a text of this many characters. The script, and so the input, contains the text too.
 */
const withResult = (t: ServerContext, characters: number): MessageInput =>
  t.script({ succeed: { text: 'r'.repeat(characters) } })

/** Input with data of this many characters, whose run has a small result. */
const withData = (t: ServerContext, characters: number): MessageInput => {
  const input = t.script({ succeed: { text: 'small' } })
  return { ...input, data: { ...input.data, padding: 'd'.repeat(characters) } }
}

async function runInputs(t: ServerContext, conversation: Conversation, inputs: readonly MessageInput[]) {
  const admissions: Admission[] = []
  for (const input of inputs) {
    const admission = await t.admit(conversation, input)
    admissions.push(admission)
    await t.runEnded(admission.run_id)
  }
  return admissions
}

/** The snapshot without a budget, built from the history and the runs. */
async function unlimited(t: ServerContext, snapshot: Snapshot): Promise<Snapshot> {
  const runs = snapshot.runs.map(async (run) => ({ ...run, result: (await readRun(t, run.run_id)).result }))
  return { ...snapshot, messages: await readHistory(t, snapshot.conversation_id), runs: await Promise.all(runs) }
}

/**
 * Reads the snapshot. Fails unless it fits the budget and omits bodies in the right order.
 * @param admitted all runs, oldest first.
 */
async function expectFitted(
  t: ServerContext,
  conversationId: string,
  admitted: readonly Admission[],
): Promise<{ snapshot: Snapshot; full: Snapshot }> {
  const answer = expectStatus(await t.me.snapshot(conversationId), 200)
  const snapshot = answer.body
  assert.deepEqual(
    snapshot.runs.map(({ run_id }) => run_id),
    admitted.map(({ run_id }) => run_id),
    'the snapshot does not have all runs, oldest first',
  )
  const full = await unlimited(t, snapshot)
  const fullBytes = sizeOf(full)
  t.note(`the snapshot has ${answer.bytes.length} bytes; without a budget it would have ${fullBytes}`)
  assert.ok(answer.bytes.length <= BUDGET_BYTES, `the snapshot has ${answer.bytes.length} bytes, over its budget`)
  if (fullBytes <= BUDGET_BYTES - SLACK_BYTES) {
    assert.deepEqual(
      snapshot,
      full,
      `the snapshot omits bodies although it would have only ${fullBytes} bytes with them`,
    )
    return { snapshot, full }
  }
  const kept = snapshot.runs.findIndex(({ result }) => result !== null)
  const omitted = kept < 0 ? snapshot.runs.length : kept
  for (const [at, run] of snapshot.runs.entries()) {
    assert.equal(
      run.result_available,
      true,
      `result_available of run ${run.run_id} is ${run.result_available}, expected true`,
    )
    if (at < omitted) assert.equal(run.result, null, 'the snapshot has an older result but omits a newer one')
    else assert.deepEqual(run.result, full.runs[at]?.result, 'a result in the snapshot is neither complete nor null')
  }
  const missing = full.messages.length - snapshot.messages.length
  assert.deepEqual(
    snapshot.messages,
    full.messages.slice(missing),
    'the messages of the snapshot are not the newest ones, complete',
  )
  if (missing > 0) assert.equal(omitted, snapshot.runs.length, 'the snapshot omits a message although it has a result')

  const next = missing > 0 ? sizeOf(full.messages[missing - 1]) + 1 : sizeOf(full.runs[omitted - 1]?.result) - 4
  const spare = BUDGET_BYTES - sizeOf(snapshot)
  if (omitted + missing > 0)
    assert.ok(next > spare - SLACK_BYTES, `${next} bytes were left out although there is room for ${spare}`)
  return { snapshot, full }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'snapshots/stays-within-a-budget',
    title: 'the snapshot stays small with large bodies, and reports omitted results as available',
    rules: ['SNAP-08', 'SNAP-10', 'LIMIT-12'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const inputs = Array.from({ length: 5 }, () => withResult(t, 480_000))
      const admissions = await runInputs(t, conversation, inputs)
      const answer = expectStatus(await t.me.snapshot(conversation.conversation_id), 200)
      const { runs } = answer.body
      const isWhole = runs.length === admissions.length && runs.every(({ result }) => result !== null)
      // The specification does not define the size of the budget (D-14 decides it).
      if (isWhole && answer.bytes.length < LARGEST_BUDGET_BYTES)
        t.untestable(
          `a snapshot of ${answer.bytes.length} bytes is within its budget, which the specification does not define`,
        )
      assert.ok(!isWhole, `a snapshot has ${answer.bytes.length} bytes: it exceeds every plausible budget`)
      for (const { run_id: id, result, result_available: available, state } of runs) {
        assert.deepEqual([state, available], ['succeeded', true])
        const read = (await readRun(t, id)).result
        assert.equal(read?.text?.length, 480_000, 'the run does not have its complete result')
        if (result !== null) assert.deepEqual(result, read)
      }
    },
  },
  {
    id: 'snapshots/oldest-results-go-first',
    title: 'above 1 MiB the snapshot omits as many of the oldest results as necessary and keeps every message',
    rules: ['SNAP-17', 'SNAP-18', 'SNAP-19'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const admitted = await runInputs(t, conversation, [withData(t, 10), withResult(t, 20_000)])
      let omitted = 0
      for (const characters of [100_000, 60_000, 130_000, 40_000, 25_000, 80_000]) {
        admitted.push(...(await runInputs(t, conversation, [withResult(t, characters)])))
        const { snapshot, full } = await expectFitted(t, id, admitted)
        assert.equal(snapshot.messages.length, full.messages.length, 'a message was left out before the results')
        const now = snapshot.runs.filter(({ result }) => result === null).length
        assert.ok(now >= omitted)
        omitted = now
      }
      assert.ok(omitted > 0, 'no result was left out at more than 1 MiB')
    },
  },
  {
    id: 'snapshots/oldest-messages-go-next',
    title:
      'if omitting every result is not enough, the snapshot also omits as many of the oldest messages as necessary',
    rules: ['SNAP-17', 'SNAP-18', 'SNAP-20'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const admitted: Admission[] = []
      for (const characters of [300_000, 200_000, 400_000, 250_000, 500_000]) {
        admitted.push(...(await runInputs(t, conversation, [withData(t, characters)])))
        await expectFitted(t, id, admitted)
      }
      const { snapshot, full } = await expectFitted(t, id, admitted)
      assert.ok(snapshot.messages.length < full.messages.length, 'no message was left out')
      admitted.push(...(await runInputs(t, conversation, [withData(t, 1_048_000)])))
      await expectFitted(t, id, admitted)
    },
  },
]
