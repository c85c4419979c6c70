import type { Queryable, Statement } from '../db.ts'

const READ: Statement = {
  name: 'read_admission_switch',
  access: 'read',
  text: 'select admission_paused as paused from gateway',
}

/** Whether admission is paused for the gateway as a whole. */
export const isAdmissionPaused = async (db: Queryable): Promise<boolean> =>
  (await db.query<{ paused: boolean }>(READ, []))[0]?.paused ?? false

const SET: Statement = {
  name: 'set_admission_switch',
  access: 'write',
  text: 'update gateway set admission_paused = $1',
}

export const setAdmissionPaused = async (db: Queryable, paused: boolean): Promise<void> => {
  await db.query(SET, [paused])
}
