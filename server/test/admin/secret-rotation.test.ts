import type { SavedWebhook } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, expect, it } from 'vitest'
import { sendingTo } from '../callbacks/support.ts'
import { startReceiver } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question } from '../support/webhook-sender.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

onGateways(
  'rotating the secret of an integration',
  (gateway) => {
    const path = (id: string): string => `/admin/v1/webhooks/${id}`
    const rotate = (id: string, query: string) =>
      gateway.operator.request<SavedWebhook>('POST', `${path(id)}/rotate-secret${query}`)

    it('once more leaves the two newest at most, and without an overlap the new one alone [HOOK-73, HOOK-34]', async () => {
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

    it('keeps the old secret from callbacks as long as it counts', async () => {
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
