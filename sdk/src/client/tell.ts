import { quietly } from '../quietly.ts'
import type { Decision, DecisionListener } from './decision.ts'
import { createLog } from './log.ts'
import { LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'

/** Tells the logger and the listener of decisions. A failure of one is told to the other one, once; it never fails the call. */
export function createTell(
  logger: Logger | undefined,
  least: LogLevel,
  onDecision: DecisionListener | undefined,
): DecisionListener {
  if (!LOG_LEVELS.includes(least)) throw new TypeError(`logLevel must be one of ${LOG_LEVELS.join(', ')}.`)
  const log = logger && createLog(logger, least)
  const listen = (decision: Decision, report?: (error: unknown) => void): void =>
    void quietly(() => onDecision?.(decision), report)
  const write = (decision: Decision, report?: (error: unknown) => void): void =>
    void quietly(() => log?.(decision), report)
  return (decision) => {
    const failed = (error: unknown): Decision => ({ kind: 'hook-failed', operationId: decision.operationId, error })
    // The listener has the decision first.
    write(decision, (error) => queueMicrotask(() => listen(failed(error))))
    listen(decision, (error) => write(failed(error)))
  }
}
