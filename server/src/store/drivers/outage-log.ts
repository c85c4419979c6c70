import type { Logger } from 'pino'
import type { DatabaseUnavailable } from '../db.ts'

/** Logs why the database cannot be used: the first error at once, later errors at most every ten seconds. */
export type LogOutage = (error: DatabaseUnavailable) => void

/** Minimum interval between log lines, in milliseconds, because an outage fails thousands of statements. */
const QUIET_MS = 10_000

export const createOutageLog = (log: Pick<Logger, 'warn'> | undefined): LogOutage => {
  let quietUntil = 0
  return (error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + QUIET_MS
    log?.warn({ err: error }, 'the database cannot be used')
  }
}
