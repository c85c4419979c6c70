import assert from 'node:assert/strict'
import { allKeyedOperations, countInputs, perform } from '../../../steps/server/keyed-operations.ts'
import { expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

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
        const firsts = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
        assert.equal(firsts.length, 1, `${operation.name}: ${firsts.length} of the answers are first answers`)
        await operation.settle(first)
      }
    },
  },
  {
    id: 'idempotency/simultaneous-effects-are-one',
    title: 'simultaneous messages, creations and resets with one key have the effect of one',
    rules: ['IDEM-23'],
    tags: ['race'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const many = <Value>(request: () => Promise<Value>) => Promise.all(Array.from({ length: REQUESTS }, request))
      const sendKey = t.fresh()
      const sent = await many(() => t.me.send(id, { text: 'once' }, { key: sendKey }))
      for (const answer of sent) expectStatus(answer, 202)
      assert.equal(await countInputs(t.me, id), 1, 'simultaneous messages under one key were admitted several times')
      const { runs } = expectStatus(await t.me.snapshot(id), 200).body
      assert.equal(runs.length, 1, 'simultaneous messages under one key made several runs')
      await t.runEnded(runs[0]?.run_id ?? '')

      const resetKey = t.fresh()
      const resets = await many(() => t.me.reset(id, 1, 'reject', { key: resetKey }))
      const operations = resets.map((answer) => expectStatus(answer, 202).body.operation_id)
      assert.equal(new Set(operations).size, 1, 'simultaneous resets under one key made several operations')
      await t.operationEnded(operations[0] ?? '')
      assert.equal(expectStatus(await t.me.snapshot(id), 200).body.generation, 2)

      const creationKey = t.fresh()
      const creation = { endpoint_id: t.config.services.main }
      const created = await many(() => t.me.createConversation(creation, { key: creationKey }))
      const ids = created.map((answer) => expectStatus(answer, 201).body.conversation_id)
      assert.equal(new Set(ids).size, 1, 'simultaneous creations under one key made several conversations')
    },
  },
]
