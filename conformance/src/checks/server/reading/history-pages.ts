import assert from 'node:assert/strict'
import type { Message } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { expectInOrder } from '../../../kit/steps/clock-skew.ts'
import { expectIncreasing } from '../../../kit/steps/events.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { fillWithMessages, labelOf, readHistory } from '../../../kit/steps/snapshots.ts'

/** Creates a conversation with this many messages. The assistant's messages have labels. */
async function withMessages(t: ServerContext, count: number): Promise<string> {
  const conversation = await t.conversation()
  await fillWithMessages(t, conversation, 1, count)
  return conversation.conversation_id
}

const labelsOf = (messages: readonly Message[]): (string | undefined)[] =>
  messages.filter(({ role }) => role !== 'user').map(({ content }) => content.text)

/** All pages from the newest to the oldest, with the empty one at the end. */
async function walk(t: ServerContext, id: string, limit: string): Promise<Message[][]> {
  const pages: Message[][] = []
  for (;;) {
    const oldest = Math.min(...(pages.at(-1) ?? []).map(({ cursor }) => cursor))
    const before = pages.length === 0 ? '' : `before=${oldest}`
    const page = await readHistory(t, id, [limit, before].filter((part) => part !== '').join('&'))
    pages.push(page)
    if (page.length === 0) return pages
    assert.ok(pages.length < 400, '400 pages were read, and none was empty')
  }
}

const cursorsOf = (messages: readonly Message[]): number[] => messages.map(({ cursor }) => cursor)

