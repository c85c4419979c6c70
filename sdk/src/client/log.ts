import { isApiError } from '../errors.ts'
import type { Decision, DecisionListener } from './decision.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

/** What log lines are written to: `console`, pino and most others fit. */
export type Logger = { readonly [level in 'debug' | 'info' | 'warn' | 'error']: (message: string) => void }

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']

const LEVEL_OF: Record<Decision['kind'], Exclude<LogLevel, 'off'>> = {
  replay: 'info',
  reconnect: 'debug',
  poll: 'info',
  reload: 'info',
  'give-up': 'warn',
  'outbox-not-cleared': 'warn',
}

/**
 * Writes decisions as log lines. They hold operation, kind of trouble, status, code and request ID; what could hold a
 * secret (headers, bodies, addresses, texts of errors) never gets here.
 */
export function createLog(logger: Logger | undefined, least: LogLevel): DecisionListener {
  if (!LEVELS.includes(least)) throw new TypeError(`logLevel must be one of ${LEVELS.join(', ')}.`)
  if (!logger) return () => {}
  return (decision) => {
    const level = isStreamLimit(decision) ? 'warn' : LEVEL_OF[decision.kind]
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(least)) logger[level](describe(decision))
  }
}

/** The reader waits for as long as others hold the streams, and would see nothing but that it is slow. */
const isStreamLimit = (decision: Decision): boolean =>
  ('code' in decision && decision.code === 'STREAM_LIMIT') ||
  ('error' in decision && isApiError(decision.error, 'STREAM_LIMIT'))

const describe = ({ kind, operationId, ...rest }: Decision): string =>
  Object.entries(rest)
    .filter(([name, value]) => name !== 'error' && value !== null)
    .reduce((line, [name, value]) => `${line} ${name}=${String(value)}`, `conversation-gateway ${kind} ${operationId}`)
