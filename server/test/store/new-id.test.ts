import type { IdPrefix } from '@conversation-gateway/openapi/behaviour/ids'
import { momentOfId, newId } from '@conversation-gateway/openapi/behaviour/ids'
import { expect, test } from 'vitest'
import { newIdSql } from '../../src/store/new-id-sql.ts'
import { eachDatabase } from '../support/databases/databases.ts'

const PREFIX: IdPrefix = 'evt'
const FORM = /^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/

eachDatabase('an ID that the database generates', (database) => {
  test('has the format and the time of an ID of the gateway, and is unique', async () => {
    const moment = new Date('2026-03-01T08:00:00.123Z')
    const made = await database.db.query<{ id: string }>(
      {
        name: 'test_new_ids',
        access: 'read',
        text: `select ${newIdSql(PREFIX, '$1')} as id from generate_series(1, 100)`,
      },
      [moment],
    )
    const ids = made.map(({ id }) => id)
    for (const id of [...ids, newId(PREFIX, moment)]) {
      expect(id).toMatch(FORM)
      expect(momentOfId(id)).toEqual(moment)
    }
    expect(new Set(ids).size).toBe(100)
  })
})
