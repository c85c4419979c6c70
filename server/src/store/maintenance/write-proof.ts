import type { Queryable, Statement } from '../db.ts'

const PROVE: Statement = {
  name: 'prove_write',
  access: 'write',
  text: `
with proof as (
  update write_proof set proved_at = $1
)
select admission_paused as "admissionPaused" from gateway`,
}

/** Commits a write, which proves that the database is writable, and reads some state in the same round trip. */
export const proveWrite = async (db: Queryable, now: Date): Promise<{ readonly admissionPaused: boolean }> =>
  (await db.query<{ admissionPaused: boolean }>(PROVE, [now]))[0] ?? { admissionPaused: false }
