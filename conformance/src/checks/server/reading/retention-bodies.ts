import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { DAY_MS, sendAndEnd, untilGone } from '../../../kit/steps/retention.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

const textsIn = async (t: ServerContext, conversationId: string): Promise<(string | undefined)[]> =>
  (await readHistory(t, conversationId)).map(({ content }) => content.text)

const resultOf = async (t: ServerContext, runId: string): Promise<Run['result'] | undefined> =>
  (await t.me.run(runId)).body.result

export const checks: readonly ServerCheck[] = [
  {
    id: 'retention/bodies-for-30-days',
    title:
      'messages and results are kept for about 30 days after the end of their run, and are deleted some days later',
    rules: ['RET-02', 'RET-06'],
    needs: ['driver.moveClock'],
    tags: ['limit'],
    alone: 'all',
    run: async (t) => {
      const [old, young] = [await t.conversation(), await t.conversation()]
      const first = await sendAndEnd(t, old, { delta: 'old text' }, { succeed: { text: 'old text' } })
      await t.driver.moveClock(5 * DAY_MS)
      const second = await sendAndEnd(t, young, { delta: 'young text' }, { succeed: { text: 'young text' } })
      const later = await sendAndEnd(t, old, { delta: 'later text' }, { succeed: { text: 'later text' } })

      // After this move, the first run ended 33 days ago and the others 28. Once the bodies of the first one are gone,
      // the gateway has run its removal of expired data.
      await t.driver.moveClock(28 * DAY_MS)
      await untilGone(t, 'the messages of the older run are gone', async () => {
        return !(await textsIn(t, old.conversation_id)).includes('old text')
      })
      await untilGone(t, 'the result of the older run is gone', async () => {
        return !JSON.stringify((await resultOf(t, first.run_id)) ?? null).includes('old text')
      })
      assert.ok((await textsIn(t, old.conversation_id)).includes('later text'), 'messages were deleted after 28 days')
      assert.ok((await textsIn(t, young.conversation_id)).includes('young text'), 'messages were deleted after 28 days')
      assert.equal((await resultOf(t, second.run_id))?.text, 'young text', 'a result was deleted after 28 days')
      assert.equal((await resultOf(t, later.run_id))?.text, 'later text', 'a result was deleted after 28 days')
      const snapshot = expectStatus(await t.me.snapshot(old.conversation_id), 200)
      assert.ok(!snapshot.text.includes('old text'), 'the snapshot still has text that the history has deleted')
    },
  },
]
