import assert from 'node:assert/strict'
import type { CallOptions } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { finishedRecords, readAll, unknownRecords } from '../../../kit/steps/records.ts'
import type { BearerRoute } from '../../../kit/steps/routes.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1)
const JSON_TYPE = { 'content-type': 'application/json' }

const takesJson = ({ json }: BearerRoute): boolean => json !== undefined

/** Options with a fault in everything that is checked after the subject, as far as the route allows. */
const wrongBody = (route: BearerRoute): CallOptions =>
  takesJson(route) ? { body: TOO_LARGE, headers: { ...JSON_TYPE, 'idempotency-key': 'has space' } } : {}

const withHeaders = (options: CallOptions, headers: NonNullable<CallOptions['headers']>): CallOptions => ({
  ...options,
  headers: { ...options.headers, ...headers },
})

/** A configured key that lacks the scope of the route. */
const keyWithout = (t: ServerContext, route: BearerRoute): string => {
  const found = Object.entries(t.config.apps.first.scopedKeys ?? {}).find(
    ([scopes]) => !route.scopes.some((scope) => scopes.split(' ').includes(scope)),
  )
  return found?.[1] ?? t.untestable(`no configured key lacks the scope of ${route.name}`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'requests/key-first',
    title: 'a bad key answers 401 on every route, even if subject, size, shape or path is also wrong',
    rules: ['REQ-06'],
    streams: 1,
    run: async (t) => {
      const unknown = unknownRecords(await finishedRecords(t))
      for (const route of bearerRoutes(t))
        for (const authorization of [null, 'Bearer wrong']) {
          const options = withHeaders(wrongBody(route), { authorization, 'x-service-subject': ' ' })
          expectRefusal(await ask(t.me, route, unknown, options), 401, 'UNAUTHENTICATED')
        }
    },
  },
  {
    id: 'requests/scope-before-subject',
    title:
      'a missing scope answers 403 on every route, although the subject is absent, the body bad and the path unknown',
    rules: ['REQ-07'],
    needs: ['scopedKeys'],
    streams: 1,
    run: async (t) => {
      const unknown = unknownRecords(await finishedRecords(t))
      for (const route of bearerRoutes(t)) {
        const caller = t.caller({ apiKey: keyWithout(t, route) })
        for (const options of [wrongBody(route), {}]) {
          const answer = await ask(caller, route, unknown, withHeaders(options, { 'x-service-subject': null }))
          expectRefusal(answer, 403, 'PERMISSION_DENIED')
        }
      }
    },
  },
  {
    id: 'requests/subject-before-size',
    title: 'a request without a subject answers 400 on every route, although its body is too large or its path unknown',
    rules: ['REQ-08'],
    streams: 1,
    run: async (t) => {
      const unknown = unknownRecords(await finishedRecords(t))
      for (const route of bearerRoutes(t)) {
        const options = withHeaders(wrongBody(route), { 'x-service-subject': null })
        expectRefusal(await ask(t.me, route, unknown, options), 400, 'INVALID_REQUEST')
      }
    },
  },
  {
    id: 'requests/size-before-shape',
    title: 'a message above the size limit answers 413, although it is malformed and its key and path are bad',
    rules: ['REQ-09'],
    tags: ['limit'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const unknown = unknownRecords(ids)
      for (const route of bearerRoutes(t).filter(takesJson))
        for (const records of [ids, unknown]) {
          const answer = await ask(t.me, route, records, wrongBody(route))
          // Only the limit of a message is specified; the gateway chooses the limits of other bodies.
          if (route.name === 'sendMessage') expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE')
          else expectStatus(answer, 413, 400)
        }
    },
  },
  {
    id: 'requests/shape-before-ownership',
    title: "an invalid body answers 400 on every route, even if the ID in its path is unknown or another tenant's",
    rules: ['REQ-10'],
    run: async (t) => {
      const other = t.caller({ subject: t.otherSubject() })
      const ids = await finishedRecords(t)
      const [unknown, theirs] = [unknownRecords(ids), await finishedRecords(t, other)]
      const invalid: [CallOptions, string][] = [
        [{ body: '{', headers: JSON_TYPE }, 'INVALID_REQUEST'],
        [{ body: '[]', headers: JSON_TYPE }, 'INVALID_REQUEST'],
      ]
      for (const route of bearerRoutes(t).filter(takesJson))
        for (const records of [unknown, theirs]) {
          for (const [options, code] of invalid) expectRefusal(await ask(t.me, route, records, options), 400, code)
          const json = { ...route.json?.(records), no_such_field: 1 }
          expectRefusal(await ask(t.me, route, records, { json }), 400, 'UNKNOWN_FIELD')
        }
    },
  },
  {
    id: 'requests/ownership-before-replay',
    title:
      "a known Idempotency-Key with an unknown ID or another tenant's in the path answers 404, not a replay or conflict",
    rules: ['REQ-11'],
    tags: ['security'],
    run: async (t) => {
      const other = t.caller({ subject: t.otherSubject() })
      const [ids, theirs] = await Promise.all([finishedRecords(t), finishedRecords(t, other)])
      const foreign = { ...theirs, endpoint: t.config.services.foreign }
      const routes = bearerRoutes(t).filter(({ name }) =>
        ['sendMessage', 'cancelRun', 'resetConversation', 'createRun'].includes(name),
      )
      for (const route of routes) {
        const key = t.fresh('key')
        expectStatus(await ask(t.me, route, ids, { key }), 202)
        const before = await readAll(t, theirs, other)
        for (const records of [foreign, unknownRecords(ids)])
          expectRefusal(await ask(t.me, route, records, { key }), 404, 'NOT_FOUND')
        assert.deepEqual(await readAll(t, theirs, other), before)
        expectStatus(await ask(t.me, route, ids, { key }), 202)
      }
    },
  },
]
