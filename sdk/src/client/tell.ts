import { quietly } from '../quietly.ts'
import type { Decision, DecisionListener } from './decision.ts'
import { LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'

/** Tells the logger and the listener of decisions. A failure of one is told to the other one, once; it never fails the call. */
export function createTell(
  logger: Logger | undefined,
  least: LogLevel,
  onDecision: DecisionListener | undefined,
): DecisionListener {
  if (!LOG_LEVELS.includes(least)) throw new TypeError(`logLevel must be one of ${LOG_LEVELS.join(', ')}.`)
  // What writes lines is loaded by who has a logger. They come in the order in which they were told.
  const log = logger && import('./log.ts').then(({ createLog }) => createLog(logger, least))
  // A module that cannot be loaded is told with the first decision.
  log?.catch(() => {})
  const listen = (decision: Decision, report?: (error: unknown) => void): void =>
    void quietly(() => onDecision?.(decision), report)
  const write = (decision: Decision, report?: (error: unknown) => void): void =>
    void quietly(() => log?.then((line) => line(decision)), report)
  return (decision) => {
    const failed = (error: unknown): Decision => ({ kind: 'hook-failed', operationId: decision.operationId, error })
    write(decision, (error) => listen(failed(error)))
    listen(decision, (error) => write(failed(error)))
  }
}
