import { isApiError } from '../errors.ts'
import type { Decision } from './decision.ts'
import { LOG_LEVELS, type Logger, type LogLevel } from './logger.ts'

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
 * Writes decisions as log lines. They hold operation, kind of trouble, status, code and request ID; what could hold a
 * secret (headers, bodies, addresses, texts of errors) never gets here.
 */
export const createLog =
  (logger: Logger, least: LogLevel): ((decision: Decision) => unknown) =>
  (decision) => {
    const level = isStreamLimit(decision) ? 'warn' : LEVEL_OF[decision.kind]
    // What an asynchronous logger returns may reject.
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least) ? logger[level](describe(decision)) : undefined
  }

/** The reader waits for as long as others hold the streams, and would see nothing but that it is slow. */
const isStreamLimit = (decision: Decision): boolean =>
  ('code' in decision && decision.code === 'STREAM_LIMIT') ||
  ('error' in decision && isApiError(decision.error, 'STREAM_LIMIT'))

const describe = ({ kind, operationId, ...rest }: Decision): string =>
  Object.entries(rest)
    .filter(([name, value]) => name !== 'error' && value !== null)
    .reduce((line, [name, value]) => `${line} ${name}=${String(value)}`, `conversation-gateway ${kind} ${operationId}`)
