import assert from 'node:assert/strict'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectRetryAfter, expectStatus } from '../../../kit/server/expectations.ts'
import { isEnd, readEvents, seqsOf } from '../../../kit/steps/events.ts'
import { isStream } from '../../../kit/steps/stream-limits.ts'

/** The answers to new work for the service, all of which ought to be 503. */
const newWork = async (t: ServerContext, endpointId: string, conversationId: string) => [
  await t.me.send(conversationId, { text: 'x' }),
  await t.me.createRun(endpointId, { input: { text: 'x' } }),
  await t.me.createRun(endpointId, { input: { text: 'x' }, conversation_key: t.fresh('order') }),
]

/** Fails unless new work is refused between the two functions, and taken again afterwards. */
async function expectUnavailable(
  t: ServerContext,
  endpointId: string,
  stop: () => Promise<void>,
  resume: () => Promise<void>,
): Promise<void> {
  const conversation = await t.conversation({ endpoint_id: endpointId })
  const { conversation_id: id } = conversation
  await stop()
  try {
    for (const answer of await newWork(t, endpointId, id)) {
      expectRefusal(answer, 503, 'CAPABILITY_UNAVAILABLE')
      if (t.profile === 'reference') expectRetryAfter(answer)
    }
    assert.equal(expectStatus(await t.me.snapshot(id), 200).body.runs.length, 0, 'refused work left a run')
  } finally {
    await resume()
  }
  await t.until(
    'work is taken again',
    () => t.me.send(id, t.script({ succeed: { text: 'x' } })),
    ({ status }) => status === 202,
  )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/admission-paused',
    title: 'while admission is paused, messages and direct runs answer 503 CAPABILITY_UNAVAILABLE and leave nothing',
    rules: ['ERR-16'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: (t) =>
      expectUnavailable(
        t,
        t.config.services.main,
        () => t.driver.pauseAdmission(),
        () => t.driver.resumeAdmission(),
      ),
  },
  {
    id: 'errors/device-paused',
    title: 'while the device is paused, new work for it answers 503 CAPABILITY_UNAVAILABLE and leaves nothing',
    rules: ['ERR-16'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      await expectUnavailable(
        t,
        endpointId,
        () => t.driver.pauseDevice(endpointId),
        () => t.driver.resumeDevice(endpointId),
      )
    },
  },
  {
    id: 'errors/unavailable-says-when',
    title: 'every 503 carries Retry-After in whole seconds',
    rules: ['ERR-39'],
    needs: ['driver.createService', 'driver.pauseDevice', 'driver.resumeDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      await t.driver.pauseDevice(endpointId)
      try {
        for (const answer of await newWork(t, endpointId, id)) expectRetryAfter(expectStatus(answer, 503))
      } finally {
        await t.driver.resumeDevice(endpointId)
      }
    },
  },
  {
    id: 'errors/position-no-longer-kept',
    title:
      'a resume position whose next events have lapsed answers 410 CURSOR_EXPIRED on both streams, by header and query',
    rules: ['ERR-12'],
    needs: ['driver.expireEvents'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ delta: 'a' }, { delta: 'b' }, { succeed: {} })
      const { conversation_id: id } = conversation
      await t.runEnded(admission.run_id)
      const seqs = seqsOf(await readEvents(t, id, 'the end of the run', (events) => events.some(isEnd), { after: 0 }))
      const [lapsed, newest] = seqs.slice(-2)
      if (lapsed === undefined || newest === undefined) return assert.fail('a run has its start and its end as events')
      await t.driver.expireEvents(id, lapsed)
      for (const path of [`/conversations/${id}/events`, `/runs/${admission.run_id}/events`]) {
        for (const seq of [0, lapsed - 1])
          for (const position of [{ after: seq }, { lastEventId: seq }, { after: newest, lastEventId: seq }]) {
            const refused = await t.me.tryEvents(path, position)
            if ('frames' in refused) throw new Error(`a stream opened at ${JSON.stringify(position)}`)
            expectRefusal(refused, 410, 'CURSOR_EXPIRED')
          }
      }
      const left = await t.me.tryEvents(`/conversations/${id}/events`, { after: lapsed })
      // Whether an event that has lapsed is still a position where a later one is left is open (D-29 decides it).
      if (t.profile === 'core' && !isStream(left)) {
        expectRefusal(left, 410, 'CURSOR_EXPIRED')
        return
      }
      const stream = streamOf(left)
      await stream.event('the event that is left', ({ seq }) => seq === newest)
      assert.equal(stream.events[0]?.seq, newest, 'an event that has lapsed was sent')
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
      await t.driver.pauseDevice(endpointId)
      try {
        for (const answer of await newWork(t, endpointId, id)) refusals.push(expectStatus(answer, 503))
      } finally {
        await t.driver.resumeDevice(endpointId)
      }
      for (const { status, body } of refusals)
        assert.notEqual(Object(body).outcome, 'unknown', `a ${status} says that its outcome is unknown`)
    },
  },
]
