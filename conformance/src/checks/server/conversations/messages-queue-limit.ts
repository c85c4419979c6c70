import assert from 'node:assert/strict'
import type { Admission } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { admitHanging, cancelRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { createTenant, TENANT } from '../../../kit/steps/tenants.ts'

const QUEUED_RUNS = 20
const APPLICATION_LIMIT = 3

/** Fails unless the answer is a 429 with a valid Retry-After. */
const expectLater = (answer: Answer): void => {
  expectRefusal(answer, 429)
  const after = answer.headers['retry-after'] ?? ''
  assert.ok(/^\d+$/.test(after) || Date.parse(after) > 0, `the Retry-After of a 429 is not valid: "${after}"`)
}

/** The IDs of the admitted runs. Fails unless all other messages are refused until later. */
const admittedIn = (answers: readonly Answer<Admission>[]): string[] =>
  answers.flatMap((answer) => {
    if (answer.status === 202) return [answer.body.run_id]
    expectLater(answer)
    return []
  })

const queuedIn = async (t: ServerContext, conversationId: string): Promise<string[]> =>
  (await readSnapshot(t, conversationId)).runs.filter(({ state }) => state === 'queued').map(({ run_id }) => run_id)

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/twenty-queued',
    title:
      '20 runs of a conversation may be queued behind the executing one; the next is 429 with Retry-After until one leaves the queue',
    rules: ['MSG-22'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const queued: string[] = []
      for (let count = 1; count <= QUEUED_RUNS; count += 1) {
        const answer = await t.me.send(id, { text: `waits as ${count}` })
        assert.equal(answer.status, 202, `run ${count} of 20 was not queued: ${answer.text}`)
        queued.push(answer.body.run_id)
      }
      expectLater(await t.me.send(id, { text: 'beyond the limit' }))
      const now = (await queuedIn(t, id)).sort()
      assert.deepEqual(now, queued.toSorted(), 'the refused run is queued, or the queue has changed')
      await t.start({ succeed: {} })
      const [left = ''] = queued.slice(7)
      await cancelRun(t, left)
      expectStatus(await t.me.send(id, { text: 'takes the place' }), 202)
      expectLater(await t.me.send(id, { text: 'beyond the limit again' }))
    },
  },
  {
    id: 'messages/twenty-queued-at-once',
    title: 'of 30 messages sent at once behind an executing run, exactly 20 are queued',
    rules: ['MSG-22'],
    tags: ['limit', 'race'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const answers = await Promise.all(Array.from({ length: 30 }, () => t.me.send(id, { text: 'at once' })))
      const admitted = admittedIn(answers)
      assert.equal(admitted.length, QUEUED_RUNS, `${admitted.length} of 30 were admitted`)
      assert.deepEqual((await queuedIn(t, id)).sort(), admitted.sort())
    },
  },
  {
    id: 'messages/pending-limit-of-the-device',
    title:
      'a device can have exactly as many unfinished runs as its limit allows, over all conversations; the next is 429 with Retry-After',
    rules: ['MSG-23'],
    tags: ['limit', 'race'],
    needs: ['driver.createService', 'driver.limitDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const open = () => t.conversation({ endpoint_id: endpointId })
      const [first, ...others] = [await open(), await open(), await open(), await open()]
      const executing = await admitHanging(t, first)
      await t.driver.limitDevice(endpointId, { pendingRuns: 4 })
      const sending = [...others, ...others, ...others].map(({ conversation_id: id }) =>
        t.me.send(id, t.script({ hang: true })),
      )
      const answers = await Promise.all(sending)
      const admitted = admittedIn(answers)
      assert.equal(
        admitted.length,
        3,
        `with 1 executing run and a limit of 4, ${admitted.length} more runs were admitted`,
      )
      await t.start({ succeed: {} })

      await cancelRun(t, executing)
      expectStatus(await t.me.send(first.conversation_id, t.script({ hang: true })), 202)
      expectLater(await t.me.send(first.conversation_id, { text: 'beyond the limit' }))
      assert.equal((await readSnapshot(t, first.conversation_id)).runs.length, 2)
    },
  },
  {
    id: 'messages/pending-limit-of-the-application',
    title:
      'an application can have exactly as many unfinished runs as its limit allows, across all devices; another one is not affected',
    rules: ['MSG-23'],
    tags: ['limit', 'race'],
    needs: [...TENANT, 'driver.limitApp'],
    run: async (t) => {
      const { app, endpointId, caller } = await createTenant(t, { pendingRuns: APPLICATION_LIMIT })
      const { endpointId: onOtherDevice } = await t.driver.createService({ app })
      const by = caller()
      const conversations = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          t.conversation({ endpoint_id: at % 2 === 0 ? endpointId : onOtherDevice }, by),
        ),
      )
      /** Sends to all conversations at once and returns the admitted runs. */
      const fill = async (): Promise<string[]> => {
        const answers = await Promise.all(
          conversations.map(({ conversation_id: id }) => by.send(id, t.script({ hang: true }))),
        )
        return admittedIn(answers)
      }
      const [first = '', ...others] = await fill()
      assert.equal(
        others.length + 1,
        APPLICATION_LIMIT,
        `not exactly ${APPLICATION_LIMIT} of 6 concurrent runs were admitted`,
      )
      await t.driver.limitApp(app, { pendingRuns: APPLICATION_LIMIT + 2 })
      assert.equal((await fill()).length, 2, 'after the limit grew by 2, exactly 2 more runs must be admitted')
      assert.equal((await fill()).length, 0, 'a run was admitted beyond the limit of the application')
      await by.cancel(first)
      await t.runEnded(first, by)
      assert.equal((await fill()).length, 1, 'after a run has ended, exactly one other must be admitted')
      await t.start({ succeed: {} })
    },
  },
]
