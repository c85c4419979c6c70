import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { idsOf, listItems } from '../../../kit/steps/conversations.ts'
import { inputsIn, readSnapshot } from '../../../kit/steps/snapshots.ts'

const create = (t: ServerContext, more: object): Promise<Answer> =>
  t.me.post('/conversations', { endpoint_id: t.config.services.main, ...more })

/** Fails unless the creation is refused with a 4xx status and the list of conversations stays unchanged. */
async function expectNoneCreated(t: ServerContext, what: string, creation: object): Promise<void> {
  const before = idsOf(await listItems(t.me, t.config.services.main))
  const { status, text } = await t.me.post('/conversations', creation)
  assert.ok(status >= 400 && status < 500, `${what} was answered with ${status} ${text.slice(0, 300)}`)
  const after = idsOf(await listItems(t.me, t.config.services.main))
  assert.deepEqual(after, before, `${what} was refused, but the list of conversations has changed`)
}

/** Characters that every implementation treats as white space. D-62 decides about others. */
const WHITE_SPACE = [' ', '\t', '\n']
const WIDER_WHITE_SPACE = ['\u00a0', '\u3000']

export const checks: readonly ServerCheck[] = [
  {
    id: 'conversations/creation',
    title: 'a creation answers 201 with an active record of generation 1 that accepts messages at once',
    rules: ['CONV-01', 'CONV-17', 'CONV-20', 'CONV-21'],
    run: async (t) => {
      for (const more of [{}, { conversation_key: t.fresh('order') }]) {
        const record = await t.conversation(more)
        assert.equal(record.generation, 1)
        assert.equal(record.state, 'active')
        assert.equal((await readSnapshot(t, record.conversation_id)).generation, 1)
        await t.admit(record, { text: 'hello' })
      }
    },
  },
  {
    id: 'conversations/endpoint-is-required',
    title: 'a creation without a string endpoint_id is refused with 400 INVALID_REQUEST',
    rules: ['CONV-02'],
    run: async (t) => {
      expectRefusal(await t.me.post('/conversations', {}), 400, 'INVALID_REQUEST')
      expectRefusal(await t.me.post('/conversations', { conversation_key: t.fresh() }), 400, 'INVALID_REQUEST')
      for (const endpointId of [null, 7, true, [t.config.services.main], { id: t.config.services.main }])
        expectRefusal(await create(t, { endpoint_id: endpointId }), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'conversations/only-own-published-services',
    title: 'a creation for an unknown service, or one of another application, is refused and creates nothing',
    rules: ['CONV-03', 'CONV-13'],
    tags: ['security'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const others = { foreign, unknown: t.fresh('ep'), empty: '', spaced: `${main} `, upper: main.toUpperCase() }
      for (const [what, endpointId] of Object.entries(others))
        if (endpointId !== main)
          await expectNoneCreated(t, `a creation for the service "${endpointId}" (${what})`, {
            endpoint_id: endpointId,
          })
      const theirs = await t.caller({ app: 'second' }).createConversation({ endpoint_id: main })
      assert.ok(
        theirs.status >= 400 && theirs.status < 500,
        `an application created a conversation for the service of another application: ${theirs.status} ${theirs.text}`,
      )
    },
  },
  {
    id: 'conversations/every-own-service',
    title: 'a conversation can be created for each service of the application, and its record names that service',
    rules: ['CONV-13', 'CONV-25'],
    run: async (t) => {
      const { main, sameDevice, otherDevice, foreign } = t.config.services
      for (const endpointId of [main, sameDevice, otherDevice])
        if (endpointId !== undefined)
          assert.equal((await t.conversation({ endpoint_id: endpointId })).endpoint_id, endpointId)
      const theirs = await t.conversation({ endpoint_id: foreign }, t.caller({ app: 'second' }))
      assert.equal(theirs.endpoint_id, foreign)
    },
  },
  {
    id: 'conversations/key-is-a-string',
    title: 'a conversation_key that is not a string is refused with 400 INVALID_REQUEST',
    rules: ['CONV-04'],
    run: async (t) => {
      for (const key of [7, true, null, ['order'], { key: 'order' }])
        expectRefusal(await create(t, { conversation_key: key }), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'conversations/key-length',
    title: 'a conversation_key of 1 and of 256 characters is accepted; one of 0 and of 257 is refused',
    rules: ['CONV-04', 'LIMIT-05'],
    tags: ['limit'],
    run: async (t) => {
      const longest = `${t.fresh('order')}-`.padEnd(256, 'k')
      assert.equal((await t.conversation({ conversation_key: longest })).business_key, longest)
      for (const key of ['', `${t.fresh('order')}-`.padEnd(257, 'k'), 'k'.repeat(4096)])
        expectRefusal(await create(t, { conversation_key: key }), 400, 'INVALID_REQUEST')
      // Earlier runs may already have used the shortest keys. Then 409 is correct.
      for (const key of ['k', '7', 'é']) {
        const answer = await create(t, { conversation_key: key })
        assert.ok(answer.status === 201 || answer.status === 409, `a key of one character: ${answer.text}`)
      }
    },
  },
  {
    id: 'conversations/key-length-is-in-characters',
    title: 'the length of a conversation_key is counted in characters, not in bytes',
    rules: ['CONV-04', 'LIMIT-05'],
    tags: ['limit'],
    run: async (t) => {
      for (const letter of ['é', '漢']) {
        const prefix = `${t.fresh('order')}-`
        const longest = prefix + letter.repeat(256 - prefix.length)
        assert.equal((await t.conversation({ conversation_key: longest })).business_key, longest)
        expectRefusal(await create(t, { conversation_key: `${longest}${letter}` }), 400, 'INVALID_REQUEST')
      }
    },
  },
  {
    id: 'conversations/key-without-surrounding-white-space',
    title: 'a conversation_key with surrounding white space is refused, not trimmed; white space inside is kept',
    rules: ['CONV-05'],
    run: async (t) => {
      const key = t.fresh('order')
      for (const space of t.profile === 'core' ? WHITE_SPACE : [...WHITE_SPACE, ...WIDER_WHITE_SPACE])
        for (const surrounded of [`${space}${key}`, `${key}${space}`, `${space}${key}${space}`, space])
          expectRefusal(await create(t, { conversation_key: surrounded }), 400, 'INVALID_REQUEST')
      const inside = `${key} with  spaces`
      assert.equal((await t.conversation({ conversation_key: inside })).business_key, inside)
      assert.equal((await t.conversation({ conversation_key: key })).business_key, key)
    },
  },
  {
    id: 'conversations/side-by-side-without-key',
    title: 'each creation without conversation_key creates a separate conversation',
    rules: ['CONV-06'],
    run: async (t) => {
      const records = await Promise.all(Array.from({ length: 6 }, () => t.conversation()))
      assert.equal(new Set(idsOf(records)).size, 6, 'two creations without a business key created one conversation')
      for (const record of records) await t.admit(record, { text: 'hello' })
      for (const id of idsOf(records))
        assert.equal((await inputsIn(t, id)).length, 1, 'a message is in two conversations')
    },
  },
]
