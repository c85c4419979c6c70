import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { allKeyedOperations, countInputs, perform } from '../../../kit/steps/keyed-operations.ts'
import { expectReplay, REPLAYED } from '../../../kit/steps/replays.ts'
import { DAY_MS, untilGone } from '../../../kit/steps/retention.ts'

const MINUTE_MS = 60_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/keys-survive-a-crash',
    title: 'a request admitted before a crash is replayed after it, for each operation',
    rules: ['IDEM-18'],
    tags: ['durability'],
    needs: ['driver.restartServer'],
    alone: 'all',
    run: async (t) => {
      const operations = await allKeyedOperations(t)
      const admitted: (() => Promise<void>)[] = []
      for (const operation of operations) {
        const key = t.fresh()
        const first = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        admitted.push(async () => expectReplay(operation.name, await perform(operation, t.me, { key }), first))
      }
      await t.driver.restartServer()
      for (const expectRemembered of admitted) await expectRemembered()
    },
  },
  {
    id: 'idempotency/a-crash-leaves-both-or-neither',
    title: 'a request interrupted by a crash is stored with its key or not at all, and its repeat is admitted once',
    rules: ['IDEM-18'],
    tags: ['durability', 'race'],
    needs: ['driver.restartServer'],
    alone: 'all',
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const requests = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? createOnce(t) : sendOnce(t, id)))
      const cutOff = requests.map((request, at) => later(at, request))
      await Promise.all([t.driver.restartServer(), ...cutOff])
      let admitted = 0
      for (const request of requests) {
        const first = expectStatus(await request(), 201, 202, 429)
        if (first.status === 429) continue
        admitted += first.status === 202 ? 1 : 0
        expectReplay('once more', await request(), { ...first, headers: {} })
      }
      assert.equal(
        await countInputs(t.me, id),
        admitted,
        'the number of messages in the history is not the number of keys that admitted one',
      )
    },
  },
  {
    id: 'idempotency/keys-are-kept-for-seven-days',
    title: 'a key returns its first answer, and refuses other content, until 7 days have passed',
    rules: ['IDEM-19'],
    needs: ['driver.moveClock'],
    alone: 'all',
    run: async (t) => {
      const key = t.fresh()
      const first = expectStatus(await create(t, key), 201)
      await t.driver.moveClock(7 * DAY_MS - 10 * MINUTE_MS)
      expectReplay('10 minutes before 7 days have passed', await create(t, key), first)
      const changed = await create(t, key, { conversation_key: t.fresh('order') })
      expectRefusal(changed, 409, 'IDEMPOTENCY_CONFLICT')
    },
  },
  {
    id: 'idempotency/keys-are-free-after-seven-days',
    title: 'a key can be used for a new request soon after 7 days have passed',
    rules: ['IDEM-19'],
    tags: ['slow'],
    needs: ['driver.moveClock'],
    alone: 'all',
    run: async (t) => {
      const key = t.fresh()
      const first = expectStatus(await create(t, key), 201)
      const earlier = first.body.conversation_id
      await t.driver.moveClock(7 * DAY_MS + 10 * MINUTE_MS)
      await untilGone(t, 'a creation under a key of 7 days ago makes a new conversation', async () => {
        const { body } = expectStatus(await create(t, key), 201)
        return body.conversation_id !== earlier
      })
      const again = await create(t, key)
      assert.equal(again.headers[REPLAYED], 'true', 'repeating the new request under the key is not a replay')
    },
  },
]

const create = (t: ServerContext, key: string, more: object = {}) =>
  t.me.createConversation({ endpoint_id: t.config.services.main, ...more }, { key })

/** Sends the request after this many milliseconds and ignores its outcome. A repeat shows whether it was admitted. */
const later = async (at: number, request: () => Promise<Answer>): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, at))
  await request().catch(() => {})
}

/** A creation with a business key. If only its Idempotency-Key were lost, a repeat would be refused as BUSY. */
function createOnce(t: ServerContext): () => Promise<Answer> {
  const key = t.fresh()
  const creation = { endpoint_id: t.config.services.main, conversation_key: t.fresh('order') }
  return () => t.me.createConversation(creation, { key })
}

function sendOnce(t: ServerContext, conversationId: string): () => Promise<Answer> {
  const key = t.fresh()
  return () => t.me.send(conversationId, { text: key }, { key })
}
