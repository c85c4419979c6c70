import type { DeliveryRetries } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, it } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

/** Deliveries of `on` that can be retried. Those of `off`, of an older version of `on` or without a body cannot. */
const FILL: Statement = {
  name: 'test_fill_ended_deliveries',
  access: 'write',
  text: `
with configuration as (
  insert into callbacks (app_id, callback_id, endpoint_id, device_id, url, event_types, enabled, version, revision, secret,
    created_at, updated_at)
  values ('app_test', 'on', 'ep_script', 'dev_test', 'https://a.example/', 'run.completed', true, 2, 5, '', $1, $1),
    ('app_test', 'off', 'ep_script', 'dev_test', 'https://a.example/', 'run.completed', false, 2, 5, '', $1, $1)
)
insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision, conversation_id, seq,
  event_type, body, state, attempts, attempts_ever, expires_at, created_at, updated_at)
select 'app_test', case when n % 10 = 1 then 'off' else 'on' end, 'evt_' || n,
  'dlv_' || lpad(to_hex((extract(epoch from $1::timestamptz) * 1000)::bigint), 12, '0') || '7' || lpad(n::text, 6, '0'),
  case when n % 10 = 2 then 1 else 2 end, 5, 'conv', n, 'run.completed', case when n % 10 = 3 then null else '{}' end,
  case when n % 2 = 0 then 'needs_action' else 'expired' end, 8, 8, $1, $1, $1
from generate_series(1, $2::integer) n`,
}
const STATES: Statement = {
  name: 'test_all_delivery_states',
  access: 'read',
  text: `select state, count(*)::integer as count, max(attempts)::integer as attempts from deliveries group by state order by state`,
}

onGateways(
  'A retry of many deliveries',
  (running) => {
    const retry = async (body: object) =>
      (await running.operator.request<DeliveryRetries>('POST', '/admin/v1/delivery-retries', { body })).body
    const states = () => running.gateway.context.db.query(STATES, [])

    it('only counts by default, shows why some deliveries cannot be retried, and retries the others once [ADMIN-24]', async () => {
      const now = running.clock.now()
      await running.gateway.context.db.query(FILL, [now, 1000])
      const before = await states()
      const found = { retryable: 700, configuration_disabled: 100, configuration_changed: 100, payload_gone: 100 }
      const created_after = new Date(now.getTime() - 1000).toISOString()
      const rest = { more: false, next_created_after: null }
      expect(await retry({ created_after })).toEqual({ dry_run: true, retried: 0, ...found, ...rest })
      expect(await states()).toEqual(before)
      const later = new Date(now.getTime() + 1000).toISOString()
      expect(await retry({ created_after: later })).toMatchObject({ retryable: 0 })
      expect(await retry({ created_after, created_before: now.toISOString() })).toMatchObject({ retryable: 0 })
      expect(await retry({ created_after, app_id: 'app_other' })).toMatchObject({ retryable: 0 })
      expect(await retry({ created_after, callback_id: 'off' })).toMatchObject({
        retryable: 0,
        configuration_disabled: 100,
      })
      expect((await retry({ created_after, state: 'expired' })).retryable).toBeLessThan(700)
      expect(await retry({ created_after, dry_run: false })).toEqual({
        dry_run: false,
        retried: 700,
        ...found,
        ...rest,
      })
      expect(await states()).toMatchObject([
        { state: 'expired' },
        { state: 'needs_action' },
        { state: 'pending', count: 700, attempts: 0 },
      ])
      expect(await retry({ created_after, dry_run: false })).toMatchObject({ retryable: 0, retried: 0 })
    })

    it('requires a start time', async () => {
      const answers = [{}, { dry_run: false }, { created_after: 'yesterday' }].map((body) =>
        running.operator.request('POST', '/admin/v1/delivery-retries', { body }),
      )
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400])
    })
  },
  WITHOUT_WORKER,
)
