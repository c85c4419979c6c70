import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { SCOPES } from '../../../kit/steps/processes.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import type { BearerRoute } from '../../../kit/steps/routes.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

/** The configured keys with one scope, and with all but one. A check that uses them needs `scopedKeys`. */
const scopedKeys = (t: ServerContext): { scopes: readonly string[]; apiKey: string }[] =>
  Object.entries(t.config.apps.first.scopedKeys ?? {}).map(([scopes, apiKey]) => ({
    scopes: scopes.split(' '),
    apiKey,
  }))

const isEnough = (route: BearerRoute, scopes: readonly string[]): boolean =>
  route.scopes.some((scope) => scopes.includes(scope))

/**
 * Calls the routes with every scoped key. Expects 403 and no effect for keys that lack the scope, and success for keys
 * that have it.
 */
async function expectScopes(t: ServerContext, names: readonly string[]): Promise<void> {
  const routes = bearerRoutes(t).filter(({ name }) => names.includes(name.split(' ')[0] ?? ''))
  if (routes.length === 0) t.untestable(`the profile ${t.profile} does not have these routes`)
  const keys = scopedKeys(t)
  for (const route of routes) {
    const [enough, lacking] = [true, false].map((wanted) =>
      keys.filter(({ scopes }) => isEnough(route, scopes) === wanted),
    )
    if (!enough?.length || !lacking?.length) t.untestable(`no scoped keys for ${route.name} are configured`)
    const ids = await finishedRecords(t)
    const before = await readAll(t, ids)
    for (const { scopes, apiKey } of lacking) {
      t.note(`${route.name} with ${scopes.join(' ')}`)
      expectRefusal(await ask(t.caller({ apiKey }), route, ids), 403, 'PERMISSION_DENIED')
    }
    assert.deepEqual(await readAll(t, ids), before, `${route.name}: a request without its scope had an effect`)
    for (const { scopes, apiKey } of enough) {
      const isOnce = route.name === 'resetConversation' || route.name === 'deleteResource'
      const own = isOnce ? await finishedRecords(t) : ids
      const { status, text } = await ask(t.caller({ apiKey }), route, own)
      assert.ok(status < 300, `${route.name} with ${scopes.join(' ')} answered ${status} ${text.slice(0, 200)}`)
    }
  }
}

/** One check for the routes of one rule of D-06. */
const scopeCheck = (rule: string, id: string, title: string, names: readonly string[]): ServerCheck => ({
  id: `scopes/${id}`,
  title,
  rules: [rule, 'AUTH-20', 'ERR-26'],
  tags: ['security'],
  needs: ['scopedKeys'],
  streams: names.some((name) => name.startsWith('stream')) ? 1 : 0,
  run: (t) => expectScopes(t, names),
})

export const checks: readonly ServerCheck[] = [
  scopeCheck(
    'SCOPE-03',
    'writing-conversations',
    'creating a conversation, sending and resetting need only conversations:write',
    ['createConversation', 'sendMessage', 'resetConversation'],
  ),
  scopeCheck(
    'SCOPE-04',
    'writing-attachments',
    'declaring, uploading and deleting attachments need only conversations:write',
    ['createResource', 'putResourceContent', 'deleteResource'],
  ),
  scopeCheck(
    'SCOPE-05',
    'reading-conversations',
    'the list, the snapshot, the history and the events of conversations need only conversations:read',
    ['listConversations', 'getConversation', 'listMessages', 'streamConversationEvents'],
  ),
  scopeCheck(
    'SCOPE-06',
    'reading-attachments',
    'the record and the content of an attachment need only conversations:read',
    ['getResource', 'getResourceContent'],
  ),
  scopeCheck('SCOPE-07', 'writing-runs', 'cancelling and direct runs need only runs:write', ['cancelRun', 'createRun']),
  scopeCheck('SCOPE-08', 'reading-runs', 'a run and its events need only runs:read', ['getRun', 'streamRunEvents']),
  scopeCheck('SCOPE-09', 'reading-operations', 'an operation needs conversations:read or runs:read; either is enough', [
    'getOperation',
  ]),
  {
    id: 'scopes/four-scopes-are-enough',
    title: 'a key with the four scopes can make every call of the walk-through',
    rules: ['SCOPE-02'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t)) {
        const { status } = await ask(t.me, route, ids)
        assert.ok(status !== 401 && status !== 403 && status < 300, `${route.name} answered ${status}`)
      }
    },
  },
  {
    id: 'scopes/each-of-four-counts',
    title: 'a key that lacks one of the four scopes is refused at least one call of the walk-through with 401 or 403',
    rules: ['SCOPE-01', 'ERR-03'],
    tags: ['security'],
    needs: ['scopedKeys'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const routes = bearerRoutes(t).filter(({ name }) => name !== 'resetConversation' && name !== 'deleteResource')
      for (const missing of SCOPES) {
        const others = SCOPES.filter((scope) => scope !== missing)
        const apiKey =
          t.config.apps.first.scopedKeys?.[others.join(' ')] ?? t.untestable(`no key lacks only ${missing}`)
        const statuses: number[] = []
        for (const route of routes) statuses.push((await ask(t.caller({ apiKey }), route, ids)).status)
        const isRefused = (status: number): boolean => status === 401 || status === 403
        assert.ok(statuses.some(isRefused), `a key without ${missing} is not refused on any route`)
        assert.ok(
          statuses.every((status) => isRefused(status) || status < 300),
          `a key without ${missing} got ${statuses.join(', ')}`,
        )
        // The specification leaves open which route needs which scope (D-06 decides it).
        assert.ok(!statuses.every(isRefused), `a key without ${missing} is refused on every route`)
      }
      expectStatus(await t.me.snapshot(ids.conversation), 200)
    },
  },
]
