import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { handleOf } from '../../test/support/settings.ts'
import { postgresOutbox } from './postgres-outbox.ts'

let db: PGlite

beforeAll(async () => {
  db = await PGlite.create()
  await postgresOutbox(db).migrate()
})

afterAll(() => db.close())

const createOutbox = async () => {
  await db.query('delete from gateway_outbox')
  return postgresOutbox(db)
}

describeOutbox('PostgreSQL', createOutbox)

it('the table is made once, and what is in it stays', async () => {
  const outbox = await createOutbox()
  await outbox.put(handleOf('a'))
  await outbox.migrate()
  expect(await outbox.list()).toEqual([handleOf('a')])
})

it('a damaged row says what is wrong with it', async () => {
  const outbox = await createOutbox()
  await outbox.put(handleOf('a'))
  await db.query(`update gateway_outbox set handle = '{"version":2}'`)
  await expect(outbox.list()).rejects.toThrow('version is wrong')
})
