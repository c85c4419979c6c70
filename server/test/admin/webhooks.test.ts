import type { SavedWebhook, Webhook } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, expect, it, test } from 'vitest'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import { sealCallbackSecret } from '../../src/gateway/secrets/signing-secret.ts'
import { insertCallback } from '../../src/store/admin/callbacks.ts'
import type { Statement } from '../../src/store/db.ts'
import { sendingTo } from '../callbacks/support.ts'
import { startReceiver } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, MESSAGE_BY_KEY, question } from '../support/webhook-sender.ts'

const WEBHOOKS = '/admin/v1/webhooks'

onGateways('webhook integrations', (running) => {
  const ask = <Body>(method: string, path: string, body?: unknown) =>
    running.operator.request<Body>(method, path, { body })
  const read = (id: string) => ask<Webhook>('GET', `${WEBHOOKS}/${id}`)
  const update = (id: string, body: unknown) => ask<Webhook & Problem>('PATCH', `${WEBHOOKS}/${id}`, body)

  test('have a URL at the public address of the gateway [HOOK-36]', async () => {
    const { integration_id: id, url } = await createIntegration(running)
    expect(url).toBe(`https://gateway.example.com/api/v1/webhooks/${id}`)
  })

  test('store their secret encrypted for this integration only [HOOK-69, CONF-08]', async () => {
    const [one, two] = [await createIntegration(running), await createIntegration(running)]
    const { db } = running.gateway.context
    const stored: Statement = {
      name: 'test_stored_webhook',
      access: 'read',
      text: `select w::text as row, secret from webhooks w where integration_id = $1`,
    }
    const [row] = await db.query<{ row: string; secret: Buffer }>(stored, [one.integration_id])
    expect(row?.row).not.toContain(one.secret)
    expect(row?.row).not.toContain(Buffer.from(one.secret).toString('hex'))
    const swap: Statement = {
      name: 'test_swap_secret',
      access: 'write',
      text: 'update webhooks set secret = $2 where integration_id = $1',
    }
    await db.query(swap, [two.integration_id, row?.secret ?? Buffer.alloc(0)])
    expect((await deliver(running, { ...two, secret: one.secret }, question())).status).toBe(500)
  })

  test('can be created with a chosen ID and secret; an existing ID is 409', async () => {
    const integration = await createIntegration(running, { integration_id: 'wh_chosen', secret: 'my own secret' })
    expect(integration).toMatchObject({ integration_id: 'wh_chosen', secret: 'my own secret' })
    expect((await deliver(running, integration, question())).status).toBe(202)
    for (const more of [{}, { app_id: 'app_other', endpoint_id: 'ep_other' }])
      expect(
        await ask<Problem>('POST', WEBHOOKS, { ...MESSAGE_BY_KEY, ...more, integration_id: 'wh_chosen' }),
      ).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
  })

  test('must not share a secret with a callback, here or in a bootstrap file [SIG-22]', async () => {
    const { context } = running.gateway
    const secret = 'whsec_of_a_callback'
    if (context.secrets === null) throw new Error('the gateway has a secret key')
    await insertCallback(context.db, {
      callbackId: 'cb_one',
      appId: 'app_test',
      endpointId: 'ep_script',
      deviceId: 'dev_test',
      url: 'https://orders.example.com/',
      eventTypes: ['run.completed'],
      enabled: false,
      version: 1,
      revision: 1,
      sealedSecret: sealCallbackSecret(context.secrets, 'cb_one', secret),
      previousSecret: null,
      sealedFileSecret: null,
      sealedQuery: null,
      createdAt: context.clock.now(),
      updatedAt: context.clock.now(),
    })
    expect(await ask<Problem>('POST', WEBHOOKS, { ...MESSAGE_BY_KEY, secret })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/secret' }] },
    })
    const file = { webhooks: [{ ...MESSAGE_BY_KEY, integration_id: 'wh_shared', secret }] }
    expect((await applyBootstrap(context, file)).faults).toMatchObject([{ pointer: '/webhooks/0/secret' }])
    expect((await ask('POST', WEBHOOKS, { ...MESSAGE_BY_KEY, secret: 'whsec_another' })).status).toBe(201)
  })

  test('change only in the given members; null removes a field path, and the action must keep its required paths', async () => {
    const integration = await createIntegration(running, { data_field: 'order' })
    const id = integration.integration_id
    running.clock.pass(1000)
    const changed = await update(id, { data_field: null, subject: 'another', event_types: ['a', 'b'] })
    expect(changed.status).toBe(200)
    const { secret: _, data_field: __, ...before } = integration
    const after = {
      ...before,
      subject: 'another',
      event_types: ['a', 'b'],
      updated_at: running.clock.now().toISOString(),
    }
    expect(changed.body).toEqual(after)
    const refused: [change: object, pointers: string[]][] = [
      [{ message_field: null }, ['']],
      [{ conversation_key_field: null }, ['/conversation_key_field']],
      [{ match: 'id' }, ['/conversation_id_field', '/generation_field']],
      [{ action: 'reset', generation_field: 'g' }, ['/conversation_id_field']],
      [{ action: 'cancel' }, ['/run_id_field']],
    ]
    for (const [change, pointers] of refused) {
      const answer = await update(id, change)
      expect([answer.status, answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([400, pointers])
    }
    expect((await update(id, { endpoint_id: 'ep_other' })).status).toBe(404)
    expect((await read(id)).body).toEqual(after)
    expect((await update(id, { action: 'cancel', run_id_field: 'run' })).body).toMatchObject({ action: 'cancel' })
  })

  test('are 404 if they do not exist', async () => {
    expect((await read('wh_nobody')).status).toBe(404)
    expect((await ask('POST', `${WEBHOOKS}/wh_nobody/rotate-secret`)).status).toBe(404)
    expect((await update('wh_nobody', { enabled: false })).status).toBe(404)
  })
})

onGateways(
  'a gateway without a secret key',
  (running) => {
    test('refuses to save integrations, and answers 404 to deliveries [CONF-08]', async () => {
      const saved = await running.operator.request<Problem>('POST', WEBHOOKS, { body: MESSAGE_BY_KEY })
      expect(saved).toMatchObject({ status: 503, body: { code: 'CAPABILITY_UNAVAILABLE' } })
      expect(saved.body.detail).toContain('GATEWAY_SECRET_KEY')
      expect((await deliver(running, { integration_id: 'wh_nobody', secret: 'x' }, question())).status).toBe(404)
    })
  },
  { secretKeys: null },
)

const receiver = await startReceiver()
afterAll(() => receiver.close())

onGateways(
  'rotating the secret of an integration',
  (gateway) => {
    const rotate = (id: string, query: string) =>
      gateway.operator.request<SavedWebhook>('POST', `${WEBHOOKS}/${id}/rotate-secret${query}`)

    it('keeps at most the two newest secrets, and without overlap only the new one [HOOK-73, HOOK-34]', async () => {
      const first = await createIntegration(gateway)
      const id = first.integration_id
      const second = (await rotate(id, '?overlap_seconds=86400')).body
      const third = (await rotate(id, '?overlap_seconds=86400')).body
      const statuses = async () =>
        Promise.all([first, second, third].map(async (it) => (await deliver(gateway, it, question())).status))
      expect(await statuses()).toEqual([401, 202, 202])
      const fourth = (await rotate(id, '')).body
      expect(await statuses()).toEqual([401, 401, 401])
      expect([fourth.previous_secret_expires_at, (await deliver(gateway, fourth, question())).status]).toEqual([
        null,
        202,
      ])
    })

    it('keeps callbacks from using the old secret while it is valid', async () => {
      const integration = await createIntegration(gateway)
      await rotate(integration.integration_id, '?overlap_seconds=60')
      const wanted = { app_id: 'app_test', endpoint_id: 'ep_script', url: receiver.origin, events: ['run.failed'] }
      const { status: answered } = await gateway.operator.request('POST', '/admin/v1/callbacks', {
        body: { ...wanted, secret: integration.secret },
      })
      expect(answered).toBe(400)
    })

    it.each(['86401', '-1', '1.5', 'soon'])('refuses an overlap of %s seconds [HOOK-73]', async (overlap) => {
      const { integration_id: id } = await createIntegration(gateway)
      expect((await rotate(id, `?overlap_seconds=${overlap}`)).status).toBe(400)
    })
  },
  sendingTo(receiver),
)
