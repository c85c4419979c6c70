import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordIds } from '../support/api-routes.ts'
import { ask, finishedRecords, NAMED_IDS, NOBODY, ROOM_FOR_STREAMS, ROUTES, requestTo } from '../support/api-routes.ts'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const

onGateways(
  'scopes',
  (running) => {
    let owner: Client
    let records: RecordIds
    beforeAll(async () => {
      await playDevice(running).beat()
      owner = running.client()
      records = await finishedRecords(owner)
    })

    test('of the contract are these four and no other [SCOPE-01]', () => {
      const scopes = ROUTES.flatMap(({ info }) => info.scopes.flat())
      expect([...new Set(scopes)].sort()).toEqual(SCOPES)
    })

    describe.each(ROUTES)('$id', (route) => {
      const { info } = route
      const isEnough = (scope: string): boolean => info.scopes.some((needed) => needed.every((each) => each === scope))

      test('is refused, without effect, to the owner of a record whose key has another scope, and answered to one that has a scope of the contract [AUTH-20, ERR-03, SCOPE-03, SCOPE-04, SCOPE-05, SCOPE-06, SCOPE-07, SCOPE-08, SCOPE-09]', async () => {
        const before = await countRows(running.gateway.context.db)
        for (const scope of SCOPES.filter((each) => !isEnough(each))) {
          const client = running.client({ key: KEYS.only[scope] })
          const answer = await ask(client, route, requestTo(route, records))
          expect([scope, answer.status, answer.body.code]).toEqual([scope, 403, 'PERMISSION_DENIED'])
        }
        expect(await countRows(running.gateway.context.db)).toEqual(before)
        for (const scope of SCOPES.filter(isEnough)) {
          const client = running.client({ key: KEYS.only[scope] })
          const answer = await ask(client, route, requestTo(route, await finishedRecords(owner)))
          expect([scope, answer.status]).toEqual([scope, info.successStatus])
        }
      })

      test('is not refused for its key, whatever else is wrong, when the key is good [AUTH-03]', async () => {
        const { method, path, body } = requestTo(route, NOBODY)
        const key = { idempotencyKey: crypto.randomUUID() }
        const accept = { accept: 'application/json' }
        const answers = [
          await owner.request(method, path, { ...(body === null ? {} : { body }), ...key }),
          await owner.request(method, path, { headers: { ...accept, 'x-service-subject': ' ' } }),
          await owner.request(method, path, { headers: { ...accept, 'last-event-id': 'x' } }),
          ...(body === null ? [] : [await owner.request(method, path, { rawBody: '{', ...key })]),
          ...(body === null ? [] : [await owner.request(method, path, { body })]),
        ]
        // A request that names nobody's records and is right in all else is answered.
        const namesNone = !NAMED_IDS.some((named) => named.route.id === route.id)
        const expected = [400, 404, 406, ...(namesNone ? [info.successStatus] : [])]
        for (const { status } of answers) expect(expected).toContain(status)
      })
    })
  },
  { ...WITHOUT_WORKER, ...ROOM_FOR_STREAMS },
)
