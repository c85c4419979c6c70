import { isApiError } from '../errors.ts'
import { quietly } from '../quietly.ts'
import type { Decision, DecisionListener } from '../transport/decision-report.ts'

/** A logger, such as `console` or pino. */
export type Logger = { readonly [level in 'debug' | 'info' | 'warn' | 'error']: (message: string) => void }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']

const LEVEL_OF: Record<Decision['kind'], Exclude<LogLevel, 'off'>> = {
  replay: 'info',
  reconnect: 'debug',
  poll: 'info',
  reload: 'info',
  'give-up': 'warn',
  'outbox-not-cleared': 'warn',
  'hook-failed': 'warn',
}

/**
 * Writes decisions as log lines. They contain the kind, operation, reason, status, code, request ID and numbers such as
 * the attempt, and nothing that could hold a secret (headers, bodies, addresses, error texts).
 */
export const createLog =
  (logger: Logger, least: LogLevel): ((decision: Decision) => unknown) =>
  (decision) => {
    const level = isStreamLimit(decision) ? 'warn' : LEVEL_OF[decision.kind]
    // An asynchronous logger may reject.
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least) ? logger[level](describe(decision)) : undefined
  }

/** Without this log line, a reader that waits for a free stream would only seem slow. */
const isStreamLimit = (decision: Decision): boolean =>
  ('code' in decision && decision.code === 'STREAM_LIMIT') ||
  ('error' in decision && isApiError(decision.error, 'STREAM_LIMIT'))

const describe = ({ kind, operationId, ...rest }: Decision): string =>
  Object.entries(rest)
    .filter(([name, value]) => name !== 'error' && value !== null)
    .reduce((line, [name, value]) => `${line} ${name}=${String(value)}`, `conversation-gateway ${kind} ${operationId}`)

/**
 * Reports decisions to the logger and the listener. If one fails, the other receives that failure, once; the call never
 * fails.
 */
export function createReporter(
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
    // The listener gets the decision first.
    write(decision, (error) => queueMicrotask(() => listen(failed(error))))
    listen(decision, (error) => write(failed(error)))
  }
}
