import type { Client, Connection } from 'pg'
import { Query } from 'pg'

/** One command of a pipeline, prepared once per connection under its name. */
export interface Command {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
}

/** There is one at least. */
export type Commands = readonly [Command, ...Command[]]

export const hasCommands = (commands: readonly Command[]): commands is Commands => commands.length > 0

/** What the server says of one command that it carried out. */
export interface Answer {
  readonly command: string
  readonly rows: readonly unknown[]
}

/** How far a pipeline was carried out: nothing behind the command that failed was. */
export interface PipelineResult {
  readonly answers: readonly Answer[]
  /** Of the command behind the answers; null where all have one. */
  readonly error: unknown
}

/** What pg's query does between a command and its answer. Its types leave it out. */
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

/** Commands with one Sync behind them: the server answers them at once, where pg would have it flush an answer for each. */
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
    // Where all were carried out a row cannot be read.
    this.answers.length = Math.min(this.answers.length, this.#commands.length - 1)
    // The server has skipped them, so it has not prepared them either.
    const submitted: object = Reflect.get(connection, 'submittedNamedStatements')
    for (const { name } of this.#commands.slice(this.answers.length)) Reflect.deleteProperty(submitted, name)
    super.handleError(error, connection)
  }
}

/** Sends commands in one message. The connection breaks if the server is silent for longer than `silenceMs`. */
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
