import type { Logger } from 'pino'
import type { DatabaseUnavailable } from '../db.ts'

/** Tells why the database cannot be used: at once, and then now and then for as long as it lasts. */
export type TellOutage = (error: DatabaseUnavailable) => void

/** An outage fails thousands of statements; one line of the log for this time is enough, in milliseconds. */
const QUIET_MS = 10_000

export const createOutageLog = (log: Pick<Logger, 'warn'> | undefined): TellOutage => {
  let quietUntil = 0
  return (error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + QUIET_MS
    log?.warn({ err: error }, 'the database cannot be used')
  }
}
