import assert from 'node:assert/strict'
import type { MessageInput } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { admitExpiring } from '../../../kit/steps/expiring-runs.ts'
import { completeWorkElsewhere, expectRunEnd, expectRunState, readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const inMs = (t: ServerContext, milliseconds: number): string => new Date(t.now() + milliseconds).toISOString()

/** The two routes that create a run in the conversation: sending a message and creating a direct run. */
const routesInto = (t: ServerContext, conversationId: string, key: string) => {
  const runs = async () => (await readSnapshot(t, conversationId)).runs.map(({ run_id }) => run_id)
  /** Sends the request. Returns its answer, with the ID of the new run, which the snapshot shows, as its body. */
  const newRun = async (post: () => Promise<Answer>): Promise<Answer<string>> => {
    const before = new Set(await runs())
    const answer = await post()
    return { ...answer, body: (await runs()).find((runId) => !before.has(runId)) ?? '' }
  }
  return {
    'a message': (input: MessageInput, startBefore: string) =>
      newRun(() => t.me.send(conversationId, input, { startBefore })),
    'a direct run': (input: MessageInput, startBefore: string) =>
      newRun(() => t.me.createRun(t.config.services.main, { conversation_key: key, input, start_before: startBefore })),
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/late-run-never-starts',
    title: 'a queued run that has not started by its start_before never starts; it ends as expired, without success',
    rules: ['RUN-24', 'RUN-31'],
    streams: 1,
    run: async (t) => {
      const key = t.fresh('late')
      const conversation = await t.conversation({ conversation_key: key })
      const { conversation_id: id } = conversation
      const { run_id: hanging } = await t.admit(conversation, t.script({ hang: true }))
      const input = t.script({ succeed: { text: 'too late' } })
      const late: { body: string; startBefore: string }[] = []
      for (const post of Object.values(routesInto(t, id, key)))
        late.push(await admitExpiring(t, (startBefore) => post(input, startBefore)))
      const inTime = expectStatus(
        await t.me.send(id, t.script({ succeed: {} }), { startBefore: inMs(t, 280_000) }),
        202,
      )
      for (const { body: runId, startBefore } of late) {
        const { updated_at: updatedAt } = await t.runIn(runId, ['expired'])
        assert.ok(updatedAt >= startBefore, `a run expired at ${updatedAt}, before its start_before ${startBefore}`)
      }
      await expectRunState(t, inTime.body.run_id, 'queued', 'a run expired before its start_before')
      await t.me.cancel(hanging)
      await expectRunEnd(t, inTime.body.run_id, 'succeeded')
      const stream = await t.me.events(id, { after: 0 })
      await stream.event(
        'the end of the run with the later start_before',
        ({ type, run_id }) => type === 'run.completed' && run_id === inTime.body.run_id,
      )
      for (const { body: runId } of late) {
        await expectRunState(t, runId, 'expired')
        const types = stream.events.filter(({ run_id }) => run_id === runId).map(({ type }) => type)
        for (const type of ['run.started', 'run.completed', 'assistant.message'] as const)
          assert.ok(!types.includes(type), `the expired run ${runId} has the event ${type}`)
      }
    },
  },
  {
    id: 'runs/late-run-meets-a-free-device',
    title:
      'a run whose conversation becomes free just after its start_before does not start, whether or not the gateway has already expired it',
    rules: ['RUN-31'],
    tags: ['race'],
    run: async (t) => {
      const missDeadline = async (graceMs: number): Promise<void> => {
        const { conversation, admission } = await t.start({ hang: true })
        const { conversation_id: id } = conversation
        const { body, startBefore } = await admitExpiring(t, (soon) =>
          t.me.send(id, t.script({ succeed: { text: 'too late' } }), { startBefore: soon }),
        )
        const overAt = Date.parse(startBefore) + graceMs
        await t.until(
          'the deadline has passed',
          async () => t.now(),
          (now) => now > overAt,
        )
        await t.until(
          'the created_at of a new conversation is after the deadline',
          async () => Date.parse((await t.conversation()).created_at),
          (now) => now > overAt,
        )
        await t.me.cancel(admission.run_id)
        const { state } = await t.runEnded(body.run_id)
        assert.equal(
          state,
          'expired',
          `the run is ${state}; its conversation became free ${graceMs} ms after its start_before`,
        )
      }
      await Promise.all([50, 250, 450, 650].map(missDeadline))
    },
  },
  {
    id: 'runs/start-before-is-no-timeout',
    title: 'a run that started in time continues past its start_before',
    rules: ['RUN-32'],
    run: async (t) => {
      for (const name of ['a message', 'a direct run'] as const) {
        const key = t.fresh('in-time')
        const { conversation_id: id } = await t.conversation({ conversation_key: key })
        const post = routesInto(t, id, key)[name]
        let started: { runId: string; startBefore: string } | null = null
        // A busy machine may need longer to start the run.
        for (const windowMs of [1200, 5000, 20_000]) {
          const startBefore = inMs(t, windowMs)
          const { body: runId } = await post(t.script({ hang: true }), startBefore)
          const { state } = await t.runIn(runId, ['running', 'expired'])
          started = state === 'running' ? { runId, startBefore } : null
          if (started !== null) break
        }
        assert.ok(started !== null, `${name} with a start_before in 20 s did not start`)
        // A queued run with the same or a later start_before shows when the deadline has passed.
        const { startBefore } = started
        const { body } = await admitExpiring(t, (soon) =>
          t.me.send(id, t.script({ succeed: {} }), { startBefore: [soon, startBefore].toSorted().at(-1) ?? soon }),
        )
        await t.runIn(body.run_id, ['expired'])
        await completeWorkElsewhere(t)
        const { state } = await readRun(t, started.runId)
        assert.equal(state, 'running', `${name} started in time, and its run is ${state} after its start_before`)
        await t.me.cancel(started.runId)
        await expectRunEnd(t, started.runId, 'cancelled')
      }
    },
  },
]
