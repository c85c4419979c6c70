import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { expectFirst, expectReplay } from '../../../kit/steps/replays.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { cancelRun } from '../../../kit/steps/runs.ts'
import { whileAdmissionIsPaused } from '../../../kit/steps/suspensions.ts'

/** Fails unless the key is unused: another request is admitted under it, and repeating that request is a replay. */
async function expectUnused(t: ServerContext, key: string, why: string): Promise<void> {
  const { conversation_id: id } = await t.conversation()
  const send = () => t.me.send(id, { text: `instead of ${why}` }, { key })
  const answer = await send()
  expectFirst(`a message under the key of a request that was refused for ${why}`, answer)
  expectReplay('its repeat', await send(), answer)
}

/** Fails unless a request that was refused before is now admitted under the same key. */
async function expectAdmittedLater(request: () => Promise<Answer>): Promise<void> {
  const answer = await request()
  expectFirst('the same request under the same key after its refusal', answer)
  expectReplay('its repeat', await request(), answer)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/invalid-request-leaves-its-key',
    title: 'a request refused with 400 or 404 does not use up its key',
    rules: ['IDEM-17', 'IDEM-20'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const key = t.fresh()
      expectRefusal(await t.me.send(id, { text: '' }, { key }), 400, 'INVALID_REQUEST')
      const unknownField = { expected_generation: 1, input: { text: 'x' }, model: 'x' }
      const unknown = await t.me.post(`/conversations/${id}/messages`, unknownField, { key })
      expectRefusal(unknown, 400, 'UNKNOWN_FIELD')
      const past = { key, startBefore: new Date(t.now() - 3_600_000).toISOString() }
      expectRefusal(await t.me.send(id, { text: 'x' }, past), 400, 'INVALID_REQUEST')
      const foreign = await t.conversation({}, t.caller({ subject: t.otherSubject() }))
      expectStatus(await t.me.send(foreign.conversation_id, { text: 'x' }, { key }), 404)
      expectStatus(await t.me.createConversation({ endpoint_id: t.config.services.foreign }, { key }), 404)
      await expectUnused(t, key, '400 and 404')
    },
  },
  {
    id: 'idempotency/unauthorized-request-leaves-its-key',
    title: 'a request refused with 401 or 403 does not use up its key',
    rules: ['IDEM-20'],
    needs: ['scopedKeys'],
    run: async (t) => {
      const key = t.fresh()
      const { conversation_id: id } = await t.conversation()
      const unknown = t.caller({ apiKey: `${t.config.apps.first.key}x` })
      expectStatus(await unknown.send(id, { text: 'x' }, { key }), 401)
      const reader = t.config.apps.first.scopedKeys?.['conversations:read']
      if (reader === undefined) return t.untestable('no key of the first application has conversations:read alone')
      expectStatus(await t.caller({ apiKey: reader }).send(id, { text: 'x' }, { key }), 403)
      await expectAdmittedLater(() => t.me.send(id, { text: 'x' }, { key }))
    },
  },
  {
    id: 'idempotency/generation-conflict-leaves-its-key',
    title: 'a message refused with GENERATION_CONFLICT is admitted under its key once its generation is current',
    rules: ['IDEM-17', 'IDEM-20'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const key = t.fresh()
      const send = () => t.me.send(id, { text: 'early' }, { key, generation: 2 })
      expectRefusal(await send(), 409, 'GENERATION_CONFLICT')
      expectRefusal(await send(), 409, 'GENERATION_CONFLICT')
      await completeReset(t, id, 1)
      await expectAdmittedLater(send)
    },
  },
  {
    id: 'idempotency/busy-leaves-its-key',
    title: 'a creation and a reset refused with BUSY do not use up their keys',
    rules: ['IDEM-17', 'IDEM-20'],
    run: async (t) => {
      const taken = t.fresh('order')
      await t.conversation({ conversation_key: taken })
      const creation = t.fresh()
      const duplicate = { endpoint_id: t.config.services.main, conversation_key: taken }
      expectRefusal(await t.me.createConversation(duplicate, { key: creation }), 409, 'BUSY')
      await expectUnused(t, creation, 'BUSY')

      const { conversation, admission } = await t.startIn('running', { hang: true })
      const key = t.fresh()
      const reset = () => t.me.reset(conversation.conversation_id, 1, 'reject', { key })
      expectRefusal(await reset(), 409, 'BUSY')
      await cancelRun(t, admission.run_id)
      await expectAdmittedLater(reset)
    },
  },
  {
    id: 'idempotency/full-queue-leaves-its-key',
    title: 'a message refused with 429 is admitted under its key once the queue has room',
    rules: ['IDEM-17', 'IDEM-20'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const queued = await Promise.all(
        Array.from({ length: 20 }, (_, at) => t.admit(conversation, { text: `queued ${at}` })),
      )
      const key = t.fresh()
      const send = () => t.me.send(conversation.conversation_id, { text: 'one more' }, { key })
      expectStatus(await send(), 429)
      expectStatus(await send(), 429)
      const last = queued.at(-1)?.run_id ?? ''
      await cancelRun(t, last)
      await expectAdmittedLater(send)
    },
  },
  {
    id: 'idempotency/paused-admission-leaves-its-key',
    title: 'a message refused with 503 is admitted under its key once admission is resumed',
    rules: ['IDEM-17', 'IDEM-20'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const key = t.fresh()
      const send = () => t.me.send(id, { text: 'later' }, { key })
      await whileAdmissionIsPaused(t, async () => {
        expectRefusal(await send(), 503, 'CAPABILITY_UNAVAILABLE')
      })
      await expectAdmittedLater(send)
    },
  },
]
