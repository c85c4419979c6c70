import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { expectExecutedOnce } from '../../../kit/steps/contents.ts'
import { allKeyedOperations, countInputs, keyedOperations, perform } from '../../../kit/steps/keyed-operations.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/changed-content-conflicts',
    title: 'the same key with a changed content is refused with 409 IDEMPOTENCY_CONFLICT and has no effect',
    rules: ['IDEM-06'],
    run: async (t) => {
      for (const operation of await keyedOperations(t)) {
        if (operation.changed === null) continue
        const key = t.fresh()
        const first = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        await operation.settle(first)
        const before = await operation.observe()
        expectRefusal(await perform(operation, t.me, { key, json: operation.changed }), 409, 'IDEMPOTENCY_CONFLICT')
        assert.deepEqual(await operation.observe(), before, `${operation.name}: the refused request had an effect`)
      }
    },
  },
  {
    id: 'idempotency/changed-content-conflicts-while-running',
    title: 'the same key with a changed content is refused while the first message still executes',
    rules: ['IDEM-06'],
    run: async (t) => {
      const conversation = await t.conversation()
      const key = t.fresh()
      const id = conversation.conversation_id
      const first = expectStatus(await t.me.send(id, t.script({ hang: true }), { key }), 202).body
      expectRefusal(await t.me.send(id, { text: 'changed' }, { key }), 409, 'IDEMPOTENCY_CONFLICT')
      await t.runIn(first.run_id, ['running'])
      expectRefusal(await t.me.send(id, { text: 'changed' }, { key }), 409, 'IDEMPOTENCY_CONFLICT')
      assert.equal(await countInputs(t.me, id), 1, 'a refused message is in the history')
    },
  },
  {
    id: 'idempotency/only-the-first-content-is-executed',
    title: 'of simultaneous messages with one key and different contents one is admitted and the others conflict',
    rules: ['IDEM-06'],
    tags: ['race'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const key = t.fresh()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => t.me.send(id, { text: `content ${at}` }, { key })),
      )
      const admitted = answers.filter(({ status }) => status === 202)
      assert.equal(admitted.length, 1, `${admitted.length} different contents were admitted under one key`)
      for (const answer of answers) if (answer.status !== 202) expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
      assert.equal(await countInputs(t.me, id), 1)
    },
  },
  {
    id: 'idempotency/every-change-of-content-conflicts',
    title: 'any change of the content conflicts; a different spelling of the same JSON does not',
    rules: ['IDEM-14'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      await expectExecutedOnce(t, id)
    },
  },
  {
    id: 'idempotency/other-operation-conflicts',
    title: 'a key that was used for one operation is refused for every other with 409 IDEMPOTENCY_CONFLICT',
    rules: ['IDEM-12'],
    run: async (t) => {
      const [used, tried] = await Promise.all([allKeyedOperations(t), allKeyedOperations(t)])
      const before = await observeAll(tried)
      for (const operation of used) {
        const key = t.fresh()
        expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        for (const another of tried.filter(({ name }) => name !== operation.name)) {
          const answer = await perform(another, t.me, { key })
          t.note(`the key of ${operation.name}, used for ${another.name}`)
          expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
        }
      }
      assert.deepEqual(await observeAll(tried), before, 'a refused operation had an effect')
    },
  },
  {
    id: 'idempotency/other-target-conflicts',
    title: 'a key that was used for one conversation or run is refused for another with 409 IDEMPOTENCY_CONFLICT',
    rules: ['IDEM-13'],
    run: async (t) => {
      const [used, tried] = await Promise.all([allKeyedOperations(t), allKeyedOperations(t)])
      for (const [at, operation] of used.entries()) {
        const another = tried[at]
        if (another === undefined || another.path === operation.path) continue
        const key = t.fresh()
        expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
        const before = await another.observe()
        const answer = await t.me.post(another.path, operation.json, { key })
        expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
        assert.deepEqual(await another.observe(), before, `${operation.name}: the other target was changed`)
      }
    },
  },
  {
    id: 'idempotency/other-service-conflicts',
    title: 'the key of a direct run is refused for the same run of another service with 409 IDEMPOTENCY_CONFLICT',
    rules: ['IDEM-13'],
    needs: ['services.sameDevice'],
    run: async (t) => {
      const key = t.fresh()
      const run = { conversation_key: t.fresh('direct'), input: { text: 'directly' } }
      expectStatus(await t.me.createRun(t.config.services.main, run, { key }), 202)
      const elsewhere = await t.me.createRun(t.config.services.sameDevice ?? '', run, { key })
      expectRefusal(elsewhere, 409, 'IDEMPOTENCY_CONFLICT')
    },
  },
  {
    id: 'idempotency/conflict-leaves-the-first-answer',
    title: 'after a conflict the key still returns the answer to its first content',
    rules: ['IDEM-06'],
    run: async (t) => {
      const key = t.fresh()
      const { conversation_id: id } = await t.conversation()
      const first = expectStatus(await t.me.send(id, { text: 'first' }, { key }), 202).body
      expectRefusal(await t.me.send(id, { text: 'second' }, { key }), 409, 'IDEMPOTENCY_CONFLICT')
      const again = expectStatus(await t.me.send(id, { text: 'first' }, { key }), 202).body
      assert.equal(
        again.run_id,
        first.run_id,
        `repeating the first content returned run ${again.run_id}, expected ${first.run_id}`,
      )
      expectRefusal(await t.me.send(id, { text: 'second' }, { key }), 409, 'IDEMPOTENCY_CONFLICT')
    },
  },
]

const observeAll = (operations: readonly { observe(): Promise<unknown> }[]): Promise<unknown[]> =>
  Promise.all(operations.map(({ observe }) => observe()))
