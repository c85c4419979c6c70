import type { ClockSample } from '../../domain/followed-clock.ts'
import type { Queryable, Statement } from '../db.ts'

const READ: Statement = {
  name: 'read_database_time',
  access: 'read',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "timeMs"',
}

/** The database's time, assigned to the middle of the round trip as a time of `performance.now()`. */
export const readDatabaseTime = async (db: Queryable): Promise<ClockSample> => {
  const askedMs = performance.now()
  const [row] = await db.query<{ timeMs: number }>(READ, [])
  const answeredMs = performance.now()
  if (row === undefined) throw new Error('the database returned no time')
  return { atMs: (askedMs + answeredMs) / 2, timeMs: row.timeMs, uncertaintyMs: (answeredMs - askedMs) / 2 }
}
