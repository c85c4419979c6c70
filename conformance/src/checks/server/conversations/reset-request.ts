import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { expectOperationEnd } from '../../../kit/steps/operation-paths.ts'
import { unknownId } from '../../../kit/steps/records.ts'
import { completeReset, expectOneReset, resetConversation } from '../../../kit/steps/resets.ts'
import { completeWorkElsewhere, expectRunState } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const generationOf = async (t: ServerContext, conversationId: string): Promise<number> =>
  (await readSnapshot(t, conversationId)).generation

export const checks: readonly ServerCheck[] = [
  {
    id: 'reset/control-response',
    title: 'a conversation is reset by a POST to its reset route, answered with an operation of that conversation',
    rules: ['RESET-01', 'RESET-09'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const otherConversation = await t.conversation()
      const control = await resetConversation(t, id, 1)
      for (const member of ['operation_id', 'ref', 'state']) assert.ok(member in control, `a control without ${member}`)
      assert.equal(control.ref.conversation_id, id)
      await expectOperationEnd(t, control.operation_id, 'succeeded')
      assert.equal(await generationOf(t, id), 2)
      assert.equal(await generationOf(t, otherConversation.conversation_id), 1, 'another conversation was reset too')
      expectRefusal(await t.me.reset(unknownId(id), 1), 404)
    },
  },
  {
    id: 'reset/answers-202',
    title: 'a reset of an idle or a busy conversation answers 202',
    rules: ['RESET-16'],
    run: async (t) => {
      expectStatus(await t.me.reset((await t.conversation()).conversation_id, 1), 202)
      const { conversation } = await t.startIn('running', { hang: true })
      expectStatus(await t.me.reset(conversation.conversation_id, 1, 'cancel_and_reset'), 202)
    },
  },
  {
    id: 'reset/needs-the-current-generation',
    title: 'a reset needs the current generation as a positive integer; otherwise it is 400 or 409 GENERATION_CONFLICT',
    rules: ['RESET-02'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const post = (body: object) => t.me.post(`/conversations/${id}/reset`, body)
      for (const body of [{}, { busy_policy: 'reject' }]) expectRefusal(await post(body), 400, 'INVALID_REQUEST')
      for (const given of ['1', 1.5, 0, -1, null, true, [1], {}])
        expectRefusal(await post({ expected_generation: given }), 400, 'INVALID_REQUEST')
      for (const name of ['generation', 'force', 'input', 'Busy_policy'])
        expectRefusal(await post({ expected_generation: 1, [name]: 1 }), 400, 'UNKNOWN_FIELD')
      for (const policy of ['reject', 'cancel_and_reset'] as const) {
        expectRefusal(await t.me.reset(id, 2, policy), 409, 'GENERATION_CONFLICT')
        assert.equal(await generationOf(t, id), 1)
      }
      await completeReset(t, id, 1)
      for (const generation of [1, 3]) expectRefusal(await t.me.reset(id, generation), 409, 'GENERATION_CONFLICT')
      assert.equal(await generationOf(t, id), 2)
      await completeReset(t, id, 2)
    },
  },
  {
    id: 'reset/stale-reset-stops-nothing',
    title: 'a reset with the wrong generation is refused and stops nothing',
    rules: ['RESET-02'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const answer = await t.me.reset(conversation.conversation_id, 2, 'cancel_and_reset')
      expectRefusal(answer, 409, 'GENERATION_CONFLICT')
      await completeWorkElsewhere(t)
      await expectRunState(t, admission.run_id, 'running')
    },
  },
  {
    id: 'reset/resets-at-once',
    title: 'of many resets of one generation sent at once, one advances the generation by 1, and the others fail',
    rules: ['RESET-02'],
    tags: ['race'],
    run: async (t) => {
      const idle = (await t.conversation()).conversation_id
      const { conversation } = await t.startIn('running', { hang: true })
      for (const id of [idle, conversation.conversation_id]) {
        const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => t.me.reset(id, 1, 'cancel_and_reset')))
        assert.equal((await expectOneReset(t, answers)).ref.generation, 2)
        assert.equal(await generationOf(t, id), 2)
      }
    },
  },
  {
    id: 'reset/two-busy-policies',
    title: 'busy_policy is reject or cancel_and_reset; any other value is 400 and resets nothing',
    rules: ['RESET-03'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const values = [
        '',
        'stop',
        'REJECT',
        'Reject',
        ' reject',
        'reject ',
        'cancel',
        'cancel-and-reset',
        'CANCEL_AND_RESET',
      ]
      for (const policy of [...values, null, true, 1, ['reject'], {}]) {
        const answer = await t.me.post(`/conversations/${id}/reset`, { expected_generation: 1, busy_policy: policy })
        expectRefusal(answer, 400, 'INVALID_REQUEST')
      }
      assert.equal(await generationOf(t, id), 1, 'a reset with an unknown policy was executed')
      await completeReset(t, id, 1, 'reject')
      await completeReset(t, id, 2, 'cancel_and_reset')
      await completeReset(t, id, 3)
    },
  },
]
