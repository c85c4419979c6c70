import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { countByBusinessKey } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

const createWith = (t: ServerContext, key: string) =>
  t.me.createConversation({ endpoint_id: t.config.services.main, conversation_key: key })

export const checks: readonly ServerCheck[] = [
  {
    id: 'conversations/duplicate-key-is-busy',
    title: 'the same business key under another Idempotency-Key is refused with 409 BUSY and creates nothing',
    rules: ['CONV-08'],
    run: async (t) => {
      const key = t.fresh('order')
      await t.conversation({ conversation_key: key })
      for (let time = 0; time < 2; time += 1) expectRefusal(await createWith(t, key), 409, 'BUSY')
      assert.equal(await countByBusinessKey(t.me, t.config.services.main, key), 1)
    },
  },
  {
    id: 'conversations/duplicate-does-not-give-the-earlier',
    title: 'a creation with an existing business key is not a retry: it does not return the earlier conversation',
    rules: ['IDEM-07', 'CONV-07'],
    run: async (t) => {
      const key = t.fresh('order')
      const earlier = await t.conversation({ conversation_key: key })
      const again = expectRefusal(await createWith(t, key), 409)
      const record: unknown = again.body
      // A refusal may name the existing conversation.
      const shown = typeof record === 'object' && record !== null && 'binding_version' in record
      assert.ok(!shown, `the refusal is the record of ${earlier.conversation_id}`)
    },
  },
  {
    id: 'conversations/key-does-not-replace-idempotency-key',
    title: 'a creation with a business key and without Idempotency-Key is refused',
    rules: ['CONV-07'],
    run: async (t) => {
      const json = { endpoint_id: t.config.services.main, conversation_key: t.fresh('order') }
      const { status } = await t.me.request('POST', '/conversations', { json })
      assert.ok(status >= 400 && status < 500, `a business key was accepted as an Idempotency-Key: ${status}`)
      expectStatus(await t.me.createConversation(json), 201)
    },
  },
  {
    id: 'conversations/key-stays-taken',
    title: 'a business key stays in use after runs have ended and after a reset',
    rules: ['CONV-08'],
    run: async (t) => {
      const key = t.fresh('order')
      const conversation = await t.conversation({ conversation_key: key })
      await runToEnd(t, conversation, { text: 'work' })
      expectRefusal(await createWith(t, key), 409, 'BUSY')
      await completeReset(t, conversation.conversation_id, 1)
      expectRefusal(await createWith(t, key), 409, 'BUSY')
    },
  },
  {
    id: 'conversations/key-of-a-direct-run-is-taken',
    title: 'a conversation whose business key a direct run created cannot be created again',
    rules: ['CONV-08'],
    run: async (t) => {
      const key = t.fresh('order')
      const run = { conversation_key: key, input: { text: 'work' } }
      expectStatus(await t.me.createRun(t.config.services.main, run), 200, 201, 202)
      expectRefusal(await createWith(t, key), 409, 'BUSY')
    },
  },
  {
    id: 'conversations/key-belongs-to-application-subject-and-service',
    title: 'the same business key is free for another subject, another application and another service',
    rules: ['CONV-08'],
    tags: ['security'],
    run: async (t) => {
      const more = { conversation_key: t.fresh('order') }
      const { sameDevice, otherDevice, foreign } = t.config.services
      await t.conversation(more)
      await t.conversation(more, t.caller({ subject: t.otherSubject() }))
      await t.conversation({ ...more, endpoint_id: foreign }, t.caller({ app: 'second' }))
      for (const endpointId of [sameDevice, otherDevice])
        if (endpointId !== undefined) await t.conversation({ ...more, endpoint_id: endpointId })
      expectRefusal(await createWith(t, more.conversation_key), 409, 'BUSY')
    },
  },
  {
    id: 'conversations/keys-differ-in-every-character',
    title: 'business keys that differ in case, length or an inner space are different keys',
    rules: ['CONV-08', 'CONV-18'],
    run: async (t) => {
      const key = `${t.fresh('Order')} "ä\\/%20" 漢 🙂`
      const long = `${t.fresh('order')}-`.padEnd(255, 'k')
      const keys = [key, key.toUpperCase(), key.toLowerCase(), `${key}0`, `0${key}`, key.replace(' ', '  ')]
      for (const one of [...keys, `${long}a`, `${long}b`, long])
        assert.equal((await t.conversation({ conversation_key: one })).business_key, one)
    },
  },
  {
    id: 'conversations/characters-of-keys',
    title:
      'a business key may contain any character except NUL and lone surrogates, has no surrounding white space, and is shown unchanged',
    rules: ['CONV-26'],
    run: async (t) => {
      const inside = ['\t', '\n', '\r\n', '\u0001', '\u001f', '\u007f', '\u0085', '\u200b', '\u2028']
      for (const character of inside) {
        const key = `${t.fresh('order')}${character}x`
        assert.equal((await t.conversation({ conversation_key: key })).business_key, key)
      }
      const start = t.fresh('order')
      const longest = `${start}${'😀'.repeat(256 - start.length)}`
      assert.equal((await t.conversation({ conversation_key: longest })).business_key, longest)
      const around = [' ', '\t', '\n', '\u00a0', '\u3000'].flatMap((space) => [`${space}x`, `x${space}`, space])
      for (const key of [...around, '', 'a\u0000b', 'a\ud800', '\udc00b', `${longest}x`])
        expectRefusal(await createWith(t, key), 400)
    },
  },
  {
    id: 'conversations/one-of-simultaneous-creations',
    title: 'of simultaneous creations with one business key exactly one succeeds and the others get 409 BUSY',
    rules: ['CONV-08'],
    tags: ['race'],
    run: async (t) => {
      const key = t.fresh('order')
      const answers = await Promise.all(Array.from({ length: 12 }, () => createWith(t, key)))
      const created = answers.filter(({ status }) => status === 201)
      assert.equal(created.length, 1, `${created.length} simultaneous creations succeeded with the same business key`)
      for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 409, 'BUSY')
      assert.equal(await countByBusinessKey(t.me, t.config.services.main, key), 1)
    },
  },
  {
    id: 'conversations/direct-run-and-creation-race',
    title: 'a creation and direct runs sent at once with one business key lead to one conversation',
    rules: ['CONV-08'],
    tags: ['race'],
    run: async (t) => {
      const key = t.fresh('order')
      const run = { conversation_key: key, input: { text: 'work' } }
      const [created, ...ran] = await Promise.all([
        createWith(t, key),
        ...Array.from({ length: 5 }, () => t.me.createRun(t.config.services.main, run)),
      ])
      if (created.status !== 201) expectRefusal(created, 409, 'BUSY')
      for (const answer of ran) expectStatus(answer, 200, 201, 202)
      assert.equal(await countByBusinessKey(t.me, t.config.services.main, key), 1)
    },
  },
]
