import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { idsOf, listItems, recordsIn } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'

/** Members of a conversation record that the specification defines. */
const MEMBERS = [
  'conversation_id',
  'owner_id',
  'app_id',
  'subject',
  'endpoint_id',
  'binding_version',
  'generation',
  'business_key',
  'state',
  'created_at',
] as const satisfies readonly (keyof Conversation)[]

const expectSameRecord = (listed: Conversation | undefined, record: Conversation): void => {
  for (const member of MEMBERS)
    assert.deepEqual(
      listed?.[member],
      record[member],
      `${member} of a listed conversation is ${JSON.stringify(listed?.[member])}, expected ${JSON.stringify(record[member])}`,
    )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'listing/takes-its-parameters',
    title: 'the list accepts endpoint_id with limit, with before, with both and alone',
    rules: ['LIST-01', 'LIST-04'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main } = t.config.services
      const records = [await t.conversation(), await t.conversation(), await t.conversation()]
      const all = idsOf(await listItems(t.me, main, ''))
      for (const { conversation_id: id } of records) assert.ok(all.includes(id), `${id} is missing from the list`)
      assert.equal((await listItems(t.me, main, 'limit=50')).length, all.length)
      // The specification does not define the allowed limits: a small one may be refused (D-13 decides).
      for (const limit of [1, 2]) {
        const answer = await t.me.listConversations(`endpoint_id=${main}&limit=${limit}`)
        if (answer.status === 200)
          assert.ok(
            recordsIn(answer.body).length <= limit,
            `limit=${limit} returned ${recordsIn(answer.body).length} conversations`,
          )
        else expectStatus(answer, 400)
      }
      for (const { conversation_id: id } of records) {
        const page = idsOf(await listItems(t.me, main, `before=${id}`))
        assert.ok(!page.includes(id), `the page for before=${id} contains ${id}`)
        assert.ok(page.length < all.length, `the page for before=${id} has all ${all.length} conversations`)
        assert.deepEqual(idsOf(await listItems(t.me, main, `before=${id}&limit=50`)), page)
      }
    },
  },
  {
    id: 'listing/finds-by-key',
    title: 'the list with a conversation_key contains only the conversation of that key, and is empty before it exists',
    rules: ['LIST-14'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main } = t.config.services
      const key = t.fresh('order')
      const { conversation_id: id } = await t.conversation({ conversation_key: key })
      await t.conversation()
      const find = async (query: string) => idsOf(await listItems(t.me, main, query))
      assert.deepEqual(await find(`conversation_key=${key}`), [id])
      assert.deepEqual(await find(`conversation_key=${key}&before=${id}`), [])
      assert.deepEqual(await find(`conversation_key=${t.fresh('order')}`), [])
    },
  },
  {
    id: 'listing/holds-the-device',
    title: 'the list of a service contains all conversations of its device, including those of other services there',
    rules: ['LIST-02'],
    needs: ['services.sameDevice'],
    run: async (t) => {
      const { main, sameDevice = main } = t.config.services
      const created = [
        await t.conversation(),
        await t.conversation({ endpoint_id: sameDevice }),
        await t.conversation(),
      ]
      for (const endpointId of [main, sameDevice]) {
        const ids = idsOf(await listItems(t.me, endpointId))
        for (const { conversation_id: id, endpoint_id: of } of created)
          assert.ok(ids.includes(id), `the list of ${endpointId} lacks a conversation of ${of} on the same device`)
      }
    },
  },
  {
    id: 'listing/nothing-of-other-tenants',
    title: 'the list omits conversations of other subjects and other applications',
    rules: ['LIST-03'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const [other, theirs] = [t.caller({ subject: t.otherSubject() }), t.caller({ app: 'second' })]
      const key = t.fresh('order')
      const mine = await t.conversation({ conversation_key: key })
      const ofOther = await t.conversation({ conversation_key: key }, other)
      const ofSecond = await t.conversation({ endpoint_id: foreign, conversation_key: key }, theirs)
      const lists = [
        [t.me, main, mine],
        [other, main, ofOther],
        [theirs, foreign, ofSecond],
      ] as const
      for (const [caller, endpointId, own] of lists) {
        const items = await listItems(caller, endpointId)
        assert.ok(
          idsOf(items).includes(own.conversation_id),
          `the list lacks the caller's own conversation ${own.conversation_id}`,
        )
        for (const { subject, app_id: appId, conversation_id: id } of items) {
          assert.equal(subject, caller.subject, `${id} belongs to another subject`)
          assert.equal(appId, own.app_id, `${id} belongs to another application`)
        }
        for (const page of [`before=${own.conversation_id}`, 'limit=50'])
          for (const { subject } of await listItems(caller, endpointId, page)) assert.equal(subject, caller.subject)
      }
    },
  },
  {
    id: 'listing/other-applications-service-shows-nothing',
    title: "the list of another application's service shows none of its conversations",
    rules: ['LIST-03'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const theirs = t.caller({ app: 'second' })
      await t.conversation()
      await t.conversation({ endpoint_id: foreign }, theirs)
      for (const [caller, endpointId] of [[t.me, foreign] as const, [theirs, main] as const]) {
        const answer = await caller.listConversations(`endpoint_id=${endpointId}`)
        if (answer.status === 200) assert.deepEqual(recordsIn(answer.body), [])
        else expectStatus(answer, 400, 403, 404)
      }
    },
  },
  {
    id: 'listing/nothing-of-other-devices',
    title: 'the list shows the conversations of its own device, and none of another device',
    rules: ['LIST-02', 'LIST-03'],
    needs: ['services.otherDevice'],
    run: async (t) => {
      const { main, otherDevice = main } = t.config.services
      const [here, there] = [await t.conversation(), await t.conversation({ endpoint_id: otherDevice })]
      const [ofMain, ofOther] = [idsOf(await listItems(t.me, main)), idsOf(await listItems(t.me, otherDevice))]
      assert.ok(ofMain.includes(here.conversation_id) && ofOther.includes(there.conversation_id))
      assert.ok(!ofMain.includes(there.conversation_id), 'the list shows a conversation of another device')
      assert.ok(!ofOther.includes(here.conversation_id), 'the list shows a conversation of another device')
    },
  },
  {
    id: 'listing/holds-records',
    title: 'the items are the conversation records with the current generation',
    rules: ['LIST-05'],
    run: async (t) => {
      const { main } = t.config.services
      const records = [await t.conversation(), await t.conversation({ conversation_key: t.fresh('order é') })]
      const find = async (id: string) =>
        (await listItems(t.me, main)).find(({ conversation_id: listed }) => listed === id)
      for (const record of records) expectSameRecord(await find(record.conversation_id), record)
      const [first] = records
      assert.ok(first !== undefined)
      await completeReset(t, first.conversation_id, 1)
      const listed = await find(first.conversation_id)
      expectSameRecord(listed, { ...first, generation: 2, binding_version: listed?.binding_version ?? 0 })
    },
  },
]
