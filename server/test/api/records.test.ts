import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordIds, RouteAnswer } from '../support/api-routes.ts'
import { ask, finishedRecords, ROOM_FOR_STREAMS, ROUTES, requestTo } from '../support/api-routes.ts'
import type { Client } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const PREFIXES: Readonly<Record<string, string>> = {
  conversation_id: 'conv',
  message_id: 'msg',
  run_id: 'run',
  operation_id: 'op',
  event_id: 'evt',
}
const OPERATORS_PREFIXES: Readonly<Record<string, string>> = {
  app_id: 'app',
  key_id: 'key',
  device_id: 'dev',
  endpoint_id: 'ep',
  approval_id: 'apr',
  request_id: 'req',
}
/** A UUIDv7 in lower-case hexadecimal. */
const SUFFIX = '[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}'
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Every member of an answer, however deep it stands, by name. */
const membersOf = (value: unknown): [name: string, value: unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [[name, member], ...membersOf(member)])
    : []

onGateways(
  'the answers of the API',
  (running) => {
    const device = playDevice(running)
    let client: Client
    let records: RecordIds
    const answers: { readonly id: string; readonly answer: RouteAnswer }[] = []
    let events: readonly unknown[]
    beforeAll(async () => {
      client = running.client()
      await device.beat()
      // Milliseconds are written also when there are none.
      running.clock.pass(1000 - running.clock.now().getMilliseconds())
      records = await finishedRecords(client)
      for (const route of ROUTES) {
        const answer = await ask(client, route, requestTo(route, await finishedRecords(client)))
        answers.push({ id: route.id, answer })
      }
      const stream = await client.events(records.conversation_id)
      events = await stream.until((seen) => seen.some(({ type }) => type === 'run.cancelled'))
      stream.close()
    })
    const members = () => [...answers.flatMap(({ answer }) => membersOf(answer.body)), ...membersOf(events)]

    test('are JSON, problems included, and event streams where the route is one [GEN-06]', async () => {
      for (const { info, id } of ROUTES) {
        const answer = answers.find((each) => each.id === id)?.answer
        const [documented] = info.responseContentTypes
        // What was uploaded is given back as what it is.
        const expected = documented === '*/*' ? 'text/plain' : documented
        expect([id, answer?.status, answer?.headers.get('content-type')?.split(';')[0]]).toEqual([
          id,
          info.successStatus,
          expected,
        ])
      }
      const problem = await client.run('run_nobody')
      expect(problem.headers.get('content-type')).toBe('application/problem+json')
    })

    test('carry a request ID, streams included [REQ-03]', () => {
      for (const { id, answer } of answers)
        expect([id, answer.headers.get('x-request-id')]).toEqual([id, expect.stringMatching(/^req_/)])
    })

    test('name records by IDs that tell their kind, in characters of a URL [GEN-18, GEN-21]', () => {
      const ids = members().filter(([name, id]) => name in PREFIXES && id !== null)
      expect(new Set(ids.map(([name]) => name))).toEqual(new Set(Object.keys(PREFIXES)))
      for (const [name, id] of ids)
        expect([name, id]).toEqual([name, expect.stringMatching(`^${PREFIXES[name]}_${SUFFIX}$`)])
    })

    test('write moments in UTC with three decimals and Z, also when they are zero [GEN-19, GEN-27]', () => {
      const moments = members().filter(([name]) => name.endsWith('_at'))
      expect(new Set(moments.map(([name]) => name))).toEqual(new Set(['created_at', 'updated_at']))
      for (const [name, moment] of moments) expect([name, moment]).toEqual([name, expect.stringMatching(TIMESTAMP)])
      expect(moments.map(([, moment]) => moment)).toContainEqual(expect.stringMatching(/\.000Z$/))
    })

    test('start a run for a message and for a direct run, and for no other request [GEN-08]', async () => {
      for (const route of ROUTES) {
        const request = requestTo(route, await finishedRecords(client))
        const before = await countRows(running.gateway.context.db)
        await ask(client, route, request)
        const { runs } = await countRows(running.gateway.context.db)
        expect([route.id, runs - before.runs]).toEqual([
          route.id,
          route.id === 'sendMessage' || route.id === 'createRun' ? 1 : 0,
        ])
      }
    })

    test('come from below /api/v1 and from nowhere else [GEN-04, VER-01, ERR-27]', async () => {
      for (const route of ROUTES) {
        expect(route.pathTemplate).toMatch(/^\/api\/v1\//)
        const { method, path } = requestTo(route, records)
        for (const elsewhere of [path.replace('/api/v1', ''), path.replace('/v1', ''), path.replace('/v1', '/v2')])
          expect(await client.request(method, elsewhere, { idempotencyKey: 'key' })).toMatchObject({
            status: 404,
            body: { code: 'NOT_FOUND' },
          })
      }
    })

    describe('have IDs', () => {
      test('of operators’ records that tell their kind too [GEN-22]', async () => {
        const { operator } = running
        const create = async (path: string, body: object) =>
          Object((await operator.request('POST', `/admin/v1/${path}`, { body })).body)
        const { app_id } = await create('apps', { owner_id: 'owner' })
        const { key_id } = await create(`apps/${app_id}/keys`, { scopes: ['runs:read'] })
        const { device_id } = await create('devices', {})
        const { endpoint_id } = await create(`apps/${app_id}/endpoints`, { device_id })
        const { conversation_id } = (await client.createConversation()).body
        await device.ask(await device.take((await client.send(conversation_id, { text: 'x' })).body.run_id), 'May I?')
        const { approvals } = (
          await operator.request<{ approvals: { approval_id: string }[] }>('GET', '/admin/v1/approvals')
        ).body
        const approval_id = approvals[0]?.approval_id
        const { request_id } = Object((await client.run('run_nobody')).body)
        for (const [name, id] of Object.entries({ app_id, key_id, device_id, endpoint_id, approval_id, request_id }))
          expect([name, id]).toEqual([name, expect.stringMatching(`^${OPERATORS_PREFIXES[name]}_${SUFFIX}$`)])
      })

      test('that sort by the millisecond in which they were made, and cannot be guessed [GEN-20]', async () => {
        const create = async (): Promise<string> => (await client.createConversation()).body.conversation_id
        const ids: string[] = []
        while (ids.length < 16) {
          ids.push(await create())
          running.clock.pass(1)
        }
        expect(ids).toEqual([...ids].sort())
        // Apart from time, version and variant no digit is the same in all of them.
        const random = ids.map((id) => id.slice(-19, -16) + id.slice(-15))
        for (let digit = 0; digit < 18; digit += 1)
          expect(new Set(random.map((text) => text[digit])).size).toBeGreaterThan(1)
      })
    })
  },
  { ...WITHOUT_WORKER, ...ROOM_FOR_STREAMS },
)
