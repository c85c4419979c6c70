import type { Callback, SavedCallback } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import type { Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, expect, it, test } from 'vitest'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import type { Statement } from '../../src/store/db.ts'
import { deliveryWhen, newConversation, runToEnd, sendingTo } from '../callbacks/support.ts'
import { TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { startReceiver } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

const TOKEN = 'hunter2-in-the-query'
const CALLBACKS = '/admin/v1/callbacks'
const STORED: Statement = {
  name: 'test_stored_callback',
  access: 'read',
  text: 'select row_to_json(c)::text as row from callbacks c where callback_id = $1',
}
const STORE_PLAIN_URL: Statement = {
  name: 'test_callback_from_before',
  access: 'write',
  text: 'update callbacks set url = $2, url_query = null where callback_id = $1',
}

const TARGETS = {
  callbackTargets: { hosts: new Set(['orders.example.com']), devOrigins: new Set(['http://127.0.0.1:9000']) },
}
const BODY = {
  app_id: 'app_test',
  endpoint_id: 'ep_script',
  url: 'https://orders.example.com/events',
  events: ['run.completed', 'approval.required'],
}

onGateways(
  'Callback configurations',
  (gateway) => {
    const post = (body: unknown) =>
      gateway.operator.request<SavedCallback & { code?: string; errors?: unknown }>('POST', CALLBACKS, { body })
    const patch = (id: string, body: unknown) =>
      gateway.operator.request<Callback>('PATCH', `${CALLBACKS}/${id}`, { body })
    const read = (id: string) => gateway.operator.request<Callback>('GET', `${CALLBACKS}/${id}`)

    it('can be created with a chosen ID and secret; an existing ID is 409', async () => {
      const chosen = { ...BODY, callback_id: 'cb_chosen', secret: 'a secret of my own', enabled: false }
      expect(await post(chosen)).toMatchObject({
        status: 201,
        body: { callback_id: 'cb_chosen', secret: 'a secret of my own', enabled: false },
      })
      expect(await post(chosen)).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
    })

    it('are 404 for unknown applications, services and configurations', async () => {
      expect((await post({ ...BODY, app_id: 'app_none' })).status).toBe(404)
      expect((await post({ ...BODY, endpoint_id: 'ep_other' })).status).toBe(404)
      expect((await read('cb_none')).status).toBe(404)
      expect((await patch('cb_none', { enabled: false })).status).toBe(404)
      expect((await gateway.operator.request('POST', `${CALLBACKS}/cb_none/rotate-secret`)).status).toBe(404)
    })

    it('are stored with an encrypted secret [CB-06]', async () => {
      const { callback_id: id, secret } = (await post(BODY)).body
      const [row] = await gateway.gateway.context.db.query<{ secret: Uint8Array }>(
        { name: 'test_callback_secret', access: 'read', text: 'select secret from callbacks where callback_id = $1' },
        [id],
      )
      if (row === undefined) throw new Error('the configuration is not stored')
      expect(Buffer.from(row.secret).includes(secret)).toBe(false)
    })
  },
  TARGETS,
)

onGateways(
  'Callback configurations of a gateway without a key for secrets',
  (gateway) => {
    it('cannot be saved, and the answer names the missing setting', async () => {
      expect(await gateway.operator.request('POST', CALLBACKS, { body: BODY })).toMatchObject({
        status: 503,
        body: { code: 'CAPABILITY_UNAVAILABLE', detail: expect.stringContaining('GATEWAY_SECRET_KEY') },
      })
    })
  },
  { ...TARGETS, secretKeys: null },
)

onGateways(
  'the query of a callback URL',
  (gateway) => {
    const fullUrl = (path: string): string => `${receiver.origin}${path}?token=${TOKEN}`
    const shownUrl = (path: string): string => `${receiver.origin}${path}?***`
    const create = async (path: string): Promise<SavedCallback> => {
      const body = { ...BODY, url: fullUrl(path), events: ['run.completed'] }
      return (await gateway.operator.request<SavedCallback>('POST', CALLBACKS, { body })).body
    }
    const change = (id: string, body: object) =>
      gateway.operator.request<Callback & Problem>('PATCH', `${CALLBACKS}/${id}`, { body })
    const stored = async (id: string): Promise<string> =>
      (await gateway.gateway.context.db.query<{ row: string }>(STORED, [id]))[0]?.row ?? ''
    const receives = async (id: string, path: string): Promise<void> => {
      await runToEnd(gateway, await newConversation(gateway))
      await deliveryWhen(gateway, id, ({ state }) => state === 'delivered')
      expect(receiver.at(`${path}?token=${TOKEN}`).length).toBeGreaterThan(0)
    }

    it('is stored encrypted, and sent [CB-67]', async () => {
      const { callback_id: id } = await create('/one')
      expect(await stored(id)).toContain('/one')
      expect(await stored(id)).not.toContain(TOKEN)
      await receives(id, '/one')
    })

    it('of a row from an earlier release is masked in answers, used for deliveries, and encrypted by the next change [CB-67]', async () => {
      for (const [path, touch] of [
        ['/four', (id: string) => change(id, { enabled: true })],
        ['/five', (id: string) => gateway.operator.request('POST', `${CALLBACKS}/${id}/rotate-secret`)],
      ] as const) {
        const { callback_id: id } = await create(path)
        await gateway.gateway.context.db.query(STORE_PLAIN_URL, [id, fullUrl(path)])
        const read = await gateway.operator.request<Callback>('GET', `${CALLBACKS}/${id}`)
        expect([read.body.url, read.body.version]).toEqual([shownUrl(path), 1])
        await receives(id, path)
        expect(await stored(id)).toContain(TOKEN)
        expect((await touch(id)).status).toBe(200)
        expect(await stored(id)).not.toContain(TOKEN)
        await change(id, { enabled: false })
      }
    })
  },
  sendingTo(receiver),
)

eachDatabase('The callbacks of a bootstrap file', (database) => {
  const ENTRY = {
    callback_id: 'cb_file',
    endpoint_id: 'ep_script',
    url: 'https://orders.example.com/events',
    events: ['run.completed' as const],
    secret: 'the secret of the file',
  }
  const context = () => ({ ...testContext(database.db, createTestClock()), ...TARGETS })
  const apply = async (callbacks: Bootstrap['callbacks'], more: Bootstrap = {}) =>
    (await applyBootstrap(context(), { ...TEST_BOOTSTRAP, ...more, callbacks: callbacks ?? [] })).faults
  const stored = async () =>
    (await database.db.query(
      {
        name: 'test_all_callbacks',
        access: 'read',
        text: "select callback_id, app_id, url, version, enabled, encode(secret, 'hex') as secret, updated_at from callbacks order by 1",
      },
      [],
    )) as Record<string, unknown>[]

  test('are created, and do not change when the same file is applied again [BOOT-08]', async () => {
    expect(await apply([ENTRY])).toEqual([])
    const before = await stored()
    expect(before).toMatchObject([{ callback_id: 'cb_file', app_id: 'app_test', version: 1, enabled: true }])
    expect(await apply([ENTRY])).toEqual([])
    expect(await stored()).toEqual(before)
  })

  test('get a new version if their secret or URL changes in the file [BOOT-08]', async () => {
    expect(await apply([{ ...ENTRY, secret: 'another secret' }])).toEqual([])
    expect(await stored()).toMatchObject([{ version: 2 }])
    expect(
      await apply([{ ...ENTRY, secret: 'another secret', url: 'http://127.0.0.1:9000/x', enabled: false }]),
    ).toEqual([])
    expect(await stored()).toMatchObject([{ version: 3, enabled: false, url: 'http://127.0.0.1:9000/x' }])
  })

  test('are refused with all faults, and nothing in the file is applied', async () => {
    const before = await stored()
    const faults = await apply([
      { ...ENTRY, callback_id: 'cb_1', url: 'https://evil.example/' },
      { ...ENTRY, callback_id: 'cb_2', endpoint_id: 'ep_none' },
      { ...ENTRY, callback_id: 'cb_file', app_id: 'app_other', endpoint_id: 'ep_other' },
      { ...ENTRY, callback_id: 'cb_1' },
      { ...ENTRY, callback_id: 'cb_3', app_id: 'app_other' },
    ])
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual([
      '/callbacks/0/url',
      '/callbacks/1/endpoint_id',
      '/callbacks/2/callback_id',
      '/callbacks/3/callback_id',
      '/callbacks/4/endpoint_id',
    ])
    expect(await stored()).toEqual(before)
  })

  test('must name their application if several applications have a service with that ID', async () => {
    const [first] = TEST_BOOTSTRAP.endpoints
    if (first === undefined) throw new Error('no service')
    const endpoints = [...TEST_BOOTSTRAP.endpoints, { ...first, app_id: 'app_other' }]
    expect(await apply([{ ...ENTRY, callback_id: 'cb_4' }], { endpoints })).toMatchObject([
      { pointer: '/callbacks/0/app_id' },
    ])
    expect(await apply([{ ...ENTRY, callback_id: 'cb_4', app_id: 'app_other' }], { endpoints })).toEqual([])
  })

  test('must not share a secret with a webhook [SIG-22]', async () => {
    const webhooks = [{ ...MESSAGE_BY_KEY, integration_id: 'wh_file', secret: ENTRY.secret }]
    expect(await apply([{ ...ENTRY, callback_id: 'cb_5', app_id: 'app_test' }], { webhooks })).toMatchObject([
      { pointer: '/callbacks/0/secret' },
    ])
  })
})
