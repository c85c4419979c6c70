import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { cancelRun, contentOf, readRun, runToEnd } from '../../../kit/steps/runs.ts'
import { readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'

const OF_THE_RECORD = [
  'owner_id',
  'app_id',
  'subject',
  'endpoint_id',
  'binding_version',
  'business_key',
  'state',
  'created_at',
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'snapshots/top-level',
    title: 'the snapshot has its five members and is not the conversation record, even for an empty conversation',
    rules: ['SNAP-01', 'SNAP-02'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation({ conversation_key: t.fresh('order') })
      const { run_id: runId } = await t.admit(await t.conversation(), { text: 'elsewhere' })
      const empty = await readSnapshot(t, id)
      assert.equal(empty.conversation_id, id)
      assert.deepEqual([empty.generation, empty.messages, empty.runs], [1, [], []])
      assert.ok(
        Number.isInteger(empty.watermark) && empty.watermark >= 0,
        `watermark is ${empty.watermark}, expected a non-negative integer`,
      )
      assert.ok(
        !OF_THE_RECORD.every((name) => name in empty),
        'the snapshot has all members of the conversation record',
      )
      await t.runEnded(runId)
      const sent = expectStatus(await t.me.send(id, { text: 'hello' }), 202).body
      await t.runEnded(sent.run_id)
      const { messages, runs } = await readSnapshot(t, id)
      assert.deepEqual(
        runs.map(({ run_id }) => run_id),
        [sent.run_id],
      )
      assert.ok(JSON.stringify(messages).includes('hello'), 'the snapshot lacks the submitted message')
    },
  },
  {
    id: 'snapshots/nobody-elses',
    title: 'the snapshot of a conversation is 404 for another subject, another application and an unknown ID',
    rules: ['SNAP-01'],
    tags: ['security'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const caller of [t.caller({ subject: t.otherSubject() }), t.caller({ app: 'second' })])
        expectStatus(await caller.snapshot(id), 404)
      expectStatus(await t.me.snapshot(`conv_${t.fresh()}`), 404)
      await readSnapshot(t, id)
    },
  },
  {
    id: 'snapshots/current-generation',
    title: 'the snapshot has the current generation, and each of its runs has the generation of its admission',
    rules: ['SNAP-03', 'SNAP-09'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const generations = new Map<string, number>()
      for (const generation of [1, 2, 3]) {
        assert.equal((await readSnapshot(t, id)).generation, generation)
        const { run_id: runId } = await t.admit({ ...conversation, generation }, { text: 'work' })
        generations.set(runId, generation)
        await t.runEnded(runId)
        await completeReset(t, id, generation)
      }
      const { generation, runs } = await readSnapshot(t, id)
      assert.equal(generation, 4)
      for (const run of runs)
        assert.equal(
          run.generation,
          generations.get(run.run_id),
          `run ${run.run_id} has the generation ${run.generation}, admitted in ${generations.get(run.run_id)}`,
        )
    },
  },
  {
    id: 'snapshots/runs-in-each-state',
    title: 'each run of the snapshot has its state, whether its device has received it, and whether it has a result',
    rules: ['SNAP-09'],
    run: async (t) => {
      const conversation = await t.conversation()
      const succeeded = await runToEnd(t, conversation, t.script({ succeed: { text: 'the result' } }))
      const failing = t.script({ delta: 'part' }, { fail: { code: 'BROKEN', message: 'It is broken.' } })
      const failed = await runToEnd(t, conversation, failing)
      const running = await t.admit(conversation, t.script({ hang: true }))
      await t.runIn(running.run_id, ['running'])
      const queued = await t.admit(conversation, { text: 'later' })
      const withdrawn = await t.admit(conversation, { text: 'never' })
      await cancelRun(t, withdrawn.run_id)

      const before = await readRun(t, queued.run_id)
      const { runs } = await readSnapshot(t, conversation.conversation_id)
      const shown = new Map(runs.map((run) => [run.run_id, run]))
      const expected = [
        [succeeded, 'succeeded', true, true],
        // In `core` it is open whether a failed run has a result (D-16) and when a device has received a run (D-17).
        [failed, 'failed', true, t.profile === 'core' ? null : true],
        // In `core` it is also open what the snapshot shows of an unfinished run.
        [running, 'running', true, t.profile === 'core' ? null : false],
        [queued, 'queued', false, false],
        [withdrawn, 'cancelled', false, null],
      ] as const
      assert.equal(runs.length, expected.length)
      for (const [{ run_id: runId }, state, received, available] of expected) {
        const run = shown.get(runId)
        const record = await readRun(t, runId)
        assert.ok(run !== undefined, `the snapshot lacks the run ${runId}, which is ${state}`)
        assert.equal(run.state, state, `the snapshot shows run ${runId} as ${run.state}, expected ${state}`)
        if (t.profile === 'reference')
          assert.equal(run.device_received, received, `device_received of a ${state} run is ${run.device_received}`)
        // A device may receive the queued run between two requests, and the running run may produce more output.
        if (state !== 'queued' || record.delivery_state === before.delivery_state)
          assert.equal(
            run.device_received,
            record.delivery_state === 'device_received',
            `device_received is ${run.device_received}, but delivery_state of the run is ${record.delivery_state}`,
          )
        if (state !== 'running' || t.profile === 'reference') {
          assert.deepEqual(
            contentOf(run.result),
            contentOf(record.result),
            `the snapshot and the record of a ${state} run have different results`,
          )
          assert.equal(
            run.result_available,
            record.result !== null,
            `result_available of a ${state} run is ${run.result_available}, and its result ${JSON.stringify(record.result)}`,
          )
        }
        if (available !== null)
          assert.equal(
            run.result_available,
            available,
            `result_available of a ${state} run is ${run.result_available}, expected ${available}`,
          )
      }
      assert.equal(shown.get(succeeded.run_id)?.result?.text, 'the result')
    },
  },
  {
    id: 'snapshots/unfinished-messages-are-partial',
    title: 'an unfinished assistant message in the snapshot has content.partial true, and a finished one does not',
    rules: ['SNAP-12'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'one ' }, { delta: 'two' }, { approval: 'go on?' })
      await t.runIn(admission.run_id, ['waiting_approval'])
      const shown = async () =>
        (await readSnapshot(t, conversation.conversation_id)).messages.filter(({ role }) => role === 'assistant')
      for (const { content } of await shown())
        assert.equal(
          content.partial,
          true,
          `an unfinished message has content.partial ${content.partial}, expected true`,
        )
      const done = await t.start({ delta: 'one ' }, { delta: 'two' })
      await t.runEnded(done.admission.run_id)
      // The specification does not define the other members of these messages.
      for (const message of (await readSnapshot(t, done.conversation.conversation_id)).messages)
        assert.notEqual(
          Object(Object(message).content).partial,
          true,
          'a message of an ended run has content.partial true',
        )
    },
  },
  {
    id: 'snapshots/messages-are-records',
    title: 'the messages of the snapshot are the records of the history, oldest first, of all generations',
    rules: ['SNAP-14'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      for (const input of [{ text: 'one' }, t.script({ message: 'two' }, { delta: 'three' }), { data: { four: [4] } }])
        await runToEnd(t, conversation, input)
      await completeReset(t, id, 1)
      const last = await t.admit({ ...conversation, generation: 2 }, t.script({ delta: 'five' }, { hang: true }))
      await t.until(
        'the unfinished message is in the history',
        () => readHistory(t, id),
        (messages) => messages.some(({ run_id, role }) => run_id === last.run_id && role === 'assistant'),
      )
      assert.deepEqual((await readSnapshot(t, id)).messages, await readHistory(t, id))
    },
  },
  {
    id: 'snapshots/runs-oldest-first',
    title: 'the runs of the snapshot are in order of admission, across states and generations',
    rules: ['SNAP-15'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const first = await runToEnd(t, conversation, { text: 'one' })
      await completeReset(t, id, 1)
      const now = { ...conversation, generation: 2 }
      const running = await t.admit(now, t.script({ hang: true }))
      const others = [
        await t.admit(now, { text: 'a' }),
        await t.admit(now, { text: 'b' }),
        await t.admit(now, { text: 'c' }),
      ]
      expectStatus(await t.me.cancel(others[1]?.run_id ?? ''), 202)
      await t.runEnded(others[1]?.run_id ?? '')
      const admitted = [first, running, ...others].map(({ run_id: runId }) => runId)
      const { runs } = await readSnapshot(t, id)
      assert.deepEqual(
        runs.map(({ run_id: runId }) => runId),
        admitted,
      )
    },
  },
]
