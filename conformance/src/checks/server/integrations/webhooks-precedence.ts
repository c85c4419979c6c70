import type { WebhookConfig } from '../../../kit/config/server-config.ts'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import { whileAppIsDisabled } from '../../../kit/steps/suspensions.ts'
import { accept } from '../../../kit/steps/webhooks.ts'

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1)
const BAD_SIGNATURE = { signature: `v1,${'0'.repeat(64)}` }
const NO_JSON = { contentType: 'text/plain' }
const withUnknownId = (integration: WebhookConfig): WebhookConfig => ({ ...integration, integrationId: 'wh_nobody' })

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/existence-before-size',
    title: 'an unknown integration answers 404 to a body that is too large, and a known one 413',
    rules: ['HOOK-46'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      expectRefusal(await deliver(t, withUnknownId(integration), TOO_LARGE), 404)
      expectRefusal(await deliver(t, withUnknownId(integration), TOO_LARGE, { ...BAD_SIGNATURE, ...NO_JSON }), 404)
      expectRefusal(await deliver(t, integration, TOO_LARGE), 413)
    },
  },
  {
    id: 'webhooks/size-before-signature',
    title: 'a body that is too large answers 413 even if its signature or timestamp is invalid',
    rules: ['HOOK-47'],
    needs: ['webhooks.new', 'webhooks.disabled'],
    run: async (t) => {
      for (const integration of [integrationOf(t, 'new'), integrationOf(t, 'disabled')]) {
        expectRefusal(await deliver(t, integration, TOO_LARGE, { ...BAD_SIGNATURE, ...NO_JSON }), 413)
        expectRefusal(await deliver(t, integration, TOO_LARGE, { aheadSeconds: -9999 }), 413)
        const unsigned = { 'webhook-id': null, 'webhook-signature': null, 'webhook-timestamp': null }
        expectRefusal(await deliver(t, integration, TOO_LARGE, { headers: unsigned }), 413)
      }
    },
  },
  {
    id: 'webhooks/signature-before-enabled',
    title: 'a disabled integration answers 401 to an invalid signature or timestamp, and 403 only to valid ones',
    rules: ['HOOK-48'],
    tags: ['security'],
    needs: ['webhooks.disabled'],
    run: async (t) => {
      const integration = integrationOf(t, 'disabled')
      expectRefusal(await deliver(t, integration, 'no JSON', { ...BAD_SIGNATURE, ...NO_JSON }), 401)
      expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' }), { aheadSeconds: 400 }), 401)
      expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' })), 403)
    },
  },
  {
    id: 'webhooks/application-after-signature',
    title:
      'events of a disabled application answer 401 to an invalid signature, and 403 before any check of the content',
    rules: ['HOOK-48', 'HOOK-49'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.disableApp', 'driver.enableApp'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      await whileAppIsDisabled(t, 'first', async () => {
        expectRefusal(await deliver(t, integration, 'no JSON', { ...BAD_SIGNATURE, ...NO_JSON }), 401)
        expectRefusal(await deliver(t, integration, 'no JSON', NO_JSON), 403)
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' })), 403)
      })
    },
  },
  {
    id: 'webhooks/enabled-before-content-type',
    title: 'a disabled integration answers 403 for any content type and content',
    rules: ['HOOK-49'],
    needs: ['webhooks.disabled'],
    run: async (t) => {
      const integration = integrationOf(t, 'disabled')
      expectRefusal(await deliver(t, integration, 'no JSON', NO_JSON), 403)
      expectRefusal(await deliver(t, integration, 'no JSON'), 403)
      expectRefusal(await deliver(t, integration, eventOf({}), { contentType: null }), 403)
    },
  },
  {
    id: 'webhooks/content-type-before-json',
    title: 'another content type answers 415 before the body is checked, even if the body is not a JSON object',
    rules: ['HOOK-50'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', null])
        for (const body of ['no JSON', '[]', eventOf({ text: 'hello' })])
          expectRefusal(await deliver(t, integration, body, { contentType }), 415)
      for (const body of ['no JSON', '[]', '']) expectRefusal(await deliver(t, integration, body), 400)
      for (const contentType of ['application/json; charset=utf-8', 'Application/JSON'])
        expectStatus(await deliver(t, integration, eventOf({ text: 'hello' }), { contentType }), 202)
    },
  },
  {
    id: 'webhooks/content-type-before-repeat',
    title:
      'content type and JSON object are checked before repeats: an invalid repeat answers 415 or 400, not a conflict',
    rules: ['HOOK-50', 'HOOK-51'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = eventOf({ text: 'hello' })
      await accept(t, integration, event, { id })
      expectRefusal(await deliver(t, integration, event, { id, ...NO_JSON }), 415)
      for (const body of ['no JSON', '[]', 'null', '']) expectRefusal(await deliver(t, integration, body, { id }), 400)
      expectRefusal(await deliver(t, integration, event, { id, ...BAD_SIGNATURE }), 401)
      expectRefusal(await deliver(t, integration, { any: 'object' }, { id }), 409, 'WEBHOOK_CONFLICT')
    },
  },
  {
    id: 'webhooks/repeat-before-event-type',
    title: 'an earlier use of the webhook-id is looked up before the event type and before the mapping',
    rules: ['HOOK-52'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      await accept(t, integration, eventOf({ text: 'hello' }), { id })
      for (const other of [eventOf({ type: 'unknown', text: 'hello' }), eventOf({}), {}])
        expectRefusal(await deliver(t, integration, other, { id }), 409, 'WEBHOOK_CONFLICT')
    },
  },
  {
    id: 'webhooks/event-type-before-mapping',
    title: 'the event type is checked before the mapping, and the mapping before all conditions that depend on state',
    rules: ['HOOK-53'],
    needs: ['webhooks.new', 'webhooks.messageById', 'webhooks.resetCancel', 'webhooks.cancel'],
    run: async (t) => {
      const wrongType = eventOf({ type: 'unknown', text: 7, conversationId: 7, generation: 'x', runId: [] })
      for (const name of ['new', 'messageById', 'resetCancel', 'cancel'] as const)
        expectRefusal(await deliver(t, integrationOf(t, name), wrongType), 403, 'PERMISSION_DENIED')
      const unknown = { conversationId: `conv_${'0'.repeat(32)}` }
      const byId = integrationOf(t, 'messageById')
      expectRefusal(await deliver(t, byId, eventOf({ ...unknown, generation: 9, text: 7 })), 400, 'INVALID_REQUEST')
      expectRefusal(await deliver(t, byId, eventOf({ ...unknown, generation: 'x', text: 'x' })), 400, 'INVALID_REQUEST')
    },
  },
]
