import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { arrivalOf, finish, observed } from '../../../kit/steps/callbacks.ts'
import { contentOf } from '../../../kit/steps/runs.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/webhooks-are-offered',
    title: 'a signed webhook starts work whose outcome its subject can read',
    rules: ['GEN-01', 'GEN-08', 'GEN-09'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const data = t.script({ succeed: { text: 'by webhook' } }).data
      const { body } = expectStatus(await deliver(t, integration, eventOf({ data })), 202)
      const run = await t.runEnded(body.run_id, subjectOf(t, integration))
      assert.deepEqual([run.conversation_id, run.result?.text], [body.conversation_id, 'by webhook'])
    },
  },
  {
    id: 'general/callbacks-are-offered',
    title: 'a finished run is reported by callback if configured, and its result can still be queried',
    rules: ['GEN-01', 'GEN-09'],
    needs: ['callbacks'],
    run: async (t) => {
      const conversation = await observed(t)
      const run = await finish(t, conversation, { succeed: { text: 'called back' } })
      const { event } = await arrivalOf(t, conversation, 'run.completed')
      assert.deepEqual(contentOf(Object(event.payload).result), contentOf(run.result))
      assert.equal(run.result?.text, 'called back')
    },
  },
]
