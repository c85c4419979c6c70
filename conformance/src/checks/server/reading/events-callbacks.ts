import assert from 'node:assert/strict'
import type { Admission, EventEnvelope } from '#openapi/generated/gateway'
import type { ScriptStep } from '../../../kit/config/driver.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { arrivalOf, observed } from '../../../kit/steps/callbacks.ts'
import { endsRun, ofType } from '../../../kit/steps/events.ts'
import { cancelRun, expectRunEnd } from '../../../kit/steps/runs.ts'

/** Sends a script to a new conversation of the service whose callbacks the suite receives. */
async function sendSubscribed(t: ServerContext, ...steps: readonly ScriptStep[]): Promise<Admission> {
  return t.admit(await observed(t), t.script(...steps))
}

/** Waits until the stream has an event of this type, and returns it. */
async function recordedEvent(t: ServerContext, admission: Admission, type: string): Promise<EventEnvelope> {
  const stream = await t.me.events(admission.conversation_id, { after: admission.event_cursor })
  return stream.event(type, (event) => event.type === type)
}

const SUBSCRIBED: readonly (readonly [string, ...ScriptStep[]])[] = [
  ['run.completed', { delta: 'a' }, { succeed: { text: 'done' } }],
  ['run.failed', { delta: 'a' }, { fail: { code: 'NO', message: 'No.' } }],
  ['approval.required', { approval: 'May I?' }, { succeed: {} }],
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/delivered-by-callback',
    title: 'a callback delivers the recorded event unchanged',
    rules: ['EVT-05'],
    needs: ['callbacks'],
    alone: 'callbacks',
    streams: 1,
    run: async (t) => {
      const admission = await sendSubscribed(t, { succeed: { text: 'done' } })
      const event = await recordedEvent(t, admission, 'run.completed')
      assert.deepEqual((await arrivalOf(t, admission, 'run.completed')).event, event)
    },
  },
  {
    id: 'events/callback-types-of-the-specification',
    title: 'run.completed, run.failed and approval.required reach a receiver that subscribed to them',
    rules: ['EVT-17'],
    needs: ['callbacks'],
    alone: 'callbacks',
    streams: 3,
    run: async (t) => {
      await Promise.all(
        SUBSCRIBED.map(async ([type, ...steps]) => {
          const admission = await sendSubscribed(t, ...steps)
          const event = await recordedEvent(t, admission, type)
          assert.equal((await arrivalOf(t, admission, type)).event.event_id, event.event_id)
        }),
      )
    },
  },
  {
    id: 'events/callback-types',
    title: 'every terminal event and approval.required reach a receiver that subscribed to them, other events do not',
    rules: ['EVT-28'],
    needs: ['callbacks', 'driver.restartServer', 'driver.moveClock'],
    tags: ['slow'],
    alone: 'all',
    streams: 4,
    run: async (t) => {
      const lost = await sendSubscribed(t, { hang: true })
      await t.runIn(lost.run_id, ['running'])
      const late = await t.me.send(lost.conversation_id, t.script({ succeed: {} }), {
        startBefore: new Date(t.now() + 30_000).toISOString(),
      })
      // After the restart, a gateway that knows that the device's process has ended may end the hanging run at once
      // (D-60). The queued run would then start, so it must expire before.
      await t.driver.moveClock(31_000)
      await t.runIn(expectStatus(late, 202).body.run_id, ['expired'])
      await t.driver.restartServer()
      await t.driver.moveClock(60_000)
      await t.runIn(lost.run_id, ['reconciling', 'interrupted'])
      await t.driver.moveClock(61_000)
      await expectRunEnd(t, lost.run_id, 'interrupted')
      const hanging = await t.until(
        'work for the device is accepted again',
        () => sendSubscribed(t, { delta: 'a' }, { message: 'b' }, { hang: true }).catch(() => null),
        (admission) => admission !== null,
      )
      if (hanging === null) assert.fail()
      await t.runIn(hanging.run_id, ['running'])
      await cancelRun(t, hanging.run_id)
      const admissions = await Promise.all(SUBSCRIBED.map(([, ...steps]) => sendSubscribed(t, ...steps)))
      const expected = [
        ...SUBSCRIBED.map(([type], at) => [admissions[at] ?? assert.fail(), type] as const),
        [lost, 'run.interrupted'] as const,
        [lost, 'run.expired'] as const,
        [hanging, 'run.cancelled'] as const,
      ]
      for (const [admission, type] of expected) await arrivalOf(t, admission, type)
      const stream = await t.me.events(hanging.conversation_id)
      await stream.event('the end of the run', endsRun(hanging.run_id))
      assert.deepEqual(
        [...new Set(t.callbacks.requests(hanging.conversation_id).map(({ event }) => event.event_id))],
        ofType(stream.events, 'run.cancelled').map(({ event_id }) => event_id),
        'the receiver must get run.cancelled and no other event of the cancelled run',
      )
    },
  },
]
