import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { closeStream, endsRun, ofType, payloadOf, runScript } from '../../../kit/steps/events.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'events/approval-required',
    title: 'approval.required is emitted when a run needs an approval, and only then',
    rules: ['EVT-11'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'a' }, { approval: 'Refund 40 EUR' }, { succeed: {} })
      const stream = await t.me.events(admission.conversation_id, { after: admission.event_cursor })
      const required = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      assert.equal(required.run_id, admission.run_id)
      await t.runIn(admission.run_id, ['waiting_approval'])
      const delta = stream.events.findIndex(({ type }) => type === 'assistant.delta')
      assert.ok(delta >= 0 && delta < stream.events.indexOf(required), 'earlier output must precede approval.required')
      await closeStream(stream)
      const { events } = await runScript(t, { delta: 'no question' }, { succeed: {} })
      assert.deepEqual(ofType(events, 'approval.required'), [])
    },
  },
  {
    id: 'events/approval-payload',
    title: 'each approval.required has its own ID and the summary that the assistant gave',
    rules: ['EVT-25'],
    needs: ['driver.decideApproval'],
    streams: 1,
    run: async (t) => {
      const summaries = ['Refund 40 EUR', '  "second" – zweite\nFrage 漢字  ']
      const { admission } = await t.start(...summaries.map((approval) => ({ approval })), { succeed: {} })
      const stream = await t.me.runEvents(admission.run_id)
      for (const [at, summary] of summaries.entries()) {
        await stream.until(
          `approval.required ${at + 1}`,
          ({ events }) => ofType(events, 'approval.required').length > at,
        )
        const asked = payloadOf(ofType(stream.events, 'approval.required')[at] ?? assert.fail())
        assert.equal(asked.summary, summary)
        assert.match(String(asked.approval_id), /^apr_.+/)
        await t.driver.decideApproval(String(asked.approval_id), 'approved')
      }
      await stream.event('the end of the run', endsRun(admission.run_id))
      const asked = ofType(stream.events, 'approval.required')
      assert.equal(new Set(asked.map((event) => payloadOf(event).approval_id)).size, summaries.length)
    },
  },
]
