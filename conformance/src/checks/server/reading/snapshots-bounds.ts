import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { fillWithMessages, labelOf, readSnapshot, runMany } from '../../../kit/steps/snapshots.ts'

/** The labels of the assistant's messages. The snapshot may show messages in any form. */
const shown = (messages: readonly unknown[]): string[] =>
  messages
    .filter(
      (message) => typeof message !== 'object' || message === null || !('role' in message) || message.role !== 'user',
    )
    .flatMap((message) => JSON.stringify(message).match(/message-\d{4}\./) ?? [])

export const checks: readonly ServerCheck[] = [
  {
    id: 'snapshots/at-most-200-messages',
    title: 'the snapshot has at most 200 messages, the most recent ones',
    rules: ['SNAP-06', 'LIMIT-12'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      await fillWithMessages(t, conversation, 1, 200)
      // Without D-14 the size limit is unknown: a snapshot may then have fewer than 200 messages.
      const exact = (await readSnapshot(t, id)).messages
      if (t.profile === 'reference') assert.equal(exact.length, 200, `the snapshot has ${exact.length} of 200 messages`)
      await fillWithMessages(t, conversation, 201, 3)
      const { messages } = await readSnapshot(t, id)
      assert.ok(messages.length <= 200, `the snapshot has ${messages.length} messages, expected at most 200`)
      const labels = shown(messages)
      assert.ok(labels.includes(labelOf(202)) && labels.includes(labelOf(203)), 'the newest messages are missing')
      assert.ok(!labels.includes(labelOf(2)) && !labels.includes(labelOf(3)), 'the oldest messages are shown')
      if (t.profile === 'core') return
      assert.equal(messages.length, 200)
      assert.ok(labels.includes(labelOf(4)) && labels.includes(labelOf(200)), 'one of the 200 newest is missing')
    },
  },
  {
    id: 'snapshots/at-most-100-runs',
    title: 'the snapshot has at most 100 runs, the most recent ones',
    rules: ['SNAP-07', 'LIMIT-12'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const input = () => t.script({ succeed: { text: 'x' } })
      const hundred = await runMany(t, conversation, 100, input)
      const before = (await readSnapshot(t, conversation.conversation_id)).runs.map(({ run_id }) => run_id)
      const ids = hundred.map(({ run_id }) => run_id)
      if (t.profile === 'reference')
        assert.deepEqual([...before].sort(), [...ids].sort(), `the snapshot has ${before.length} of 100 runs`)
      ids.push(...(await runMany(t, conversation, 2, input)).map(({ run_id }) => run_id))
      const after = (await readSnapshot(t, conversation.conversation_id)).runs.map(({ run_id }) => run_id)
      const recent = ids.slice(-(t.profile === 'reference' ? 100 : after.length))
      assert.ok(
        after.length > 0 && after.length <= 100,
        `the snapshot has ${after.length} of 102 runs, expected 1 to 100`,
      )
      assert.deepEqual([...after].sort(), recent.sort(), 'the runs of the snapshot are not the most recent ones')
    },
  },
]
