import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { conversationOfKey, conversationsOf, createRun, runsOf } from '../../../kit/steps/direct-runs.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'direct-runs/without-key',
    title:
      'without conversation_key each new operation creates a conversation with one run; a repeated one creates none',
    rules: ['DIRECT-02'],
    tags: ['race'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const input = t.script({ succeed: { text: 'done' } })
      await t.conversation()
      await createRun(t, { input, conversation_key: t.fresh('order') })
      const before = new Set((await conversationsOf(t)).map(({ conversation_id }) => conversation_id))
      assert.equal(before.size, 2, `one creation and one direct run made ${before.size} conversations`)
      await createRun(t, { input })
      await Promise.all([1, 2, 3, 4].map(() => createRun(t, { input })))
      const key = t.fresh('key')
      for (let count = 0; count < 3; count += 1) await createRun(t, { input }, { key })
      const created = (await conversationsOf(t)).filter(({ conversation_id }) => !before.has(conversation_id))
      assert.equal(created.length, 6, `6 operations created ${created.length} conversations`)
      for (const conversation of created) {
        assert.deepEqual([conversation.business_key, conversation.generation], [undefined, 1])
        const runs = await runsOf(conversation, t.me)
        assert.equal(runs.length, 1, `a conversation of one direct run has ${runs.length} runs`)
        assert.equal((await t.runEnded(runs[0]?.run_id ?? '')).result?.text, 'done')
      }
    },
  },
  {
    id: 'direct-runs/found-or-created',
    title:
      'conversation_key selects the conversation of that key, by whichever route it was created, and creates it if needed',
    rules: ['DIRECT-03'],
    run: async (t) => {
      const input = t.script({ succeed: { text: 'done' } })
      const [created, existing] = [t.fresh('created'), t.fresh('existing')]
      const { conversation_id: id } = await t.conversation({ conversation_key: existing })
      for (let count = 1; count <= 3; count += 1)
        for (const key of [created, existing]) {
          await createRun(t, { input, conversation_key: key })
          const conversation = await conversationOfKey(t, key)
          if (key === existing) assert.equal(conversation.conversation_id, id)
          assert.deepEqual(
            [conversation.endpoint_id, conversation.subject, conversation.generation, conversation.state],
            [t.config.services.main, t.me.subject, 1, 'active'],
          )
          assert.equal(
            (await runsOf(conversation, t.me)).length,
            count,
            `the conversation of the key must have ${count} runs after ${count} direct runs`,
          )
        }
      const { main } = t.config.services
      const again = await t.me.createConversation({ endpoint_id: main, conversation_key: created })
      expectStatus(again, 409)
    },
  },
  {
    id: 'direct-runs/key-of-one-tenant-and-service',
    title: 'a conversation_key is specific to its application, subject and service, and is case-sensitive',
    rules: ['DIRECT-03'],
    tags: ['security'],
    needs: ['services.sameDevice', 'services.otherDevice'],
    run: async (t) => {
      const { main, sameDevice = '', otherDevice = '', foreign } = t.config.services
      const key = t.fresh('Shared')
      const places = [
        { by: t.me, endpointId: main },
        { by: t.caller({ subject: t.otherSubject() }), endpointId: main },
        { by: t.me, endpointId: sameDevice },
        { by: t.me, endpointId: otherDevice },
        { by: t.caller({ app: 'second' }), endpointId: foreign },
      ]
      const found: string[] = []
      for (const place of places) {
        await createRun(t, { input: t.script({ hang: true }), conversation_key: key }, place)
        found.push((await conversationOfKey(t, key, place)).conversation_id)
      }
      for (const other of [key.toLowerCase(), key.toUpperCase(), `${key}x`, key.slice(0, -1)]) {
        await createRun(t, { input: t.script({ hang: true }), conversation_key: other })
        found.push((await conversationOfKey(t, other)).conversation_id)
      }
      assert.equal(
        new Set(found).size,
        found.length,
        `${found.length} combinations of key, service and tenant share ${new Set(found).size} conversations`,
      )
      for (const [at, { by }] of places.entries())
        assert.equal((await runsOf({ conversation_id: found[at] ?? '' }, by)).length, 1)
      const foreignAnswer = await t
        .caller({ app: 'second' })
        .createRun(main, { input: { text: 'x' }, conversation_key: key })
      expectStatus(foreignAnswer, 404)
    },
  },
  {
    id: 'direct-runs/one-key-at-once',
    title: 'concurrent direct runs with one new conversation_key share one conversation, and each has its own run',
    rules: ['DIRECT-03'],
    tags: ['race'],
    run: async (t) => {
      for (const count of [8, 12]) {
        const key = t.fresh('race')
        const input = t.script({ hang: true })
        await Promise.all(Array.from({ length: count }, () => createRun(t, { input, conversation_key: key })))
        const runs = await runsOf(await conversationOfKey(t, key), t.me)
        assert.equal(runs.length, count, `${count} direct runs made ${runs.length} runs`)
      }
    },
  },
]
