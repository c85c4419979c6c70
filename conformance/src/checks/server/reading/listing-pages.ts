import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { idsOf, listItems } from '../../../kit/steps/conversations.ts'
import { completeReset } from '../../../kit/steps/resets.ts'

/** Creates this many conversations concurrently. */
const createMany = (t: ServerContext, count: number): Promise<Conversation[]> =>
  Promise.all(Array.from({ length: count }, () => t.conversation()))

/** Creates a conversation of each service, one after another. Returns their IDs, newest first. */
async function createInOrder(t: ServerContext, endpointIds: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const endpointId of endpointIds) ids.unshift((await t.conversation({ endpoint_id: endpointId })).conversation_id)
  return ids
}

/** All pages from the newest to the oldest, with the empty one at the end. */
async function walk(t: ServerContext, limit: string, caller: Caller = t.me): Promise<string[][]> {
  const pages: string[][] = []
  for (;;) {
    const last = pages.at(-1)?.at(-1)
    const query = [...(limit === '' ? [] : [limit]), ...(last === undefined ? [] : [`before=${last}`])].join('&')
    const page = idsOf(await listItems(caller, t.config.services.main, query))
    pages.push(page)
    if (page.length === 0) return pages
    assert.ok(pages.length < 400, '400 pages were read, and none was empty')
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'listing/page-sizes',
    title: 'a page has 50 conversations by default and at most 100; each is on one page, and the last page is empty',
    rules: ['LIST-09', 'LIST-10', 'LIST-11', 'LIST-12'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const created = idsOf(await createMany(t, 103)).sort()
      const sizes: Readonly<Record<string, readonly number[]>> = {
        '': [50, 50, 3, 0],
        'limit=50': [50, 50, 3, 0],
        'limit=99': [99, 4, 0],
        'limit=100': [100, 3, 0],
        'limit=101': [100, 3, 0],
        'limit=103': [100, 3, 0],
        'limit=200': [100, 3, 0],
      }
      for (const [limit, expected] of Object.entries(sizes)) {
        const pages = await walk(t, limit)
        assert.deepEqual(
          pages.map(({ length }) => length),
          expected,
          `the pages with ${limit === '' ? 'no limit' : limit} have ${pages.map(({ length }) => length).join(', ')} conversations, expected ${expected.join(', ')}`,
        )
        assert.deepEqual(pages.flat().sort(), created, 'the pages do not have each conversation exactly once')
      }
    },
  },
  {
    id: 'listing/form',
    title: 'the answer has the member conversations, which is a list even if it is empty',
    rules: ['LIST-06', 'LIST-12'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const read = async () =>
        expectStatus(await t.me.listConversations(`endpoint_id=${t.config.services.main}`), 200).body.conversations
      assert.deepEqual(await read(), [])
      const record = await t.conversation()
      assert.deepEqual(await read(), [record])
    },
  },
  {
    id: 'listing/newest-first',
    title: 'conversations of all services of the device are listed in the order of their creation, newest first',
    rules: ['LIST-07'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main, sameDevice = main } = t.config.services
      const ids = await createInOrder(t, [main, sameDevice, main, main, sameDevice, main])
      assert.deepEqual(idsOf(await listItems(t.me, main)), ids)
      const oldest = ids.at(-1) ?? ''
      const admission = expectStatus(await t.me.send(oldest, { text: 'work' }), 202).body
      await t.runEnded(admission.run_id)
      await completeReset(t, ids.at(-2) ?? '', 1)
      assert.deepEqual(
        idsOf(await listItems(t.me, sameDevice)),
        ids,
        'a message or a reset changed the order of the list',
      )
    },
  },
  {
    id: 'listing/endpoint-is-required',
    title: 'a list without endpoint_id is refused with 400 INVALID_REQUEST',
    rules: ['LIST-08'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const path of ['/conversations', '/conversations?limit=50', `/conversations?before=${id}`])
        expectRefusal(await t.me.get(path), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'listing/limit-is-1-to-200',
    title:
      'a limit of 1 and of 200 is accepted; 0, 201 and values that are not integers are refused with 400 INVALID_REQUEST',
    rules: ['LIST-09'],
    tags: ['limit'],
    run: async (t) => {
      const { main } = t.config.services
      await Promise.all([t.conversation(), t.conversation()])
      for (const limit of [1, 2, 100, 101, 199, 200]) await listItems(t.me, main, `limit=${limit}`)
      for (const limit of ['0', '201', '1000', '-1', '1.5', 'many', '1e2', '0x10', '5,5', '9007199254740993'])
        expectRefusal(await t.me.listConversations(`endpoint_id=${main}&limit=${limit}`), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'listing/walk',
    title: 'paging by the last ID returns each conversation once, in order, for any page size',
    rules: ['LIST-07', 'LIST-11', 'LIST-12'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main, sameDevice = main } = t.config.services
      const ids = await createInOrder(t, [main, sameDevice, main, sameDevice, sameDevice, main])
      for (const size of [1, 2, 3, 4, 5, 6, 7]) {
        const pages = await walk(t, `limit=${size}`)
        assert.deepEqual(pages.flat(), ids, `the pages of ${size} miss, repeat or reorder conversations`)
        assert.ok(
          pages.slice(0, -2).every(({ length }) => length === size),
          `a page before the last one has fewer than ${size} conversations`,
        )
      }
    },
  },
  {
    id: 'listing/walk-while-conversations-are-created',
    title: 'conversations created between two page requests do not appear on later pages, and cause no repeats there',
    rules: ['LIST-11'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const { main } = t.config.services
      const ids = await createInOrder(t, [main, main, main, main])
      const first = idsOf(await listItems(t.me, main, 'limit=2'))
      await createInOrder(t, [main, main, main])
      const second = idsOf(await listItems(t.me, main, `limit=2&before=${first.at(-1)}`))
      assert.deepEqual([...first, ...second], ids)
      assert.deepEqual(idsOf(await listItems(t.me, main, `before=${second.at(-1)}`)), [])
    },
  },
  {
    id: 'listing/before-must-be-own',
    title: 'a before that is unknown, or the conversation of another subject or application, answers 404',
    rules: ['LIST-13'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const mine = await t.conversation()
      const ofOther = await t.conversation({}, t.caller({ subject: t.otherSubject() }))
      const theirs = await t.conversation({ endpoint_id: foreign }, t.caller({ app: 'second' }))
      const unknown = `${mine.conversation_id.slice(0, -1)}${mine.conversation_id.endsWith('0') ? '1' : '0'}`
      for (const before of [ofOther.conversation_id, theirs.conversation_id, unknown, 'conv_none'])
        for (const more of ['', '&limit=50'])
          expectRefusal(await t.me.listConversations(`endpoint_id=${main}&before=${before}${more}`), 404, 'NOT_FOUND')
    },
  },
]
