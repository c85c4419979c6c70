import { expect, test } from 'vitest'
import { WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'

interface Listed {
  readonly path: string
  /** The member of the answer that has the list, and the member of a record that has its ID. */
  readonly members: readonly [records: string, id: string]
  readonly body: (name: string) => object
  readonly filter?: string
}

const LISTS: readonly Listed[] = [
  { path: 'apps', members: ['apps', 'app_id'], body: () => ({ owner_id: 'owner' }) },
  { path: 'apps/app_test/keys', members: ['keys', 'key_id'], body: () => ({ scopes: ['runs:read'] }) },
  { path: 'apps/app_test/endpoints', members: ['endpoints', 'endpoint_id'], body: () => ({ device_id: 'dev_test' }) },
  { path: 'devices', members: ['devices', 'device_id'], body: () => ({}) },
  { path: 'operators', members: ['operators', 'operator_id'], body: (name) => ({ name, role: 'read' }) },
  {
    path: 'webhooks',
    members: ['webhooks', 'integration_id'],
    body: () => MESSAGE_BY_KEY,
    filter: 'app_id=app_test',
  },
  {
    path: 'callbacks',
    members: ['callbacks', 'callback_id'],
    body: () => ({
      app_id: 'app_test',
      endpoint_id: 'ep_script',
      url: 'https://orders.example.com/',
      events: ['run.completed'],
    }),
    filter: 'app_id=app_test',
  },
]

onGateways(
  'a list of the admin API',
  (running) => {
    test.each(LISTS)('has every record once, from the newest to the oldest: $path', async (list) => {
      const [records, id] = list.members
      const request = async (method: string, path: string, body?: object) => {
        const answer = await running.operator.request(method, `/admin/v1/${path}`, { body })
        return { status: answer.status, body: Object(answer.body) }
      }
      const created: string[] = []
      for (let count = 0; count < 5; count += 1) {
        // Two pairs of records have the same time.
        if (count % 2 === 0) running.clock.pass(1)
        created.push((await request('POST', list.path, list.body(`operator ${count}`))).body[id])
      }
      const read = (before: string) =>
        request('GET', `${list.path}?limit=2${before}${list.filter === undefined ? '' : `&${list.filter}`}`)
      const listed: Record<string, string>[] = []
      for (let page = (await read('')).body[records]; page.length > 0; ) {
        listed.push(...page)
        page = (await read(`&before=${listed.at(-1)?.[id]}`)).body[records]
      }
      const ids = listed.map((record) => record[id])
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.slice(0, 5).sort()).toEqual(created.sort())
      const times = listed.map((record) => record.created_at)
      expect(times).toEqual(times.toSorted().reverse())
      expect((await read('&before=unknown')).status).toBe(404)
    })

    test.each(LISTS.filter(({ filter }) => filter !== undefined))(
      'can be limited to an application: $path',
      async ({ path, members, body }) => {
        const other = { ...body(''), app_id: 'app_other', endpoint_id: 'ep_other' }
        const { body: made } = await running.operator.request('POST', `/admin/v1/${path}`, { body: other })
        const of = async (appId: string): Promise<object[]> =>
          Object((await running.operator.request('GET', `/admin/v1/${path}?app_id=${appId}`)).body)[members[0]]
        expect(await of('app_other')).toMatchObject([{ [members[1]]: Object(made)[members[1]] }])
        expect((await of('app_test')).length).toBeGreaterThan(0)
        expect((await of('app_test')).every((record) => Object(record).app_id === 'app_test')).toBe(true)
      },
    )
  },
  { ...WITHOUT_WORKER, callbackTargets: { hosts: new Set(['orders.example.com']), devOrigins: new Set() } },
)
