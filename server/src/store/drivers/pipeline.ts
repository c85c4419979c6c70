import type { Client, Connection } from 'pg'
import { Query } from 'pg'

/** One command of a pipeline, prepared once per connection under its name. */
export interface Command {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
}

/** A non-empty list of commands. */
export type Commands = readonly [Command, ...Command[]]

export const hasCommands = (commands: readonly Command[]): commands is Commands => commands.length > 0

/** The server's answer to one executed command. */
export interface Answer {
  readonly command: string
  readonly rows: readonly unknown[]
}

/** The results of a pipeline; the commands after a failed one were skipped. */
export interface PipelineResult {
  readonly answers: readonly Answer[]
  /** The error of the command after the answered ones; null if all succeeded. */
  readonly error: unknown
}

/** Internal methods of pg's query, missing from its types. */
interface PgQuery {
  name: string
  text: string
  values: readonly unknown[]
  query_timeout: number | undefined
  readonly portal: string
  readonly _result: Answer
  submit(connection: Connection): null
  prepare(connection: Connection): void
  _getRows(connection: Connection): void
  handleCommandComplete(message: object, connection: Connection): void
  handleError(error: unknown, connection: Connection): void
}
const PgQuery = Query as unknown as new (first: Command, callback: (error: unknown) => void) => PgQuery

/** Commands followed by one Sync, so that the server answers all at once; pg would flush after each. */
class Pipeline extends PgQuery {
  readonly answers: Answer[] = []
  readonly #commands: readonly Command[]

  constructor(commands: Commands, callback: (error: unknown) => void) {
    super(commands[0], callback)
    this.#commands = commands
  }

  override submit(connection: Connection): null {
    connection.stream.cork()
    for (const command of this.#commands) {
      Object.assign(this, command)
      this.prepare(connection)
    }
    connection.sync()
    connection.stream.uncork()
    Object.assign(this, this.#commands[0])
    return null
  }

  override _getRows(connection: Connection): void {
    connection.execute({ portal: this.portal }, false)
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    super.handleCommandComplete(message, connection)
    this.answers.push(this._result)
    Object.assign(this, this.#commands[this.answers.length])
  }

  override handleError(error: unknown, connection: Connection): void {
    // If all commands were executed, a row could not be parsed; the error is then reported for the last command.
    this.answers.length = Math.min(this.answers.length, this.#commands.length - 1)
    // The server skipped the commands after the failed one, so they are not prepared.
    const submitted: object = Reflect.get(connection, 'submittedNamedStatements')
    for (const { name } of this.#commands.slice(this.answers.length)) Reflect.deleteProperty(submitted, name)
    super.handleError(error, connection)
  }
}

/** Sends commands in one message. Closes the connection if the server is silent for longer than `silenceMs`. */
export const sendPipeline = (
  client: Client,
  commands: Commands,
  silenceMs: number | undefined,
): Promise<PipelineResult> =>
  new Promise((resolve) => {
    const pipeline = new Pipeline(commands, (error) => resolve({ answers: pipeline.answers, error }))
    pipeline.query_timeout = silenceMs
    client.query(pipeline)
  })
