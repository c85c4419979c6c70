import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectRetryAfter, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { refusedStream } from '../../../kit/steps/events.ts'
import { cancelRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { openWhenAvailable } from '../../../kit/steps/stream-limits.ts'

const QUEUED_RUNS = 20

/** Fails unless the answer is 429 with Retry-After: in seconds, or in the profile `core` also as a date. */
const expect429 = (t: ServerContext, answer: Answer): void => {
  expectStatus(answer, 429)
  const value = answer.headers['retry-after']
  assert.ok(value !== undefined, 'the 429 has no Retry-After')
  if (t.profile === 'core')
    assert.ok(
      /^\d+$/.test(value) || !Number.isNaN(Date.parse(value)),
      `expected seconds or an HTTP date, got Retry-After: ${value}`,
    )
  else expectRetryAfter(answer)
}

/** Creates a conversation with an executing run and a full queue. */
async function fillQueue(t: ServerContext): Promise<Conversation> {
  const { conversation } = await t.startIn('running', { hang: true })
  for (let count = 0; count < QUEUED_RUNS; count += 1) await t.admit(conversation, { text: 'queued' })
  return conversation
}

/** Creates a service on a new device that accepts only this many unfinished runs. */
async function serviceWithRoomFor(t: ServerContext, pendingRuns: number): Promise<string> {
  const { endpointId } = await t.driver.createService()
  await t.driver.limitDevice(endpointId, { pendingRuns })
  return endpointId
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/queue-is-full',
    title: 'a message beyond 20 queued runs of its conversation answers 429 with Retry-After, and stores nothing',
    rules: ['ERR-13', 'ERR-14'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await fillQueue(t)
      const state = async () => {
        const { messages, runs } = await readSnapshot(t, conversation.conversation_id)
        return { messages: messages.length, runs: runs.map(({ run_id }) => run_id) }
      }
      const before = await state()
      expect429(t, await t.me.send(conversation.conversation_id, { text: 'beyond the limit' }))
      assert.deepEqual(await state(), before)
      const elsewhere = await t.conversation()
      await t.admit(elsewhere, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/queue-fills-in-a-race',
    title: 'of many simultaneous messages behind an executing run exactly 20 are accepted, and the others answer 429',
    rules: ['ERR-13', 'ERR-14'],
    tags: ['limit', 'race'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const answers = await Promise.all(Array.from({ length: 26 }, (_, at) => t.me.send(id, { text: `${at}` })))
      for (const answer of answers) if (answer.status !== 202) expect429(t, answer)
      assert.equal(answers.filter(({ status }) => status === 202).length, QUEUED_RUNS)
      assert.equal((await readSnapshot(t, id)).runs.length, QUEUED_RUNS + 1)
    },
  },
  {
    id: 'errors/device-is-full',
    title: "a message beyond the device's limit of pending tasks answers 429 with Retry-After",
    rules: ['ERR-13', 'ERR-14'],
    tags: ['limit'],
    needs: ['driver.createService', 'driver.limitDevice'],
    run: async (t) => {
      const endpointId = await serviceWithRoomFor(t, 2)
      const conversations = [1, 2, 3].map(() => t.conversation({ endpoint_id: endpointId }))
      const [first, second, third] = (await Promise.all(conversations)) as [Conversation, Conversation, Conversation]
      for (const conversation of [first, second]) await t.admit(conversation, t.script({ hang: true }))
      expect429(t, await t.me.send(third.conversation_id, { text: 'x' }))
      assert.equal((await readSnapshot(t, third.conversation_id)).runs.length, 0)
    },
  },
  {
    id: 'errors/queue-full-code',
    title: 'a message refused for 20 queued runs answers 429 QUEUE_FULL with Retry-After in whole seconds',
    rules: ['ERR-32', 'ERR-39'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation_id: id } = await fillQueue(t)
      for (const text of ['one', 'two'])
        expectRetryAfter(expectRefusal(await t.me.send(id, { text }), 429, 'QUEUE_FULL'))
    },
  },
  {
    id: 'errors/device-limit-code',
    title: "messages and direct runs beyond the device's limit answer 429 PENDING_LIMIT, until a run ends",
    rules: ['ERR-33', 'ERR-39'],
    tags: ['limit'],
    needs: ['driver.createService', 'driver.limitDevice'],
    run: async (t) => {
      const endpointId = await serviceWithRoomFor(t, 1)
      const [one, two] = [
        await t.conversation({ endpoint_id: endpointId }),
        await t.conversation({ endpoint_id: endpointId }),
      ]
      const { run_id } = await t.admit(one, t.script({ hang: true }))
      const input = { text: 'x' }
      const refused = [
        await t.me.send(one.conversation_id, input),
        await t.me.send(two.conversation_id, input),
        await t.me.createRun(endpointId, { input }),
        await t.me.createRun(endpointId, { input, conversation_key: t.fresh('order') }),
      ]
      for (const answer of refused) expectRetryAfter(expectRefusal(answer, 429, 'PENDING_LIMIT'))
      await cancelRun(t, run_id)
      await t.admit(two, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/app-limit-code',
    title: "messages, direct runs and webhooks beyond the application's limit answer 429 PENDING_LIMIT",
    rules: ['ERR-33', 'ERR-39'],
    tags: ['limit'],
    needs: ['driver.limitApp', 'webhooks.new'],
    alone: 'all',
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const other = await t.conversation()
      const input = { text: 'x' }
      await t.driver.limitApp('first', { pendingRuns: 1 })
      try {
        const refused = [
          await t.me.send(conversation.conversation_id, input),
          await t.me.send(other.conversation_id, input),
          await t.me.createRun(t.config.services.main, { input }),
          await deliver(t, integrationOf(t, 'new'), eventOf({ text: 'x' })),
        ]
        for (const answer of refused) expectRetryAfter(expectRefusal(answer, 429, 'PENDING_LIMIT'))
        const otherApp = t.caller({ app: 'second' })
        const theirs = await t.conversation({ endpoint_id: t.config.services.foreign }, otherApp)
        await t.admit(theirs, t.script({ succeed: { text: 'x' } }), otherApp)
      } finally {
        await t.driver.limitApp('first', { pendingRuns: null })
      }
      await t.admit(other, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/app-limit',
    title: "a message beyond the application's limit of pending tasks answers 429 with Retry-After",
    rules: ['ERR-13', 'ERR-14'],
    tags: ['limit'],
    needs: ['driver.limitApp'],
    alone: 'all',
    run: async (t) => {
      await t.start({ hang: true })
      const other = await t.conversation()
      await t.driver.limitApp('first', { pendingRuns: 1 })
      try {
        expect429(t, await t.me.send(other.conversation_id, { text: 'x' }))
      } finally {
        await t.driver.limitApp('first', { pendingRuns: null })
      }
      await t.admit(other, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'errors/stream-limit-code',
    title:
      'a fifth stream of a subject answers 429 STREAM_LIMIT with Retry-After, on the routes of conversations and runs',
    rules: ['ERR-34', 'ERR-39'],
    tags: ['limit'],
    streams: 4,
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const paths = [`/conversations/${conversation.conversation_id}/events`, `/runs/${admission.run_id}/events`]
      for (const path of [...paths, ...paths]) await openWhenAvailable(t, t.me, path, { after: 0 })
      for (const path of paths)
        expectRetryAfter(expectRefusal(await refusedStream(t.me, path, { after: 0 }), 429, 'STREAM_LIMIT'))
    },
  },
  {
    id: 'errors/request-rate-code',
    title:
      'requests above the rate limit of their key answer 429 RATE_LIMITED with Retry-After; other keys are not limited',
    rules: ['ERR-35', 'ERR-39'],
    tags: ['limit'],
    meetsRateLimit: true,
    needs: ['driver.limitApp'],
    alone: 'all',
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const burst = () => Promise.all(Array.from({ length: 6 }, () => t.me.snapshot(id)))
      const isRefused = ({ status }: Answer): boolean => status === 429
      await t.driver.limitApp('first', { requestsPerSecond: 1 })
      try {
        const answers = await t.until('at least one request of a burst is refused', burst, (all) => all.some(isRefused))
        for (const answer of answers.filter(isRefused)) expectRetryAfter(expectRefusal(answer, 429, 'RATE_LIMITED'))
        const otherKey = t.config.apps.first.scopedKeys?.['conversations:read']
        if (otherKey !== undefined) expectStatus(await t.caller({ apiKey: otherKey }).snapshot(id), 200)
        const otherApp = t.caller({ app: 'second' })
        const query = `endpoint_id=${t.config.services.foreign}`
        for (let count = 0; count < 4; count += 1) expectStatus(await otherApp.listConversations(query), 200)
      } finally {
        await t.driver.limitApp('first', { requestsPerSecond: null })
      }
      await t.until('the limit is removed', burst, (all) => all.every(({ status }) => status === 200))
    },
  },
]
