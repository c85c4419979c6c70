import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { expectInOrder } from '../../../kit/steps/clock-skew.ts'
import { findRecord, listItems } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'

const STRINGS = ['conversation_id', 'owner_id', 'app_id', 'subject', 'endpoint_id', 'state', 'created_at'] as const
const INTEGERS = ['binding_version', 'generation'] as const
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const checks: readonly ServerCheck[] = [
  {
    id: 'conversations/record',
    title:
      'the record has its seven strings, two positive integers, a conversation ID and a UTC time to the millisecond',
    rules: ['CONV-14'],
    run: async (t) => {
      const earlier = await t.conversation()
      const record = await t.conversation({ conversation_key: t.fresh('order') })
      for (const name of STRINGS) assert.equal(typeof record[name], 'string', `${name} is not a string`)
      for (const name of STRINGS) assert.notEqual(record[name], '', `${name} is empty`)
      for (const name of INTEGERS)
        assert.ok(Number.isInteger(record[name]) && record[name] >= 1, `${name} is not a positive integer`)
      assert.match(record.conversation_id, /^conv_.+/)
      assert.match(record.created_at, TIMESTAMP)
      expectInOrder('two creations', [earlier.created_at, record.created_at])
    },
  },
  {
    id: 'conversations/record-names-its-subject',
    title: 'the record has the subject of the header, unchanged',
    rules: ['CONV-15'],
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const subject of [t.me.subject, t.otherSubject(), `${t.fresh('Customer')} %41+B/7`]) {
        const record = await t.conversation({}, t.caller({ subject }))
        assert.equal(record.subject, subject)
      }
    },
  },
  {
    id: 'conversations/record-names-its-owner',
    title: 'the record has the application of the key, and the same owner for all conversations of an application',
    rules: ['CONV-25'],
    needs: ['appIds'],
    run: async (t) => {
      const { main, foreign, sameDevice } = t.config.services
      const mine = await t.conversation()
      const another = await t.conversation(
        { endpoint_id: sameDevice ?? main, conversation_key: t.fresh('order') },
        t.caller({ subject: t.otherSubject() }),
      )
      const theirs = await t.conversation({ endpoint_id: foreign }, t.caller({ app: 'second' }))
      const { first, second } = t.config.apps
      assert.deepEqual([mine.app_id, another.app_id, theirs.app_id], [first.appId, first.appId, second.appId])
      assert.equal(another.owner_id, mine.owner_id, 'two conversations of one application have different owners')
      assert.equal(another.endpoint_id, sameDevice ?? main)
    },
  },
  {
    id: 'conversations/record-has-the-business-key',
    title: 'the record has the conversation_key of the request as business_key, unchanged',
    rules: ['CONV-18'],
    run: async (t) => {
      for (const key of [t.fresh('Order'), `${t.fresh()} é 漢 🙂 "\\/ <b>&amp;`, `null-${t.fresh()}`]) {
        const record = await t.conversation({ conversation_key: key })
        assert.equal(record.business_key, key)
        assert.ok(
          !('conversation_key' in record),
          'the record has conversation_key, which is the name in requests only',
        )
      }
    },
  },
  {
    id: 'conversations/record-without-business-key',
    title: 'business_key is absent, not null and not empty, from a record without one, in the answer and in the list',
    rules: ['CONV-19'],
    run: async (t) => {
      const record = await t.conversation()
      const direct = expectStatus(await t.me.createRun(t.config.services.main, { input: { text: 'x' } }), 200, 201, 202)
      const ids = [record.conversation_id, direct.body.conversation_id]
      const listed = (await listItems(t.me, t.config.services.main)).filter(({ conversation_id: id }) =>
        ids.includes(id),
      )
      for (const one of [record, ...listed])
        assert.ok(!('business_key' in one), `a record without business key has business_key ${one.business_key}`)
    },
  },
  {
    id: 'conversations/record-has-the-published-version',
    title: 'binding_version is the version published at creation; a later publication changes it only at a reset',
    rules: ['CONV-16'],
    needs: ['driver.createService', 'driver.publishVersion'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const create = () => t.conversation({ endpoint_id: endpointId })
      const before = await create()
      const version = await t.driver.publishVersion(endpointId, 'compatible')
      assert.notEqual(version, before.binding_version)
      const after = await create()
      assert.equal(after.binding_version, version)
      assert.equal(after.generation, 1, 'a publication must not change the generation of new conversations')
      const last = await t.driver.publishVersion(endpointId, 'compatible')
      assert.equal((await create()).binding_version, last)

      const bound = async ({ conversation_id: id }: Conversation) => {
        const record = await findRecord(t, id, { endpointId })
        return [record.binding_version, record.generation]
      }
      assert.deepEqual(await bound(before), [before.binding_version, 1], 'a publication changed a conversation')
      assert.deepEqual(await bound(after), [version, 1], 'a publication changed a conversation')
      await completeReset(t, before.conversation_id, 1)
      assert.deepEqual(await bound(before), [last, 2], 'a reset must adopt the published version')
      assert.deepEqual(await bound(after), [version, 1])
    },
  },
]
