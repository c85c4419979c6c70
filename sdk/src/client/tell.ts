import type { DecisionListener } from './decision.ts'
import { LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'

/** Tells the logger and the listener of decisions; a failure of one is no matter of the other's, nor of the call's. */
export function createTell(
  logger: Logger | undefined,
  least: LogLevel,
  onDecision: DecisionListener | undefined,
): DecisionListener {
  if (!LOG_LEVELS.includes(least)) throw new TypeError(`logLevel must be one of ${LOG_LEVELS.join(', ')}.`)
  // What writes lines is loaded by who has a logger. They come in the order in which they were told.
  const log = logger && import('./log.ts').then(({ createLog }) => createLog(logger, least))
  return (decision) => {
    log?.then((write) => write(decision)).catch(() => {})
    try {
      onDecision?.(decision)
    } catch {
      // As above.
    }
  }
}
