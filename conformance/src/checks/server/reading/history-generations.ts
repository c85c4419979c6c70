import assert from 'node:assert/strict'
import type { Conversation, Message } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

/** Two messages in each of three generations, and the history at the end of each. */
async function threeGenerations(t: ServerContext) {
  const conversation = await t.conversation()
  const { conversation_id: id } = conversation
  const histories: Message[][] = []
  for (const generation of [1, 2, 3]) {
    if (generation > 1) await completeReset(t, id, generation - 1)
    const now: Conversation = { ...conversation, generation }
    for (const text of ['first', 'second']) await runToEnd(t, now, { text: `${text} of ${generation}` })
    histories.push(await readHistory(t, id))
  }
  return { id, histories, all: histories[2] ?? [] }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'history/of-one-generation',
    title:
      'generation restricts the history to that generation, also with limit and before; without it all generations are included',
    rules: ['HIST-02', 'HIST-03', 'HIST-12'],
    run: async (t) => {
      const { id, histories, all } = await threeGenerations(t)
      assert.deepEqual(await readHistory(t, id, ''), all)
      assert.deepEqual(new Set(all.map(({ generation }) => generation)), new Set([1, 2, 3]))
      for (const generation of [1, 2, 3]) {
        const own = all.filter((message) => message.generation === generation)
        assert.deepEqual(await readHistory(t, id, `generation=${generation}`), own)
        assert.deepEqual(await readHistory(t, id, `generation=${generation}&limit=2`), own.slice(-2))
        const newest = own.at(-1)?.cursor
        assert.deepEqual(await readHistory(t, id, `generation=${generation}&before=${newest}`), own.slice(0, -1))
        const oldest = own.at(0)?.cursor
        assert.deepEqual(await readHistory(t, id, `generation=${generation}&before=${oldest}`), [])
        assert.deepEqual(
          all.slice(0, histories[generation - 1]?.length),
          histories[generation - 1],
          'a reset changed the history of earlier generations',
        )
      }
      for (const none of [4, 100]) assert.deepEqual(await readHistory(t, id, `generation=${none}`), [])
    },
  },
  {
    id: 'history/generation-is-a-positive-integer',
    title: 'a generation that is not a positive integer is refused with 400 INVALID_REQUEST',
    rules: ['HIST-02'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      expectStatus(await t.me.history(id, 'generation=1'), 200)
      // The specification leaves open whether an empty value or another spelling of an integer is accepted.
      const odd = t.profile === 'core' ? [] : ['', '1e0', '0x1']
      for (const generation of ['0', '-1', '1.5', 'one', '1,2', ...odd])
        expectRefusal(await t.me.history(id, `generation=${generation}`), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'history/stays-after-a-reset-with-unfinished-work',
    title: 'the messages of a stopped generation stay queryable after cancel_and_reset',
    rules: ['HIST-12'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { delta: 'unfinished' }, { hang: true })
      const { conversation_id: id } = conversation
      await t.admit(conversation, { text: 'never executed' })
      await completeReset(t, id, 1, 'cancel_and_reset')
      const inputRuns = async (query: string) =>
        (await readHistory(t, id, query)).filter(({ role }) => role === 'user').map(({ run_id: runId }) => runId)
      assert.equal((await inputRuns('generation=1')).length, 2)
      assert.deepEqual(await inputRuns(''), await inputRuns('generation=1'))
      assert.deepEqual(await inputRuns('generation=2'), [])
    },
  },
]
