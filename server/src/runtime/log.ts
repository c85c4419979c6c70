import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { createRedaction } from './log-redaction.ts'
import { standardError } from './standard-error.ts'

/** Where a worker logs; a pino logger is one. */
export interface WorkerLog {
  readonly info: WriteLog
  readonly warn: WriteLog
  readonly error: WriteLog
}

type WriteLog = (fields: object, message: string) => void

export interface LoggerOptions {
  readonly level: LevelWithSilent
  /** Default: standard error (D-49). */
  readonly destination?: DestinationStream
  /** Texts that must not appear in any line, besides all that looks like a credential. */
  readonly secrets?: readonly string[]
}

/**
 * Writes one JSON object a line. No line shows an API key, a bearer token, a password of a URL or the value of a member
 * named like a secret, wherever in an object, a message or an error it stands.
 * @example logger.child({ request_id }).info({ run_id }, 'admitted')
 */
export const createLogger = ({ level, destination = standardError, secrets = [] }: LoggerOptions): Logger =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite: createRedaction(secrets),
        // What others have thrown may throw once more when it is looked at.
        logMethod(args, write) {
          try {
            write.apply(this, args)
          } catch {
            write.call(this, readableFields(args[0]), lastText(args))
          }
        },
      },
    },
    destination,
  )

const UNREADABLE = 'a value that throws when it is read'

/** The members of what was to be logged that are plain text, numbers or truth values. */
const readableFields = (fields: unknown): object => {
  const readable: Record<string, unknown> = {}
  try {
    for (const [name, value] of Object.entries(fields ?? {}))
      readable[name] = ['string', 'number', 'boolean'].includes(typeof value) ? value : UNREADABLE
  } catch {
    return { err: UNREADABLE }
  }
  return readable
}

const lastText = (args: readonly unknown[]): string => {
  const last = args.at(-1)
  return typeof last === 'string' ? last : UNREADABLE
}
