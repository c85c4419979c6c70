import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { idsOf, listItems } from '../../../kit/steps/conversations.ts'
import { expectOneContent, expectOneEffectAtOnce, expectOneEffectWhenGivenUp } from '../../../kit/steps/effects.ts'
import { readEvents, seqsOf, watermarkOf } from '../../../kit/steps/events.ts'
import { allKeyedOperations, perform } from '../../../kit/steps/keyed-operations.ts'
import { declaringRequest, keyedRequests } from '../../../kit/steps/repeatable-requests.ts'
import { REPLAYED } from '../../../kit/steps/replays.ts'
import { createTenant, TENANT } from '../../../kit/steps/tenants.ts'

const REQUESTS = 10

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/simultaneous-requests-execute-once',
    title: 'of simultaneous requests with one key one is executed, and all get its answer, for each operation',
    rules: ['IDEM-23', 'IDEM-24'],
    tags: ['race'],
    run: async (t) => {
      for (const operation of await allKeyedOperations(t)) {
        const key = t.fresh()
        const answers = await Promise.all(Array.from({ length: REQUESTS }, () => perform(operation, t.me, { key })))
        const [first] = answers
        assert.ok(first !== undefined)
        for (const answer of answers) {
          expectStatus(answer, 200, 201, 202)
          assert.equal(answer.status, first.status, `${operation.name}: simultaneous requests got different statuses`)
          assert.deepEqual(answer.body, first.body, `${operation.name}: simultaneous requests got different answers`)
        }
        const firsts = answers.filter(({ headers }) => headers[REPLAYED] === undefined)
        assert.equal(
          firsts.length,
          1,
          `${operation.name}: ${firsts.length} answers lack Idempotency-Replayed, expected 1`,
        )
        await operation.settle(first)
      }
    },
  },
  {
    id: 'idempotency/simultaneous-effects-are-one',
    title: 'simultaneous requests with one key take effect once and leave no gap in the events',
    rules: ['IDEM-23', 'EVT-33'],
    tags: ['race'],
    streams: 1,
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const request of [...keyedRequests(t), declaringRequest(t)]) await expectOneEffectAtOnce(t, request)
      for (const id of idsOf(await listItems(t.me, t.config.services.main))) {
        const watermark = await watermarkOf(t, id)
        if (watermark === 0) continue
        const events = await readEvents(t, id, 'all events', (seen) => (seen.at(-1)?.seq ?? 0) >= watermark, {
          after: 0,
        })
        const all = Array.from({ length: events.length }, (_, at) => at + 1)
        assert.deepEqual(seqsOf(events), all, `the seqs of ${id} are not 1, 2, 3 … without gaps`)
      }
    },
  },
  {
    id: 'idempotency/repeats-take-no-room',
    title: 'identical concurrent messages, and identical concurrent direct runs, count as one unfinished run',
    rules: ['IDEM-23'],
    tags: ['race', 'limit'],
    needs: TENANT,
    run: async (t) => {
      const tenant = await createTenant(t, { pendingRuns: 2 })
      const caller = tenant.caller()
      const { conversation_id: id } = await tenant.conversation()
      const input = t.script({ hang: true })
      const [sendKey, runKey] = [t.fresh(), t.fresh()]
      const requests = [
        () => caller.send(id, input, { key: sendKey }),
        () => caller.createRun(tenant.endpointId, { input }, { key: runKey }),
      ]
      for (const request of requests) {
        const answers = await Promise.all(Array.from({ length: REQUESTS }, request))
        for (const answer of [...answers, await request()]) expectStatus(answer, 202)
      }
      expectRefusal(await caller.send(id, input), 429, 'PENDING_LIMIT')
    },
  },
  {
    id: 'idempotency/equal-requests-have-one-effect',
    title:
      'only one of identical concurrent requests has effects: the others create no conversation, message, run or event',
    rules: ['IDEM-30'],
    tags: ['race'],
    streams: 1,
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const request of keyedRequests(t)) await expectOneEffectAtOnce(t, request)
    },
  },
  {
    id: 'idempotency/given-up-requests-have-one-effect',
    title: 'a request that is aborted after 0 to 12 ms and repeated takes effect once',
    rules: ['IDEM-30'],
    tags: ['race'],
    streams: 1,
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const request of keyedRequests(t)) await expectOneEffectWhenGivenUp(t, request)
    },
  },
  {
    id: 'idempotency/one-content-has-effects',
    title: 'only one of different concurrent requests with one key has effects: the others conflict and store nothing',
    rules: ['IDEM-06'],
    tags: ['race'],
    streams: 1,
    needs: ['freshSubjects'],
    run: async (t) => {
      for (const request of keyedRequests(t)) if (request.varies) await expectOneContent(t, request)
    },
  },
]
