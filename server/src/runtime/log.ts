import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { createRedaction } from './log-redaction.ts'
import { standardError } from './standard-error.ts'

/** The methods with which workers and tracing log; a pino logger has them. */
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
  /** Texts to redact from every line, in addition to everything that looks like a credential. */
  readonly secrets?: readonly string[]
}

/**
 * Writes one JSON object per line. No line shows an API key, a bearer token, a password of a URL or the text of a
 * member named like a secret, anywhere in an object, a message or an error.
 * @example logger.child({ request_id }).info({ run_id }, 'admitted')
 */
export const createLogger = ({ level, destination = standardError, secrets = [] }: LoggerOptions): Logger =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite: createRedaction(secrets),
        // A foreign exception may throw again when it is inspected.
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

/** Like pino, which joins the messages of an error and its causes, but without a message that the cause repeats. */
const serializeError = (error: Error): object => {
  const fields = pino.stdSerializers.err(error)
  if (!(error instanceof Error && error.cause instanceof Error) || error.message !== error.cause.message) return fields
  return { ...fields, message: fields.message.slice(`${error.message}: `.length) }
}

const UNREADABLE = 'a value that throws when it is read'

/** The members; a value other than a string, number or boolean is replaced. */
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
