import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { expectNoApiAt } from '../../../kit/steps/other-prefix.ts'
import { finishedRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

/** Whether the contract that the gateway publishes marks the operation as deprecated. */
const isDeprecated = (document: unknown, name: string): boolean =>
  Object.values(Object(Object(document).paths))
    .flatMap((item) => Object.values(Object(item)))
    .some((operation) => Object(operation).operationId === name && Object(operation).deprecated === true)

export const checks: readonly ServerCheck[] = [
  {
    id: 'versioning/prefix-is-the-version',
    title: 'the API is served only below /api/v1, not below another version or an unversioned path',
    rules: ['VER-01'],
    run: (t) => expectNoApiAt(t, ['/api', '/v1', '/api/v0', '/api/v01', '/api/v1.0', '/api/v11', '/api/v1/v1']),
  },
  {
    id: 'versioning/deprecation-is-told',
    title: 'an operation answers with Deprecation and Sunset if the published contract marks it, and only then',
    rules: ['VER-10', 'VER-11'],
    streams: 1,
    run: async (t) => {
      const { body: document } = expectStatus(await t.send({ method: 'GET', path: '/openapi.json' }), 200)
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t)) {
        const { headers } = await ask(t.me, route, ids)
        const marked = isDeprecated(document, route.name.split(' ')[0] ?? '')
        for (const name of ['deprecation', 'sunset'])
          assert.equal(
            name in headers,
            marked,
            `${route.name}: the answer ${name in headers ? 'has' : 'lacks'} ${name}, and the contract ${marked ? 'marks' : 'does not mark'} the operation as deprecated`,
          )
        if (!marked) continue
        assert.match(
          headers.deprecation ?? '',
          /^@-?\d+$/,
          `expected Deprecation as a date of RFC 9745 (@seconds), got ${headers.deprecation}`,
        )
        assert.ok(
          !Number.isNaN(Date.parse(headers.sunset ?? '')),
          `expected Sunset as an HTTP date of RFC 8594, got ${headers.sunset}`,
        )
      }
    },
  },
  {
    id: 'versioning/first-requests-stay-valid',
    title: 'on every route a valid request of the first version of the contract succeeds',
    rules: ['VER-12'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      // The suite validates each answer against that contract, including its required members.
      for (const route of bearerRoutes(t)) {
        const { status, text } = await ask(t.me, route, ids)
        assert.ok(status < 300, `expected 2xx from ${route.name}, got ${status} ${text.slice(0, 300)}`)
      }
    },
  },
]
