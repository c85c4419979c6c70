import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ScriptStep } from '../../../kit/config/driver.ts'
import { NoAnswerError } from '../../../kit/failure.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { keyedOperations, perform } from '../../../kit/steps/keyed-operations.ts'
import { finishedRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { contentOf } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** Runs the steps on a service without callbacks. Returns the ended run and the event of its end from both streams. */
async function outcomeOf(t: ServerContext, type: string, ...steps: readonly ScriptStep[]) {
  const { conversation, admission } = await t.start(...steps)
  const { run_id } = admission
  const ends = (event: EventEnvelope): boolean => event.run_id === run_id && event.type === type
  const [ofConversation, ofRun] = [
    await t.me.events(conversation.conversation_id, { after: admission.event_cursor }),
    await t.me.runEvents(run_id, { after: admission.event_cursor }),
  ]
  const events = await Promise.all([ofConversation, ofRun].map((stream) => stream.event(`${type} of ${run_id}`, ends)))
  return { run: await t.runEnded(run_id), events, conversationId: conversation.conversation_id }
}

const partOf = (event: EventEnvelope, member: string): unknown => Object(event.payload)[member]

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/every-route-is-offered',
    title: 'conversations, messages, runs, history, streams, cancel, reset, operations and direct runs are all served',
    rules: ['GEN-01'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t)) {
        const { status, text } = await ask(t.me, route, ids)
        assert.ok(status >= 200 && status < 300, `expected 2xx from ${route.name}, got ${status} ${text.slice(0, 300)}`)
      }
      expectStatus(await t.me.get(`/conversations/${ids.conversation}/messages?generation=1&limit=1`), 200)
    },
  },
  {
    id: 'general/success-is-told-everywhere',
    title: 'the output of a run is readable from the run, the snapshot and both streams, without a callback',
    rules: ['GEN-09'],
    streams: 2,
    run: async (t) => {
      const text = t.fresh('outcome')
      const { run, events, conversationId } = await outcomeOf(t, 'run.completed', { succeed: { text } })
      assert.deepEqual([run.state, run.result?.text], ['succeeded', text])
      for (const event of events) assert.deepEqual(contentOf(partOf(event, 'result')), contentOf(run.result))
      const { runs } = await readSnapshot(t, conversationId)
      const shown = runs.find(({ run_id }) => run_id === run.run_id)
      assert.deepEqual([shown?.state, contentOf(shown?.result)], [run.state, contentOf(run.result)])
    },
  },
  {
    id: 'general/failure-is-told-everywhere',
    title: 'the error of a failed run can be read from the run and from both streams, without a callback',
    rules: ['GEN-09'],
    streams: 2,
    run: async (t) => {
      const message = t.fresh('reason')
      const { run, events } = await outcomeOf(
        t,
        'run.failed',
        { delta: 'partial' },
        { fail: { code: 'OUT_OF_PAPER', message } },
      )
      assert.equal(run.state, 'failed')
      for (const event of events)
        assert.ok(
          JSON.stringify(partOf(event, 'error'))?.includes(message),
          `payload.error must contain the message ${message}, got ${JSON.stringify(partOf(event, 'error'))}`,
        )
      // The specification makes `result.error` optional and defines the shape of neither error.
      if (run.result?.error !== undefined)
        assert.ok(
          JSON.stringify(run.result.error).includes(message),
          `result.error must contain the message ${message}, got ${JSON.stringify(run.result.error)}`,
        )
    },
  },
  {
    id: 'general/lost-answers-are-replayed',
    title:
      'a request whose answer was lost takes effect once: its replay returns the original answer, for each operation',
    rules: ['IDEM-29'],
    tags: ['durability'],
    alone: 'all',
    needs: ['driver.loseAnswers'],
    run: async (t) => {
      const [lost, answered] = [await keyedOperations(t), await keyedOperations(t)]
      for (const [at, operation] of lost.entries()) {
        const key = t.fresh()
        await t.driver.loseAnswers(1)
        const answer = await perform(operation, t.me, { key }).catch((error: unknown) => {
          if (error instanceof NoAnswerError) return null
          throw error
        })
        if (answer !== null) assert.equal(Object(answer.body).outcome, 'unknown', `${operation.name} was answered`)
        const replay = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        await operation.settle(replay)
        const again = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        for (const name of ['conversation_id', 'run_id', 'operation_id'])
          assert.equal(
            Object(again.body)[name],
            Object(replay.body)[name],
            `${name} of ${operation.name}, replayed twice`,
          )
        const another = answered[at] ?? assert.fail()
        await another.settle(expectStatus(await perform(another, t.me, { key: t.fresh() }), 200, 201, 202))
        assert.deepEqual(
          await operation.observe(),
          await another.observe(),
          `${operation.name}: a request with a lost answer and its replay did not have the effect of one request`,
        )
      }
    },
  },
]
