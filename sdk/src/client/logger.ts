/** What log lines are written to: `console`, pino and most others fit. */
export type Logger = { readonly [level in 'debug' | 'info' | 'warn' | 'error']: (message: string) => void }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']
