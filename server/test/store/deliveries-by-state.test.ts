import type { CallbackDeliveryState } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import { beforeAll, expect, it } from 'vitest'
import type { DeliveryFilter } from '../../src/store/admin/deliveries.ts'
import { listDeliveries } from '../../src/store/admin/deliveries.ts'
import type { Db, Param, Statement } from '../../src/store/db.ts'
import { eachDatabase } from '../support/databases/databases.ts'

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

  /** How the database goes about what the list asks for. */
  const planOf = async (filter: DeliveryFilter): Promise<string> => {
    const asked: { statement: Statement; params: readonly Param[] }[] = []
    const query: Db['query'] = async (statement, params) => {
      asked.push({ statement, params })
      return []
    }
    const transaction: Db['transaction'] = (work) => work({ inTransaction: true, query })
    await listDeliveries({ ...database.db, query, transaction }, filter, null, 50)
    const last = asked.pop()
    if (last === undefined) throw new Error('nothing was asked')
    const values = last.params.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
    const rows = await database.db.transaction(async (tx) => {
      for (const { statement, params } of asked) await tx.query(statement, params)
      await tx.query({ name: '', access: 'write', text: `prepare listing as ${last.statement.text}` }, [])
      const plan = await tx.query<{ 'QUERY PLAN': string }>(
        { name: '', access: 'write', text: `explain execute listing(${values})` },
        [],
      )
      await tx.query({ name: '', access: 'write', text: 'deallocate listing' }, [])
      return plan
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it.each(['needs_action', 'expired', 'cancelled_config_changed'] as const)(
    'reads those that are %s, and not the many that were delivered',
    async (state) => {
      const plan = await planOf({ ...ANY, state })
      expect(plan).toContain('deliveries_ended_badly')
      expect(plan).not.toContain('Seq Scan')
      const rows = await listDeliveries(database.db, { ...ANY, state }, null, 50)
      expect(rows.map((row) => row.state)).toEqual(Array(ROWS / 3000).fill(state))
      expect(rows.map(({ deliveryId }) => deliveryId)).toEqual(
        rows
          .map(({ deliveryId }) => deliveryId)
          .sort()
          .reverse(),
      )
    },
  )

  it.each([null, 'pending', 'sending', 'delivered'] as const)(
    'never reads the whole table, also where the state is %s',
    async (state: CallbackDeliveryState | null) => {
      expect(await planOf({ ...ANY, state })).not.toContain('Seq Scan')
    },
  )
})
