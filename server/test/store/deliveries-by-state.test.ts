import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import { beforeAll, expect, it } from 'vitest'
import type { DeliveryFilter } from '../../src/store/admin/deliveries.ts'
import { listDeliveries } from '../../src/store/admin/deliveries.ts'
import type { Statement } from '../../src/store/db.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { planOf } from '../support/databases/plan-of.ts'

const ROWS = 30_000
const FILL: Statement = {
  name: 'test_fill_deliveries',
  access: 'write',
  text: `insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision,
      conversation_id, seq, event_type, state, expires_at, created_at, updated_at)
    select 'app', 'cb', 'evt_' || n, 'dlv_' || lpad(n::text, 6, '0'), 1, 1, 'conv', n, 'run.completed',
      case n % 3000 when 0 then 'needs_action' when 1 then 'expired' when 2 then 'cancelled_config_changed'
        when 3 then 'pending' when 4 then 'sending' else 'delivered' end, now(), now(), now()
    from generate_series(1, ${ROWS}) n`,
}
const ANY = { appId: null, callbackId: null, state: null }

eachDatabase('the list of deliveries in a state', (database) => {
  beforeAll(async () => {
    await database.db.query(FILL, [])
    await database.db.exec('analyze deliveries')
  })

  const planOfList = (filter: DeliveryFilter) => planOf(database.db, (db) => listDeliveries(db, filter, null, 50))

  it.each(['needs_action', 'expired', 'cancelled_config_changed'] as const)(
    'reads the deliveries that are %s by an index, without the many delivered ones',
    async (state) => {
      const plan = await planOfList({ ...ANY, state })
      expect(plan).toContain('deliveries_ended_badly')
      expect(plan).not.toContain('Seq Scan')
      const rows = await listDeliveries(database.db, { ...ANY, state }, null, 50)
      expect(rows.map((row) => row.state)).toEqual(Array(ROWS / 3000).fill(state))
      const ids = rows.map(({ deliveryId }) => deliveryId)
      expect(ids).toEqual(ids.toSorted().reverse())
    },
  )

  it.each([null, 'pending', 'sending', 'delivered'] as const)(
    'does not read the whole table for the state %s',
    async (state: CallbackDeliveryState | null) => {
      expect(await planOfList({ ...ANY, state })).not.toContain('Seq Scan')
    },
  )
})
