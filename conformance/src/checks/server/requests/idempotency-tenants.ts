import assert from 'node:assert/strict'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { allKeyedOperations, keyedOperations, perform } from '../../../kit/steps/keyed-operations.ts'
import { expectFirst, expectReplay } from '../../../kit/steps/replays.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/other-subject-has-its-own-keys',
    title: 'the key of one subject is a new key for another subject of the same application, for each operation',
    rules: ['IDEM-11'],
    tags: ['security'],
    run: (t) => expectOwnKeys(t, t.caller({ subject: t.otherSubject() }), t.config.services.main),
  },
  {
    id: 'idempotency/other-application-has-its-own-keys',
    title: 'the key of one application is a new key for another application with the same subject, for each operation',
    rules: ['IDEM-11'],
    tags: ['security'],
    run: (t) => expectOwnKeys(t, t.caller({ app: 'second' }), t.config.services.foreign),
  },
  {
    id: 'idempotency/same-content-of-two-subjects',
    title: 'the same creation under the same key makes a conversation for each subject, also at the same time',
    rules: ['IDEM-11'],
    tags: ['race', 'security'],
    run: async (t) => {
      const callers = [t.me, t.caller({ subject: t.otherSubject() })]
      const key = t.fresh()
      const answers = await Promise.all(
        [...callers, ...callers].map((caller) =>
          caller.createConversation({ endpoint_id: t.config.services.main }, { key }),
        ),
      )
      const records = answers.map((answer) => expectStatus(answer, 201).body)
      const subjects = records.map(({ subject }) => subject)
      assert.deepEqual(
        subjects,
        [...callers, ...callers].map(({ subject }) => subject),
        `expected a record of each caller's subject, got ${subjects.join(', ')}`,
      )
      const created = new Set(records.map(({ conversation_id: id }) => id)).size
      assert.equal(created, 2, `two subjects with the same key and content got ${created} conversations, expected 2`)
    },
  },
  {
    id: 'idempotency/other-key-of-the-application-repeats',
    title: 'repeating a request with another API key of the same application returns the first answer',
    rules: ['IDEM-11'],
    needs: ['scopedKeys'],
    run: async (t) => {
      const writer = Object.entries(t.config.apps.first.scopedKeys ?? {}).find(([scopes]) =>
        scopes.split(' ').includes('conversations:write'),
      )
      if (writer === undefined) return t.untestable('no scoped key of the first application may write conversations')
      const key = t.fresh()
      const creation = { endpoint_id: t.config.services.main }
      const first = expectStatus(await t.me.createConversation(creation, { key }), 201)
      const again = await t.caller({ apiKey: writer[1] }).createConversation(creation, { key })
      expectReplay('with another API key', again, first)
    },
  },
  {
    id: 'idempotency/key-of-others-shows-nothing',
    title: 'an idempotency key used by another subject or application never returns the answer of that caller',
    rules: ['IDEM-27'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const otherTenants = [
        { by: t.caller({ subject: t.otherSubject() }), endpointId: main },
        { by: t.caller({ app: 'second', subject: t.me.subject }), endpointId: foreign },
      ]
      for (const { by, endpointId } of otherTenants) {
        const theirs = await keyedOperations(t, { caller: by, endpointId })
        for (const [at, operation] of (await keyedOperations(t)).entries()) {
          const key = t.fresh()
          const made = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
          const ids = idsIn(made.text).filter((id) => !operation.path.includes(id))
          const own = theirs[at] ?? assert.fail()
          for (const answer of [await perform(own, by, { key }), await perform(operation, by, { key })])
            for (const id of ids)
              assert.ok(!idsIn(answer.text).includes(id), `${operation.name}: the answer to another tenant names ${id}`)
        }
      }
    },
  },
]

const idsIn = (text: string): string[] =>
  [...text.matchAll(/:\s*"((?:conv|msg|run|op)_[^"]+)"/g)].map(([, id = '']) => id)

/** Performs each operation for `me` and then, under the same key, for `other`. Fails unless both take effect. */
async function expectOwnKeys(t: ServerContext, other: Caller, endpointId: string): Promise<void> {
  const businessKey = t.fresh('order')
  const [mine, theirs] = await Promise.all([
    allKeyedOperations(t, { businessKey }),
    allKeyedOperations(t, { businessKey, caller: other, endpointId }),
  ])
  for (const [at, operation] of mine.entries()) {
    const another = theirs[at]
    assert.ok(another !== undefined)
    const key = t.fresh()
    const first = expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
    const before = await another.observe()
    const elsewhere = await perform(another, other, { key })
    expectFirst(`${operation.name} under a key that another tenant has used`, elsewhere)
    assert.notDeepEqual(elsewhere.body, first.body, `${operation.name}: the answer equals that to another tenant`)
    if (operation.name === 'creating an attachment') continue
    await another.settle(elsewhere)
    assert.notDeepEqual(
      await another.observe(),
      before,
      `${operation.name} under a key that another tenant has used had no effect`,
    )
    expectReplay(operation.name, await perform(operation, t.me, { key }), first)
  }
}
