import assert from 'node:assert/strict'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { idsOf, listItems } from '../../../kit/steps/conversations.ts'
import { createRun } from '../../../kit/steps/direct-runs.ts'
import { keyedOperations, perform } from '../../../kit/steps/keyed-operations.ts'
import type { RecordIds } from '../../../kit/steps/records.ts'
import { finishedRecords, readAll, unknownRecords } from '../../../kit/steps/records.ts'
import type { BearerRoute } from '../../../kit/steps/routes.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { createTenant, TENANT } from '../../../kit/steps/tenants.ts'

/** The caller's own IDs, except that the ID in the path of the route is a foreign one. */
const withForeign = ({ names }: BearerRoute, own: RecordIds, foreign: RecordIds): RecordIds =>
  names === undefined ? own : { ...own, [names]: foreign[names] }

/**
 * Whether a foreign or unknown ID must be 404. For `before` of the list only D-13 decides so: in `core` an empty page
 * is allowed.
 */
const mustBe404 = ({ profile }: ServerContext, { name, names }: BearerRoute): boolean =>
  names !== undefined && (profile === 'reference' || name !== 'listConversations before')

/**
 * Fails unless each route for which `named` is true answers 404 to another tenant, and 2xx to the owner of the records.
 */
async function expectUnknownEverywhere(
  t: ServerContext,
  otherTenant: Caller,
  own: RecordIds,
  theirs: RecordIds,
  named: (route: BearerRoute) => boolean,
): Promise<void> {
  const before = await readAll(t, theirs)
  for (const route of bearerRoutes(t).filter((one) => named(one) && mustBe404(t, one)))
    expectStatus(await ask(otherTenant, route, withForeign(route, own, theirs)), 404)
  assert.deepEqual(await readAll(t, theirs), before, 'the refused requests changed the records of their owner')
  // The same requests succeed for the owner of the records.
  for (const route of bearerRoutes(t).filter(named)) {
    const { status, text } = await ask(t.me, route, theirs)
    assert.ok(
      status >= 200 && status < 300,
      `${route.name} answered the owner of the records with ${status} ${text.slice(0, 300)}`,
    )
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/other-subject-gets-404',
    title: 'every route answers 404 for a record of another subject of the same application, and does nothing',
    rules: ['GEN-14', 'GEN-16', 'SUBJ-01', 'SUBJ-03', 'ERR-04'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const otherTenant = t.caller({ subject: t.otherSubject() })
      const [mine, theirs] = await Promise.all([finishedRecords(t, otherTenant), finishedRecords(t)])
      await expectUnknownEverywhere(
        t,
        otherTenant,
        mine,
        theirs,
        ({ names }) => names !== undefined && names !== 'endpoint',
      )
    },
  },
  {
    id: 'general/other-application-gets-404',
    title: 'every route answers 404 for a record of another application with the same subject, and does nothing',
    rules: ['GEN-14', 'GEN-15', 'SUBJ-03', 'ERR-04'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const otherTenant = t.caller({ app: 'second' })
      const [mine, theirs] = await Promise.all([
        finishedRecords(t, otherTenant, t.config.services.foreign),
        finishedRecords(t),
      ])
      await expectUnknownEverywhere(t, otherTenant, mine, theirs, ({ names }) => names !== undefined)
    },
  },
  {
    id: 'general/unknown-ids-are-404',
    title: 'an unknown ID, or the ID of another kind of record, answers 404 on every route',
    rules: ['ERR-04'],
    streams: 1,
    run: async (t) => {
      const mine = await finishedRecords(t)
      const unknown = unknownRecords(mine)
      const swapped: RecordIds = {
        conversation: mine.run,
        run: mine.conversation,
        operation: mine.run,
        endpoint: mine.conversation,
        resource: mine.operation,
      }
      const longer: RecordIds = {
        conversation: `${mine.conversation}0`,
        run: `${mine.run}0`,
        operation: `${mine.operation}0`,
        endpoint: `${mine.endpoint}0`,
        resource: `${mine.resource}0`,
      }
      const before = await readAll(t, mine)
      for (const route of bearerRoutes(t).filter((one) => mustBe404(t, one)))
        for (const others of [unknown, swapped, longer])
          expectStatus(await ask(t.me, route, withForeign(route, mine, others)), 404)
      assert.deepEqual(await readAll(t, mine), before)
    },
  },
  {
    id: 'general/foreign-reads-like-unknown',
    title: "the 404 for another tenant's ID is identical to the 404 for an unknown ID",
    rules: ['GEN-17'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const theirs = await finishedRecords(t)
      const otherTenants: { caller: Caller; endpoint: string; named: (route: BearerRoute) => boolean }[] = [
        {
          caller: t.caller({ subject: t.otherSubject() }),
          endpoint: t.config.services.main,
          named: ({ names }) => names !== undefined && names !== 'endpoint',
        },
        {
          caller: t.caller({ app: 'second' }),
          endpoint: t.config.services.foreign,
          named: ({ names }) => names !== undefined,
        },
      ]
      for (const { caller, endpoint, named } of otherTenants) {
        const own = await finishedRecords(t, caller, endpoint)
        for (const route of bearerRoutes(t).filter((one) => named(one) && mustBe404(t, one))) {
          const asked = (ids: RecordIds) => ask(caller, route, withForeign(route, own, ids))
          const foreign = describe(await asked(theirs), route, theirs)
          const [unknown, another] = [unknownRecords(theirs), unknownRecords(theirs, '1')]
          const first = describe(await asked(unknown), route, unknown)
          const second = describe(await asked(another), route, another)
          assert.deepEqual(maskVarying(foreign, first, second), maskVarying(first, first, second), route.name)
        }
      }
    },
  },
  {
    id: 'general/strangers-touch-no-running-work',
    title: 'other tenants get 404 for running work with any generation and policy, and the work continues',
    rules: ['GEN-14', 'GEN-15', 'GEN-16', 'GEN-17'],
    tags: ['security'],
    run: async (t) => {
      const { conversation, admission } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const state = async () => {
        const { generation, runs } = await readSnapshot(t, id)
        return { generation, runs: runs.map((run) => [run.run_id, run.state]) }
      }
      const before = await state()
      for (const otherTenant of [t.caller({ subject: t.otherSubject() }), t.caller({ app: 'second' })]) {
        const refused = [await otherTenant.cancel(admission.run_id)]
        for (const generation of [1, 2]) {
          expectStatus(await otherTenant.send(id, { text: 'x' }, { generation }), 404)
          for (const policy of ['reject', 'cancel_and_reset'])
            refused.push(await otherTenant.reset(id, generation, policy))
        }
        for (const answer of refused) expectStatus(answer, 404)
      }
      assert.deepEqual(await state(), before, 'another tenant changed the work')
    },
  },
  {
    id: 'general/lists-show-only-own',
    title: 'a list of conversations has only those of its application and subject',
    rules: ['GEN-14', 'SUBJ-03'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const otherSubject = t.caller({ subject: t.otherSubject() })
      const otherApp = t.caller({ app: 'second' })
      const owners = [
        { caller: t.me, endpoint: main },
        { caller: otherSubject, endpoint: main },
        { caller: otherApp, endpoint: foreign },
      ]
      const ids = await Promise.all(
        owners.map(
          async ({ caller, endpoint }) => (await t.conversation({ endpoint_id: endpoint }, caller)).conversation_id,
        ),
      )
      for (const [at, { caller, endpoint }] of owners.entries()) {
        const listed = idsOf(await listItems(caller, endpoint))
        for (const [other, id] of ids.entries())
          assert.equal(
            listed.includes(id),
            other === at,
            `the list of caller ${at} must ${other === at ? '' : 'not '}have the conversation of caller ${other}`,
          )
      }
    },
  },
  {
    id: 'general/business-keys-are-per-owner',
    title: 'one business key identifies a different conversation for each subject and each application',
    rules: ['GEN-14'],
    tags: ['security'],
    run: async (t) => {
      const key = t.fresh('order')
      const mine = await t.conversation({ conversation_key: key })
      const otherSubject = t.caller({ subject: t.otherSubject() })
      const theirs = await t.conversation({ conversation_key: key }, otherSubject)
      const otherApp = t.caller({ app: 'second' })
      const foreign = await t.conversation({ conversation_key: key, endpoint_id: t.config.services.foreign }, otherApp)
      const ids = [mine, theirs, foreign].map(({ conversation_id }) => conversation_id)
      assert.equal(new Set(ids).size, 3, `3 tenants share conversations of one business key: ${ids.join(', ')}`)
      await createRun(
        t,
        { conversation_key: key, input: t.script({ succeed: { text: 'mine' } }) },
        { by: otherSubject },
      )
      const { runs } = expectStatus(await otherSubject.snapshot(theirs.conversation_id), 200).body
      assert.equal(runs.length, 1, `the conversation of the subject must have the direct run, got ${runs.length} runs`)
    },
  },
  {
    id: 'general/keys-of-others-hinder-nobody',
    title: 'a key used by another application or subject is a new key for the caller, for each operation',
    rules: ['GEN-31'],
    tags: ['security'],
    run: async (t) => {
      const { main, foreign } = t.config.services
      const others = [
        { by: t.caller({ subject: t.otherSubject() }), endpointId: main },
        { by: t.caller({ app: 'second', subject: t.me.subject }), endpointId: foreign },
      ]
      for (const { by, endpointId } of others) {
        const [mine, theirs] = [await keyedOperations(t), await keyedOperations(t, { caller: by, endpointId })]
        for (const [at, operation] of mine.entries()) {
          const key = t.fresh()
          t.note(`${operation.name} under a key that another tenant has used`)
          expectStatus(await perform(operation, t.me, { key }), 200, 201, 202)
          expectStatus(await perform(theirs[at] ?? assert.fail(), by, { key }), 200, 201, 202)
        }
      }
    },
  },
  {
    id: 'general/applications-on-one-device',
    title: 'applications with the same device and subject name cannot see the records of one another',
    rules: ['GEN-15', 'LIST-03'],
    tags: ['security'],
    needs: TENANT,
    run: async (t) => {
      const first = await createTenant(t)
      const second = await createTenant(t, { besides: first })
      const conversations = [await first.conversation(), await second.conversation()]
      for (const [at, { caller, endpointId }] of [first, second].entries()) {
        const by = caller()
        const listed = await listItems(by, endpointId)
        assert.deepEqual(
          idsOf(listed),
          [conversations[at]?.conversation_id],
          `the list of application ${at + 1} must have only its own conversation`,
        )
        const theirs = conversations[1 - at]?.conversation_id ?? ''
        expectStatus(await by.snapshot(theirs), 404)
        expectStatus(await by.send(theirs, { text: 'x' }), 404)
      }
    },
  },
]

interface Description {
  readonly status: number
  readonly headers: readonly string[]
  /** The values of the body that are neither object nor array, by their JSON path. */
  readonly leaves: ReadonlyMap<string, unknown>
}

/** Describes an answer without the requested ID, so that answers about different IDs can be compared. */
function describe({ status, headers, text }: Answer, { names }: BearerRoute, ids: RecordIds): Description {
  const asked = names === undefined ? '' : ids[names]
  const leaves = new Map<string, unknown>()
  const collect = (value: unknown, at: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) collect(member, `${at}/${name}`)
    else leaves.set(at, value)
  }
  const plain = asked === '' ? text : text.replaceAll(asked, '<id>')
  collect(status === 404 && plain.startsWith('{') ? JSON.parse(plain) : plain, '')
  return { status, headers: Object.keys(headers).sort(), leaves }
}

/** Masks the values that differ between two answers of the same kind, such as the request ID. */
const maskVarying = (description: Description, one: Description, other: Description) => ({
  ...description,
  leaves: [...description.leaves].map(([at, value]) => [
    at,
    one.leaves.get(at) === other.leaves.get(at) ? value : '<varies>',
  ]),
})
