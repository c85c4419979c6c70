import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Db } from '../../store/db.ts'
import { proveWrite } from '../../store/maintenance/write-proof.ts'
import { askBriefly } from './ask-briefly.ts'

/** Whether the database takes writes, and the state of the gateway as a whole. */
export type DatabaseState =
  | { readonly takesWrites: true; readonly admissionPaused: boolean }
  | { readonly takesWrites: false; readonly reason: string }

export type ReadDatabaseState = () => Promise<DatabaseState>

/** How long an answer is reused, so that a process writes its proof at most once a second. */
const KEPT_MS = 1000
/** Timeout of a proof, after which the database is considered unavailable; `/readyz` must answer within two seconds. */
const TIMEOUT_MS = 1500

/**
 * How long the database is reported as read-only after a write failed for lack of space. The proof updates an existing
 * row, so it alone would not notice a full disk.
 */
const NO_ROOM_MS = 5000

/** Never rejects, and answers in less than two seconds whatever the database does. */
export const createDatabaseState = (db: Pick<Db, 'query' | 'lastWithoutRoom'>, clock: Clock): ReadDatabaseState => {
  const prove = askBriefly(() => proveWrite(db, clock.now()), TIMEOUT_MS)
  let kept: { readonly state: DatabaseState; readonly until: number } | null = null
  return async () => {
    if (kept !== null && performance.now() < kept.until) return kept.state
    const state = await prove().then(
      ({ admissionPaused }): DatabaseState => {
        const lack = db.lastWithoutRoom()
        return lack !== null && performance.now() - lack.at < NO_ROOM_MS
          ? { takesWrites: false, reason: lack.message }
          : { takesWrites: true, admissionPaused }
      },
      (error: unknown): DatabaseState => ({ takesWrites: false, reason: reasonOf(error) }),
    )
    kept = { state, until: performance.now() + KEPT_MS }
    return state
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')
