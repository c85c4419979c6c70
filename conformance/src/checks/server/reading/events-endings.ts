import assert from 'node:assert/strict'
import type { EventEnvelope } from '#openapi/generated/gateway'
import type { ScriptStep } from '../../../kit/config/driver.ts'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { ownDevice } from '../../../kit/steps/devices.ts'
import { endsRun, isEnd, readEvents, runScript } from '../../../kit/steps/events.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

const ENDINGS: readonly (readonly [type: string, ...steps: ScriptStep[]])[] = [
  ['run.completed', { delta: 'a' }, { message: 'b' }, { succeed: { text: 'c' } }],
  ['run.completed', { delta: 'a' }],
  ['run.failed', { delta: 'a' }, { message: 'b' }, { fail: { code: 'NO', message: 'No.' } }],
]

function expectOneEnd(events: readonly EventEnvelope[]): void {
  const ends = events.filter(isEnd).map(({ type }) => type)
  assert.equal(ends.length, 1, `expected one terminal event of the run, got ${ends.length}: ${ends.join(', ')}`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/end-is-last',
    title: 'a run that succeeds or fails has one terminal event, which is its last',
    rules: ['EVT-36'],
    streams: 1,
    run: async (t) => {
      for (const [type, ...steps] of ENDINGS) {
        const { conversation, admission } = await runScript(t, ...steps)
        // Once a later run ends, all events of this one have arrived.
        const marker = await t.admit(conversation, t.script({ succeed: {} }))
        const events = await readEvents(t, conversation.conversation_id, 'the end of the next run', (seen) =>
          seen.some(endsRun(marker.run_id)),
        )
        const own = events.filter(({ run_id }) => run_id === admission.run_id)
        assert.equal(own.at(-1)?.type, type, `the last event of the run is ${own.at(-1)?.type}, expected ${type}`)
        expectOneEnd(own)
      }
    },
  },
  {
    id: 'events/cancelled-is-last',
    title: 'nothing follows run.cancelled, even if the run was busy and was cancelled repeatedly',
    rules: ['EVT-36'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const busy = Array.from({ length: 80 }, (_, at) => [{ delta: `${at} ` }, { sleep_ms: 3 }]).flat()
      const { conversation, admission } = await t.start(...busy, { hang: true })
      const queued = await t.admit(conversation, t.script({ succeed: {} }))
      const stream = await t.me.events(conversation.conversation_id)
      await stream.event('output', ({ type }) => type === 'assistant.delta')
      // Cancel the queued run first: it would start as soon as the other one has stopped.
      const stops = [
        ...(await Promise.all([queued, queued].map(({ run_id }) => t.me.cancel(run_id)))),
        ...(await Promise.all([admission, admission, admission].map(({ run_id }) => t.me.cancel(run_id)))),
      ]
      for (const stop of stops) expectStatus(stop, 202)
      await t.runEnded(admission.run_id)
      await t.runEnded(queued.run_id)
      const marker = await t.admit(conversation, t.script({ succeed: {} }))
      await stream.event('the end of the next run', endsRun(marker.run_id))
      for (const { run_id: runId } of [admission, queued]) {
        const own = stream.events.filter(({ run_id }) => run_id === runId)
        assert.equal(own.at(-1)?.type, 'run.cancelled', `the event ${own.at(-1)?.type} follows run.cancelled`)
        expectOneEnd(own)
      }
    },
  },
  {
    id: 'events/reset-event',
    title:
      'conversation.reset names the operation, both generations and the version; its envelope names the new generation and no run',
    rules: ['EVT-26', 'EVT-31', 'EVT-35'],
    needs: ['driver.createService', 'driver.publishVersion'],
    streams: 1,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const first = await runToEnd(t, conversation, t.script({ succeed: {} }))
      const id = conversation.conversation_id
      const version = await t.driver.publishVersion(endpointId, 'compatible')
      const operations = []
      for (const generation of [1, 2]) {
        const reset = await completeReset(t, id, generation)
        operations.push(reset.operation_id)
      }
      const isReset = ({ type }: { type: string }): boolean => type === 'conversation.reset'
      const events = await readEvents(t, id, 'two resets', (seen) => seen.filter(isReset).length === 2)
      const endOfRun = events.find(endsRun(first.run_id))?.seq ?? 0
      const resets = events.filter(isReset)
      assert.equal(resets.length, operations.length)
      assert.ok(
        endOfRun < (resets[0]?.seq ?? 0),
        `the reset has the seq ${resets[0]?.seq}, expected one above ${endOfRun}`,
      )
      assert.partialDeepStrictEqual(
        resets,
        operations.map((operationId, at) => ({
          conversation_id: id,
          generation: at + 2,
          run_id: null,
          message_id: null,
          type: 'conversation.reset',
          payload: {
            operation_id: operationId,
            generation: at + 2,
            previous_generation: at + 1,
            binding_version: version,
          },
        })),
      )
    },
  },
  {
    id: 'events/reset-with-work',
    title: 'conversation.reset is emitted once, after the terminal events of the work that the reset cancelled',
    rules: ['EVT-31', 'EVT-36'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'a' }, { hang: true })
      const queued = await t.admit(conversation, t.script({ succeed: {} }))
      await t.runIn(admission.run_id, ['running'])
      const id = conversation.conversation_id
      await completeReset(t, id, 1, 'cancel_and_reset')
      const marker = await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: {} }))
      const events = await readEvents(t, id, 'the end of the next run', (seen) => seen.some(endsRun(marker.run_id)))
      const resets = events.filter(({ type }) => type === 'conversation.reset')
      assert.equal(resets.length, 1, `one reset emitted ${resets.length} events conversation.reset`)
      for (const { run_id: runId } of [admission, queued]) {
        const own = events.filter(({ run_id }) => run_id === runId)
        assert.equal(own.at(-1)?.type, 'run.cancelled', `the event ${own.at(-1)?.type} follows run.cancelled`)
        assert.ok(
          (own.at(-1)?.seq ?? 0) < (resets[0]?.seq ?? 0),
          'conversation.reset has a smaller seq than run.cancelled of the work that the reset cancelled',
        )
        assert.ok(
          own.every(({ generation }) => generation === 1),
          'an event of a run that was admitted before the reset does not have generation 1',
        )
      }
      assert.equal(resets[0]?.generation, 2)
    },
  },
]
