import assert from 'node:assert/strict'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectRetryAfter, expectStatus } from '../../../kit/server/expectations.ts'
import { sendUntilAdmitted } from '../../../kit/steps/devices.ts'
import { isEnd, readEvents, refusedStream, seqsOf } from '../../../kit/steps/events.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { isStream } from '../../../kit/steps/stream-limits.ts'
import { whileAdmissionIsPaused, whileDeviceIsPaused } from '../../../kit/steps/suspensions.ts'

/** Sends new work to the service by each route. The caller expects 503 from all. */
const newWork = async (t: ServerContext, endpointId: string, conversationId: string) => [
  await t.me.send(conversationId, { text: 'x' }),
  await t.me.createRun(endpointId, { input: { text: 'x' } }),
  await t.me.createRun(endpointId, { input: { text: 'x' }, conversation_key: t.fresh('order') }),
]

/** Fails unless new work is refused while the service is suspended, and accepted afterwards. */
async function expectUnavailable(
  t: ServerContext,
  endpointId: string,
  whileSuspended: (use: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const conversation = await t.conversation({ endpoint_id: endpointId })
  const { conversation_id: id } = conversation
  await whileSuspended(async () => {
    for (const answer of await newWork(t, endpointId, id)) {
      expectRefusal(answer, 503, 'CAPABILITY_UNAVAILABLE')
      if (t.profile === 'reference') expectRetryAfter(answer)
    }
    assert.equal((await readSnapshot(t, id)).runs.length, 0, 'refused work left a run in the snapshot')
  })
  await sendUntilAdmitted(t, conversation, { succeed: { text: 'x' } })
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/admission-paused',
    title: 'while admission is paused, messages and direct runs answer 503 CAPABILITY_UNAVAILABLE and store nothing',
    rules: ['ERR-16'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: (t) => expectUnavailable(t, t.config.services.main, (use) => whileAdmissionIsPaused(t, use)),
  },
  {
    id: 'errors/device-paused',
    title: 'while the device is paused, new work for it answers 503 CAPABILITY_UNAVAILABLE and stores nothing',
    rules: ['ERR-16'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      await expectUnavailable(t, endpointId, (use) => whileDeviceIsPaused(t, endpointId, use))
    },
  },
  {
    id: 'errors/unavailable-says-when',
    title: 'every 503 for a paused device has Retry-After in whole seconds',
    rules: ['ERR-39'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      await whileDeviceIsPaused(t, endpointId, async () => {
        for (const answer of await newWork(t, endpointId, id)) expectRetryAfter(expectStatus(answer, 503))
      })
    },
  },
  {
    id: 'errors/position-no-longer-kept',
    title:
      'a resume position whose next events have expired answers 410 CURSOR_EXPIRED on both streams, by header and query',
    rules: ['ERR-12'],
    needs: ['driver.expireEvents'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'a' }, { delta: 'b' }, { succeed: {} })
      const { conversation_id: id } = conversation
      await t.runEnded(admission.run_id)
      const seqs = seqsOf(await readEvents(t, id, 'the end of the run', (events) => events.some(isEnd), { after: 0 }))
      const [expired, newest] = seqs.slice(-2)
      if (expired === undefined || newest === undefined)
        return assert.fail(`a finished run must have at least 2 events, got ${seqs.length}`)
      await t.driver.expireEvents(id, expired)
      for (const path of [`/conversations/${id}/events`, `/runs/${admission.run_id}/events`])
        for (const seq of [0, expired - 1])
          for (const position of [{ after: seq }, { lastEventId: seq }, { after: newest, lastEventId: seq }])
            expectRefusal(await refusedStream(t.me, path, position), 410, 'CURSOR_EXPIRED')
      const retained = await t.me.tryEvents(`/conversations/${id}/events`, { after: expired })
      // The specification leaves open whether the seq of an expired event is valid while a later event is retained;
      // D-29 decides it.
      if (t.profile === 'core' && !isStream(retained)) {
        expectRefusal(retained, 410, 'CURSOR_EXPIRED')
        return
      }
      const stream = streamOf(retained)
      await stream.event('the retained event', ({ seq }) => seq === newest)
      assert.equal(
        stream.events[0]?.seq,
        newest,
        `an expired event was sent: the first seq is ${stream.events[0]?.seq}, expected ${newest}`,
      )
    },
  },
  {
    id: 'errors/certain-refusals-are-not-unknown',
    title: 'a refusal without effect does not report an unknown outcome',
    rules: ['ERR-41'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      const refusals = [await t.me.send(id, { text: 'x' }, { generation: 2 }), await t.me.send(id, { text: '' })]
      await whileDeviceIsPaused(t, endpointId, async () => {
        for (const answer of await newWork(t, endpointId, id)) refusals.push(expectStatus(answer, 503))
      })
      for (const { status, body } of refusals)
        assert.notEqual(
          Object(body).outcome,
          'unknown',
          `the refusal with ${status} has outcome: unknown, although it had no effect`,
        )
    },
  },
]