export const checks: readonly ServerCheck[] = [
  {
    id: 'history/page-sizes',
    title: 'limit sets the number of messages of a page: 50 by default, and at most 100',
    rules: ['HIST-04', 'HIST-05', 'HIST-06', 'LIMIT-13'],
    tags: ['limit'],
    run: async (t) => {
      const id = await withMessages(t, 103)
      const newest = await readHistory(t, id, 'limit=100')
      assert.equal(newest.length, 100, `limit=100 returned ${newest.length} of 103 messages`)
      assert.equal(newest.at(-1)?.content.text, labelOf(103), 'the page without before is not the newest')
      assert.deepEqual(await readHistory(t, id, ''), newest.slice(-50), 'the default is not the newest 50')
      for (const limit of [1, 2, 49, 50, 51, 99])
        assert.deepEqual(await readHistory(t, id, `limit=${limit}`), newest.slice(-limit), `limit=${limit}`)
      for (const limit of [101, 103, 199, 200])
        assert.deepEqual(
          await readHistory(t, id, `limit=${limit}`),
          newest,
          `limit=${limit} must return the newest 100 messages`,
        )
      const cursor = newest.at(-1)?.cursor
      assert.equal((await readHistory(t, id, `before=${cursor}`)).length, 50, 'the default with before is not 50')
      assert.equal((await readHistory(t, id, `limit=200&before=${cursor}`)).length, 100)
      assert.equal((await readHistory(t, id, 'generation=1')).length, 50, 'the default with generation is not 50')
    },
  },
  {
    id: 'history/limit-is-1-to-200',
    title: 'a limit of 1 and of 200 is accepted; 0, 201 and values that are not integers are refused',
    rules: ['HIST-05', 'LIMIT-13'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const limit of [1, 50, 100, 101, 200]) expectStatus(await t.me.history(id, `limit=${limit}`), 200)
      const odd = t.profile === 'core' ? [] : ['', '1e2', '0x10']
      for (const limit of ['0', '201', '1000', '-1', '1.5', 'many', '9007199254740993', ...odd])
        expectRefusal(await t.me.history(id, `limit=${limit}`), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'history/before-is-exclusive',
    title: 'before returns only messages with a smaller cursor, for every cursor',
    rules: ['HIST-07', 'HIST-11', 'HIST-13'],
    run: async (t) => {
      const id = await withMessages(t, 8)
      const all = await readHistory(t, id)
      assert.equal(all.length, 8)
      for (const [at, { cursor }] of all.entries()) {
        assert.deepEqual(await readHistory(t, id, `before=${cursor}`), all.slice(0, at), `before=${cursor}`)
        assert.deepEqual(await readHistory(t, id, `before=${cursor + 1}`), all.slice(0, at + 1), `before=${cursor + 1}`)
        const two = await readHistory(t, id, `before=${cursor}&limit=2`)
        assert.deepEqual(two, all.slice(Math.max(0, at - 2), at), `before=${cursor}&limit=2`)
      }
      assert.deepEqual(await readHistory(t, id, 'before=1'), [])
    },
  },
  {
    id: 'history/before-is-a-positive-integer',
    title: 'a before that is not a positive integer, such as a message ID, is refused with 400 INVALID_REQUEST',
    rules: ['HIST-07'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ message: 'one' })
      await t.runEnded(admission.run_id)
      const odd = t.profile === 'core' ? [] : ['', '1e3', '0x10']
      for (const before of ['0', '-1', '1.5', 'one', admission.message_id, ...odd])
        expectRefusal(await t.me.history(conversation.conversation_id, `before=${before}`), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'history/oldest-to-newest',
    title: 'each page is ordered oldest to newest by cursor, which is also the order of time and of submission',
    rules: ['HIST-09', 'HIST-13'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      for (const at of [1, 2, 3])
        await runToEnd(t, conversation, t.script({ message: `${at} a` }, { message: `${at} b` }))
      for (const query of ['', 'limit=7', 'limit=5', 'generation=1']) {
        const messages = await readHistory(t, id, query)
        const texts = messages.filter(({ role }) => role !== 'user').map(({ content }) => content.text ?? '')
        assert.deepEqual(
          texts,
          [...texts].sort(),
          `the messages are not in the order of submission: ${texts.join(', ')}`,
        )
        assert.equal(
          texts.at(-1),
          '3 b',
          `the page for "${query}" does not end with the newest message, but with ${texts.at(-1)}`,
        )
        expectIncreasing('cursors', cursorsOf(messages))
        expectInOrder(
          'the messages of a page',
          messages.map(({ created_at }) => created_at),
        )
      }
    },
  },
  {
    id: 'history/walk',
    title: 'paging back by the minimum cursor returns each message once, and ends with an empty page',
    rules: ['HIST-10', 'HIST-11', 'LIMIT-13'],
    run: async (t) => {
      const id = await withMessages(t, 104)
      // Each run has up to 20 messages, of which the first is the user's.
      const labels = Array.from({ length: 104 }, (_, at) => labelOf(at + 1)).filter((_, at) => at % 20 !== 0)
      for (const limit of ['limit=100', 'limit=200', 'limit=52', 'limit=37', '']) {
        const size = Math.min(limit === '' ? 50 : Number(limit.slice(6)), 100)
        const pages = await walk(t, id, limit)
        // Only an empty page marks the end; any other page may have fewer messages than the limit.
        for (const { length } of pages)
          assert.ok(length <= size, `a page for "${limit}" has ${length} messages, expected at most ${size}`)
        const walked = pages.reverse().flat()
        assert.equal(new Set(cursorsOf(walked)).size, 104, `the pages with ${limit} miss or repeat a message`)
        assert.deepEqual(labelsOf(walked), labels, `the pages with ${limit} are not in order`)
      }
    },
  },
  {
    id: 'history/walk-over-generations',
    title: 'paging back across resets returns each message of every generation once: cursors do not restart',
    rules: ['HIST-10', 'HIST-03'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const sent: string[] = []
      for (const generation of [1, 2, 3]) {
        if (generation > 1) await completeReset(t, id, generation - 1)
        for (const part of ['a', 'b']) {
          const text = `${part} of generation ${generation}`
          sent.push(text)
          await runToEnd(t, { ...conversation, generation }, { text })
        }
      }
      for (const limit of ['limit=1', 'limit=2', 'limit=3', 'limit=5', '']) {
        const walked = (await walk(t, id, limit)).reverse().flat()
        const inputs = walked.filter(({ role }) => role === 'user').map(({ content }) => content.text)
        assert.deepEqual(
          inputs,
          sent,
          `the pages with ${limit || 'no limit'} miss, repeat or reorder messages of three generations`,
        )
        expectIncreasing('cursors of several generations', cursorsOf(walked))
      }
    },
  },
  {
    id: 'history/walk-while-messages-come',
    title: 'messages added between two page requests cause no missing or repeated messages on older pages',
    rules: ['HIST-10'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const say = async (text: string) => runToEnd(t, conversation, { text })
      for (const text of ['1', '2', '3']) await say(text)
      const all = await readHistory(t, id)
      const newest = await readHistory(t, id, 'limit=2')
      await say('4')
      const older = await readHistory(t, id, `limit=3&before=${newest[0]?.cursor}`)
      await say('5')
      const oldest = await readHistory(t, id, `before=${older[0]?.cursor}`)
      assert.deepEqual([...oldest, ...older, ...newest], all)
    },
  },
]
