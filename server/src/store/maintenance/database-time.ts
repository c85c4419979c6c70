import type { ClockSample } from '../../domain/followed-clock.ts'
import type { Queryable, Statement } from '../db.ts'

const READ: Statement = {
  name: 'read_database_time',
  access: 'read',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "timeMs"',
}

/** Reads the database's time. It is assumed to be that of the middle of the round trip, by `performance.now()`. */
export const readDatabaseTime = async (db: Queryable): Promise<ClockSample> => {
  const askedMs = performance.now()
  const [row] = await db.query<{ timeMs: number }>(READ, [])
  const answeredMs = performance.now()
  if (row === undefined) throw new Error('the database returned no time')
  return { atMs: (askedMs + answeredMs) / 2, timeMs: row.timeMs, uncertaintyMs: (answeredMs - askedMs) / 2 }
}
