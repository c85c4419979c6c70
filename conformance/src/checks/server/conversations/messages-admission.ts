import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { expectOperationEnd } from '../../../kit/steps/operation-paths.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** Waits until the watermark no longer changes, and returns it. */
async function untilStable(t: ServerContext, read: () => Promise<number>): Promise<number> {
  let last = await read()
  const { now } = await t.until(
    'the watermark no longer changes',
    async () => {
      await t.quiet()
      const now = await read()
      const isQuiet = now === last
      last = now
      return { now, isQuiet }
    },
    ({ isQuiet }) => isQuiet,
  )
  return now
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/admission-answer',
    title:
      'a message is answered with 202 and its admission: own IDs, the generation, the state queued, an event cursor',
    rules: ['MSG-01', 'MSG-26', 'MSG-27'],
    run: async (t) => {
      const conversation = await t.conversation()
      const otherConversation = await t.conversation()
      const seen = new Set<string>()
      for (const input of [t.script({ hang: true }), { text: 'waits behind it' }, { data: { waits: 'too' } }]) {
        const { body } = expectStatus(await t.me.send(conversation.conversation_id, input), 202)
        assert.equal(body.conversation_id, conversation.conversation_id)
        assert.equal(body.generation, 1)
        assert.equal(
          body.state,
          'queued',
          'the state of an admission must be queued, whatever the current state of the run',
        )
        assert.ok(Number.isInteger(body.event_cursor), `event_cursor is not an integer: ${body.event_cursor}`)
        for (const id of [body.message_id, body.run_id]) {
          assert.ok(!seen.has(id), `${id} was given twice`)
          seen.add(id)
        }
        const run = await readRun(t, body.run_id)
        assert.equal(run.message_id, body.message_id, 'the admission names another message than its run')
        assert.equal(run.conversation_id, conversation.conversation_id)
      }
      const snapshot = await readSnapshot(t, otherConversation.conversation_id)
      assert.deepEqual(snapshot.runs, [], 'the run was added to another conversation')
    },
  },
  {
    id: 'messages/admission-of-a-later-generation',
    title: 'a message to a conversation that was reset is admitted to the new generation',
    rules: ['MSG-01', 'MSG-05', 'MSG-26'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const generation of [1, 2]) await completeReset(t, id, generation)
      const { body } = expectStatus(await t.me.send(id, t.script({ succeed: {} }), { generation: 3 }), 202)
      assert.equal(body.generation, 3)
      assert.equal((await t.runEnded(body.run_id)).generation, 3)
    },
  },
  {
    id: 'messages/event-cursor',
    title:
      'event_cursor is the event sequence at admission: the run starts at a greater seq, which a stream from it shows',
    rules: ['MSG-28'],
    streams: 2,
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const watermark = async () => (await readSnapshot(t, id)).watermark
      const first = await t.admit(conversation, t.script({ delta: 'one ' }, { delta: 'two' }, { hang: true }))
      const stream = await t.me.events(id, { after: first.event_cursor })
      const isStart = (runId: string) => (event: { run_id: string | null; type: string }) =>
        event.run_id === runId && event.type === 'run.started'
      const started = await stream.event('start of the first run', isStart(first.run_id))
      assert.ok(started.seq > first.event_cursor, 'the run started before the sequence of its own admission')
      await stream.event('output of the first run', ({ type }) => type.startsWith('assistant.'))

      // From here on only the admissions themselves change the sequence.
      for (let count = 0; count < 3; count += 1) {
        const before = await untilStable(t, watermark)
        const { event_cursor: cursor } = await t.admit(conversation, t.script({ succeed: { text: 'later' } }))
        const after = await watermark()
        assert.ok(
          cursor >= before && cursor <= after,
          `event_cursor is ${cursor}; the watermark was ${before} before the admission and ${after} afterwards`,
        )
      }
      const last = await t.admit(conversation, t.script({ succeed: { text: 'last' } }))
      const resumed = await t.me.events(id, { after: last.event_cursor })
      await t.me.cancel(first.run_id)
      const { seq } = await resumed.event('start of the last run', isStart(last.run_id))
      assert.ok(seq > last.event_cursor)
    },
  },
  {
    id: 'messages/stale-generation',
    title:
      'a message with a generation other than the current one is refused with 409 GENERATION_CONFLICT and stores nothing',
    rules: ['MSG-05', 'MSG-20'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const refuse = async (generation: number) => {
        expectRefusal(await t.me.send(id, { text: 'x' }, { generation }), 409, 'GENERATION_CONFLICT')
        assert.deepEqual(
          (await readSnapshot(t, id)).runs,
          [],
          `a message with generation ${generation} was refused but stored`,
        )
      }
      for (const generation of [2, 3, 1_000_000]) await refuse(generation)
      await t.operationEnded((await t.me.reset(id, 1)).body.operation_id)
      for (const generation of [1, 3]) await refuse(generation)
      expectStatus(await t.me.send(id, t.script({ succeed: {} }), { generation: 2 }), 202)
      expectRefusal(await t.me.send(id, { text: 'x' }, { generation: 1 }), 409, 'GENERATION_CONFLICT')
    },
  },
  {
    id: 'messages/busy-while-resetting',
    title: 'a message to a conversation that is resetting is refused with 409 BUSY and stores nothing',
    rules: ['MSG-21'],
    run: async (t) => {
      const { id, runId, operationId, answers } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation, admission } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
        const { conversation_id: id } = conversation
        const { body: control } = await t.me.reset(id, 1, 'cancel_and_reset')
        const answers = await Promise.all([1, 2, 3].map(() => t.me.send(id, { text: 'x' })))
        const over = (await readSnapshot(t, id)).generation !== 1
        return { id, runId: admission.run_id, operationId: control.operation_id, answers, over }
      })
      for (const answer of answers) expectRefusal(answer, 409, 'BUSY')
      await expectOperationEnd(t, operationId, 'succeeded')
      const after = await readSnapshot(t, id)
      // The specification does not define whether a snapshot shows the previous generation.
      assert.ok(
        after.runs.every(({ run_id }) => run_id === runId),
        'a message that was refused left a run',
      )
      expectStatus(await t.me.send(id, t.script({ succeed: {} }), { generation: 2 }), 202)
    },
  },
]
