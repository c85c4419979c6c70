import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { declare, upload } from '../../../kit/steps/attachments.ts'
import { endsRun, ofType, outputIn, payloadOf, runScript, streamedText } from '../../../kit/steps/events.ts'
import { expectRunEnd, expectRunState } from '../../../kit/steps/runs.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'scripts/succeed-with-a-text',
    title: 'succeed with a text sets the text of the result, keeps the streamed message, and ends the script',
    rules: ['SCRIPT-07'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(
        t,
        { delta: 'streamed' },
        { succeed: { text: 'the result' } },
        { delta: 'never' },
        { message: 'never' },
      )
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text], ['succeeded', 'the result'])
      assert.deepEqual(await outputIn(t, conversation.conversation_id), [{ text: 'streamed', partial: false }])
      assert.equal(streamedText(events), 'streamed')
    },
  },
  {
    id: 'scripts/succeed-without-a-text',
    title: 'succeed without a text returns the joined deltas as the text of the result',
    rules: ['SCRIPT-07'],
    run: async (t) => {
      const { admission } = await t.start({ delta: 'a' }, { delta: 'b' }, { succeed: {} }, { delta: 'never' })
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text], ['succeeded', 'ab'])
    },
  },
  {
    id: 'scripts/succeed-with-attachments',
    title: 'succeed with resource IDs puts them into the result in the given order',
    rules: ['SCRIPT-07'],
    run: async (t) => {
      const ids = [await upload(t), await upload(t)].map(({ resource_id }) => resource_id).toReversed()
      const { admission } = await t.start({ succeed: { text: 'see there', resource_ids: ids } })
      const { result } = await t.runEnded(admission.run_id)
      assert.deepEqual([result?.text, result?.resource_ids], ['see there', ids])
    },
  },
  {
    id: 'scripts/succeed-with-foreign-attachments',
    title:
      'the result of a script names no attachment that belongs to another subject, has no content or does not exist',
    rules: ['SCRIPT-14'],
    tags: ['security'],
    run: async (t) => {
      const foreign = await upload(t, {}, t.caller({ subject: t.fresh('owner') }))
      const pending = await declare(t)
      for (const id of [foreign.resource_id, pending.resource_id, 'res_of_nobody']) {
        const { conversation_id: conversationId } = await t.conversation()
        const input = t.script({ delta: 'said' }, { succeed: { text: 'x', resource_ids: [id] } })
        const sent = expectStatus(await t.me.send(conversationId, input), 202, 400)
        if (sent.status === 400) continue
        const { result } = await t.runEnded(sent.body.run_id)
        assert.ok(
          !JSON.stringify(result?.resource_ids ?? []).includes(id),
          `resource_ids of the result names ${id}, which is no ready attachment of the subject`,
        )
      }
    },
  },
  ...[undefined, false, true].map(
    (retryable): ServerCheck => ({
      id: `scripts/fail-${retryable === undefined ? 'plainly' : retryable ? 'retryable' : 'for-good'}`,
      title: `fail with retryable ${retryable ?? 'left out'} ends the script and the run with that error and keeps the partial output`,
      rules: ['SCRIPT-08'],
      streams: 1,
      run: async (t) => {
        const error = {
          code: 'NO_STOCK_2',
          message: 'None is „left“.',
          ...(retryable === undefined ? {} : { retryable }),
        }
        const { conversation, admission, events } = await runScript(
          t,
          { delta: 'ha' },
          { delta: 'lf' },
          { fail: error },
          { delta: 'never' },
        )
        const { result } = await expectRunEnd(t, admission.run_id, 'failed')
        assert.partialDeepStrictEqual(result, { error })
        const texts = (await outputIn(t, conversation.conversation_id)).map(({ text }) => text)
        assert.deepEqual(texts, ['half'])
        assert.equal(streamedText(events), 'half')
      },
    }),
  ),
  {
    id: 'scripts/approval-approved',
    title: 'approval makes the run wait before the next step, and the run continues when approved',
    rules: ['SCRIPT-05'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'a' }, { approval: 'May I?' }, { delta: 'b' }, { succeed: {} })
      const stream = await t.me.runEvents(admission.run_id)
      const asked = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      assert.equal(payloadOf(asked).summary, 'May I?')
      await t.runIn(admission.run_id, ['waiting_approval'])
      // A complete run in another conversation shows that only the decision is missing.
      await t.runEnded((await t.start({ delta: 'x' }, { succeed: {} })).admission.run_id)
      await expectRunState(t, admission.run_id, 'waiting_approval')
      assert.equal(streamedText(stream.events), 'a')
      await t.driver.decideApproval(String(payloadOf(asked).approval_id), 'approved')
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.text], ['succeeded', 'ab'])
    },
  },
  {
    id: 'scripts/approval-denied',
    title: 'a denied approval ends the script, fails the run with APPROVAL_DENIED and keeps the streamed output',
    rules: ['SCRIPT-06'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'a' }, { approval: 'May I?' }, { delta: 'b' }, { succeed: {} })
      const stream = await t.me.runEvents(admission.run_id)
      const asked = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      await t.driver.decideApproval(String(payloadOf(asked).approval_id), 'denied')
      await stream.event('the end of the run', endsRun(admission.run_id))
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.error?.code], ['failed', 'APPROVAL_DENIED'])
      assert.equal(streamedText(stream.events), 'a')
    },
  },
  {
    id: 'scripts/two-approvals',
    title: 'each of two approvals waits for its own decision',
    rules: ['SCRIPT-05', 'SCRIPT-06'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start(
        { approval: 'First?' },
        { delta: 'a' },
        { approval: 'Second?' },
        { delta: 'b' },
      )
      const stream = await t.me.runEvents(admission.run_id)
      for (const [at, decision] of (['approved', 'denied'] as const).entries()) {
        await stream.until(`approval ${at + 1}`, ({ events }) => ofType(events, 'approval.required').length > at)
        const asked = ofType(stream.events, 'approval.required')[at] ?? assert.fail()
        await t.driver.decideApproval(String(payloadOf(asked).approval_id), decision)
      }
      const { state, result } = await t.runEnded(admission.run_id)
      assert.deepEqual([state, result?.error?.code], ['failed', 'APPROVAL_DENIED'])
    },
  },
]
