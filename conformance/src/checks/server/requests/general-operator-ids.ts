import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

const expectId = (id: unknown, prefix: string): void => {
  assert.match(String(id), new RegExp(`^${prefix}_[a-z0-9_-]{22,}$`))
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/operators-records-have-ids',
    title: 'IDs made for applications, keys, devices and services begin with app_, key_, dev_ and ep_',
    rules: ['GEN-22'],
    needs: ['admin'],
    run: async (t) => {
      const create = (path: string, json: object) => t.admin.call<Record<string, unknown>>('POST', path, json)
      const { app_id: appId } = await create('/apps', { owner_id: t.fresh('owner') })
      const { key_id: keyId } = await create(`/apps/${appId}/keys`, { scopes: ['runs:read'] })
      const { device_id: deviceId } = await create('/devices', {})
      const { endpoint_id: endpointId } = await create(`/apps/${appId}/endpoints`, { device_id: deviceId })
      expectId(appId, 'app')
      expectId(keyId, 'key')
      expectId(deviceId, 'dev')
      expectId(endpointId, 'ep')
    },
  },
  {
    id: 'general/approval-and-request-ids',
    title: 'IDs made for approvals and requests begin with apr_ and req_',
    rules: ['GEN-22'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ approval: 'May I?' }, { succeed: { text: 'x' } })
      const stream = await t.me.events(conversation.conversation_id, { after: admission.event_cursor })
      const { payload } = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      expectId(Object(payload).approval_id, 'apr')
      const { headers } = await t.me.run(admission.run_id)
      expectId(headers['x-request-id'], 'req')
    },
  },
  {
    id: 'general/webhook-integration-ids',
    title: 'an ID made for a webhook integration begins with wh_',
    rules: ['GEN-24'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { integration_id: id } = await t.admin.call<{ integration_id: string }>('POST', '/webhooks', {
        app_id: t.config.apps.first.appId,
        endpoint_id: t.config.services.main,
        subject: t.me.subject,
        event_type_field: 'type',
        event_types: ['any'],
        action: 'new',
        message_field: 'text',
      })
      expectId(id, 'wh')
      await t.admin.request('PATCH', `/webhooks/${id}`, { json: { enabled: false } })
    },
  },
  {
    id: 'general/callback-and-delivery-ids',
    title: 'IDs of callback configurations begin with cb_ and those of deliveries with dlv_',
    rules: ['GEN-25'],
    needs: ['admin', 'appIds', 'callbacks', 'driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { callback_id: id } = await t.admin.call<{ callback_id: string }>('POST', '/callbacks', {
        app_id: t.config.apps.first.appId,
        endpoint_id: endpointId,
        url: `${t.callbacks.origin}${t.callbacks.path}`,
        events: ['run.completed'],
      })
      expectId(id, 'cb')
      const conversation = await t.conversation({ endpoint_id: endpointId })
      await runToEnd(t, conversation, t.script({ succeed: { text: 'x' } }))
      const { deliveries } = await t.until(
        'a delivery is listed',
        () => t.admin.call<{ deliveries: { delivery_id: string }[] }>('GET', `/deliveries?callback_id=${id}`),
        (page) => page.deliveries.length > 0,
      )
      expectId(deliveries[0]?.delivery_id, 'dlv')
    },
  },
]
