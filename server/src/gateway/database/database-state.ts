import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Db } from '../../store/db.ts'
import { proveWrite } from '../../store/maintenance/write-proof.ts'
import { askBriefly } from './ask-briefly.ts'

/** Whether the database takes writes, and what it says about the gateway as a whole. */
export type DatabaseState =
  | { readonly takesWrites: true; readonly admissionPaused: boolean }
  | { readonly takesWrites: false; readonly reason: string }

export type ReadDatabaseState = () => Promise<DatabaseState>

/** Who asks within this time of an answer gets the same one: a process writes its proof once a second at most. */
const KEPT_MS = 1000
/** How long a proof may take until the database counts as away: `/readyz` has two seconds. */
const PATIENCE_MS = 1500

/**
 * How long a write that found no room counts. The proof is written where there is room already, so that it alone would not
 * notice a full disk.
 */
const NO_ROOM_MS = 5000

/** Never rejects, and answers in less than two seconds whatever the database does. */
export const createDatabaseState = (db: Db, clock: Clock): ReadDatabaseState => {
  const prove = askBriefly(() => proveWrite(db, clock.now()), PATIENCE_MS)
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
