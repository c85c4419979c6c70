import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { findRecord } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { readRun, runToEnd } from '../../../kit/steps/runs.ts'
import { readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'reset/new-generation',
    title:
      'each reset advances the generation by 1, in the operation and in a fresh snapshot, under the same conversation ID',
    rules: ['RESET-10', 'RESET-12'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      for (const generation of [2, 3, 4]) {
        const operation = await completeReset(t, id, generation - 1)
        assert.deepEqual([operation.ref.conversation_id, operation.ref.generation], [id, generation])
        const snapshot = await readSnapshot(t, id)
        assert.deepEqual([snapshot.conversation_id, snapshot.generation], [id, generation])
      }
      const sent = expectStatus(await t.me.send(id, t.script({ succeed: {} }), { generation: 4 }), 202).body
      assert.equal((await t.runEnded(sent.run_id)).conversation_id, id)
      const record = await findRecord(t, id)
      assert.deepEqual(
        [record.endpoint_id, record.subject, record.created_at],
        [conversation.endpoint_id, conversation.subject, conversation.created_at],
      )
    },
  },
  {
    id: 'reset/keeps-the-business-key',
    title:
      'after a reset the business key still belongs to the conversation: it cannot be created again, and direct runs find it',
    rules: ['RESET-13'],
    run: async (t) => {
      const key = t.fresh('order')
      const conversation = await t.conversation({ conversation_key: key })
      const { conversation_id: id } = conversation
      await runToEnd(t, conversation, t.script({ succeed: {} }))
      await completeReset(t, id, 1)
      assert.equal((await findRecord(t, id)).business_key, key)
      const { main } = t.config.services
      expectRefusal(await t.me.createConversation({ endpoint_id: main, conversation_key: key }), 409, 'BUSY')
      const direct = { conversation_key: key, expected_generation: 2, input: t.script({ succeed: {} }) }
      const { status, text } = await t.me.createRun(main, direct)
      assert.ok(status >= 200 && status < 300, `a direct run with the key is answered with ${status} ${text}`)
      const { runs } = await readSnapshot(t, id)
      assert.ok(
        runs.some(({ generation }) => generation === 2),
        'the direct run used another conversation',
      )
    },
  },
  {
    id: 'reset/adopts-the-published-version',
    title: 'a reset adopts the newest published version; without a new version it keeps the old one',
    rules: ['RESET-08'],
    needs: ['driver.createService', 'driver.publishVersion'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id, binding_version: first } = await t.conversation({ endpoint_id: endpointId })
      const bound = async () => (await findRecord(t, id, { endpointId })).binding_version
      await completeReset(t, id, 1)
      assert.equal(await bound(), first, 'the version changed although none was published')
      await t.driver.publishVersion(endpointId, 'compatible')
      const second = await t.driver.publishVersion(endpointId, 'breaking')
      assert.equal(await bound(), first, 'the version changed without a reset')
      await completeReset(t, id, 2)
      assert.equal(await bound(), second)
      // The message is sent before the publication, because afterwards it may be refused.
      const { body: admission } = expectStatus(await t.me.send(id, t.script({ hang: true }), { generation: 3 }), 202)
      await t.runIn(admission.run_id, ['running'])
      const third = await t.driver.publishVersion(endpointId, 'compatible')
      await completeReset(t, id, 3, 'cancel_and_reset')
      assert.equal(await bound(), third)
      expectStatus(await t.me.send(id, t.script({ succeed: {} }), { generation: 4 }), 202)
    },
  },
  {
    id: 'reset/new-context',
    title: 'messages and runs after a reset belong to the new generation, whose history has no earlier messages',
    rules: ['RESET-14'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      for (const generation of [1, 2, 3]) {
        const text = `said in generation ${generation}`
        const { body } = expectStatus(
          await t.me.send(id, { text, ...t.script({ message: text }) }, { generation }),
          202,
        )
        assert.equal((await t.runEnded(body.run_id)).generation, generation)
        const messages = await readHistory(t, id, `generation=${generation}`)
        assert.ok(messages.some(({ role, content }) => role === 'user' && content.text === text))
        for (const message of messages)
          assert.deepEqual([message.generation, message.run_id], [generation, body.run_id])
        await completeReset(t, id, generation)
        const fresh = await readHistory(t, id, `generation=${generation + 1}`)
        assert.deepEqual(fresh, [], 'a new generation begins with messages')
      }
    },
  },
  {
    id: 'reset/undoes-nothing',
    title: 'messages and results of earlier generations are unchanged after a reset, with or without unfinished work',
    rules: ['RESET-15'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const done = await t.admit(
        conversation,
        t.script({ message: 'one' }, { delta: 'two' }, { succeed: { text: 'end' } }),
      )
      const failed = await t.admit(
        conversation,
        t.script({ delta: 'half' }, { fail: { code: 'BROKEN', message: 'No.' } }),
      )
      for (const { run_id } of [done, failed]) await t.runEnded(run_id)
      const read = async () => ({
        messages: await readHistory(t, id, 'generation=1'),
        runs: [await readRun(t, done.run_id), await readRun(t, failed.run_id)],
      })
      const before = await read()
      assert.ok(before.messages.length > 2, 'the history lacks messages')
      await completeReset(t, id, 1)
      assert.deepEqual(await read(), before)
      const later = expectStatus(await t.me.send(id, t.script({ hang: true }), { generation: 2 }), 202).body
      await t.runIn(later.run_id, ['running'])
      await completeReset(t, id, 2, 'cancel_and_reset')
      assert.deepEqual(await read(), before)
    },
  },
]
