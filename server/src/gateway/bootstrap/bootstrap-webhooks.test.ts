import { expect, it } from 'vitest'
import { createSecretBox } from '../../domain/secret-box.ts'
import type { Tx } from '../../store/db.ts'
import type { BootstrapChange } from './bootstrap-changes.ts'
import { applyWebhook } from './bootstrap-webhooks.ts'

it('the file fails, without a report of a created webhook, if another request takes the ID meanwhile', async () => {
  // No row is found, and none is inserted: another transaction committed the ID between the two statements.
  const tx: Tx = { inTransaction: true, query: async () => [] }
  const context = { clock: { now: () => new Date(0) }, secrets: createSecretBox(Buffer.alloc(32, 1)) }
  const changes: BootstrapChange[] = []
  const entry = {
    integration_id: 'wh_orders',
    app_id: 'app_shop',
    endpoint_id: 'ep_echo',
    secret: 'whsec_first',
    subject: 'customer-4711',
    event_type_field: 'type',
    event_types: ['order.created'],
    action: 'new' as const,
    message_field: 'text',
  }
  const applied = applyWebhook(context, tx, entry, (change) => changes.push(change))
  await expect(applied).rejects.toThrow('another request created the webhook wh_orders')
  expect(changes).toEqual([])
})
