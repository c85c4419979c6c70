import assert from 'node:assert/strict'
import type { CallOptions } from '../../../kit/server/caller.ts'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { finishedRecords, unknownRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

/** Other faults of a request, by name. */
const OTHER_FAULTS: Readonly<Record<string, CallOptions>> = {
  'a subject without records': { headers: { 'x-service-subject': 'subject-without-records' } },
  'an odd Accept': { headers: { accept: 'image/png' } },
  'an odd position': { headers: { 'last-event-id': 'x', accept: 'text/event-stream' } },
}
const NO_SUBJECT: Readonly<Record<string, CallOptions>> = {
  'no subject': { headers: { 'x-service-subject': null } },
}
const FAULTS_OF_BODIES: Readonly<Record<string, CallOptions>> = {
  'no JSON': { body: '{', headers: { 'content-type': 'application/json' } },
  'an unknown field': { body: '{"no_such_field":1}', headers: { 'content-type': 'application/json' } },
  'another content type': { body: 'x', headers: { 'content-type': 'text/plain' } },
  'no Idempotency-Key': { headers: { 'idempotency-key': null } },
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'authentication/good-key-is-never-refused',
    title: 'no route answers 401 or 403 to a valid key because of another fault of the request',
    rules: ['AUTH-03'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const unknown = unknownRecords(ids)
      // The specification does not define the answer to an absent subject (D-03 decides it).
      const others = t.profile === 'core' ? OTHER_FAULTS : { ...OTHER_FAULTS, ...NO_SUBJECT }
      for (const route of bearerRoutes(t)) {
        const faults = { ...others, ...(route.json === undefined ? {} : FAULTS_OF_BODIES) }
        const attempts = [
          ['an unknown ID', await ask(t.me, route, unknown)] as const,
          ...(await Promise.all(
            Object.entries(faults).map(
              async ([what, options]) => [what, await ask(t.me, route, unknown, options)] as const,
            ),
          )),
        ]
        for (const [what, { status }] of attempts)
          assert.ok(status !== 401 && status !== 403, `${route.name} answered ${status} for ${what}`)
      }
    },
  },
  {
    id: 'authentication/conflicts-are-no-403',
    title: 'a reused Idempotency-Key, a wrong generation, a foreign service and a repeated cancel are not 401 or 403',
    rules: ['AUTH-03'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ hang: true })
      const { conversation_id: id } = conversation
      const key = t.fresh('key')
      const answers = [
        await t.me.send(id, { text: 'x' }, { generation: 2 }),
        await t.me.reset(id, 1),
        await t.me.reset(id, 7),
        await t.me.createConversation({ endpoint_id: t.config.services.main, conversation_key: key }, { key }),
        await t.me.createConversation({ endpoint_id: t.config.services.main, conversation_key: key }),
        await t.me.createConversation({ endpoint_id: t.config.services.main }, { key }),
        await t.me.createConversation({ endpoint_id: t.config.services.foreign }),
        await t.me.cancel(admission.run_id),
        await t.me.cancel(admission.run_id),
      ]
      for (const { request, status } of answers)
        assert.ok(status !== 401 && status !== 403, `${request.method} ${request.path} answered ${status}`)
    },
  },
]
