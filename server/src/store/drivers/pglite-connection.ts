import { Duplex } from 'node:stream'
import { Client } from 'pg'
import type { EngineThread } from './engine-thread.ts'
import { joinedBytes } from './joined-bytes.ts'
import { rowTypes } from './row-types.ts'

/**
 * A pg client on the embedded engine. The same code then prepares, binds and reads rows for both databases, and the
 * engine plans a statement once instead of at every call (a third of the time).
 * @param onBroken Called when the engine has crashed. Pending work is rejected.
 */
export const createPgliteClient = (engine: EngineThread, onBroken: () => void): Client =>
  new Client({
    user: 'postgres',
    types: rowTypes,
    pipeline: true,
    // Otherwise the driver would read both from the environment.
    ssl: false,
    sslnegotiation: 'postgres',
    stream: () => new EngineSocket(engine, onBroken),
  })

const codeOf = (letter: string): number => letter.charCodeAt(0)

/** First bytes of the messages after which the engine answers: Sync and Query. */
const ENDS_ROUND_TRIP: ReadonlySet<number | undefined> = new Set(['S', 'Q'].map(codeOf))
const TERMINATE = codeOf('X')

/** The server's messages after authentication: AuthenticationOk, ReadyForQuery. */
const WELCOME = Buffer.from([codeOf('R'), 0, 0, 0, 8, 0, 0, 0, 0, codeOf('Z'), 0, 0, 0, 5, codeOf('I')])
const READY_BYTES = 6

/** An answer without a final ReadyForQuery means that the engine has crashed: another round trip would never return. */
const isCrash = (answer: Uint8Array): boolean => answer.at(-READY_BYTES) !== codeOf('Z')

/** A socket for a pg client that is connected to the engine. pg writes one message of the protocol at a time. */
class EngineSocket extends Duplex {
  readonly #engine: EngineThread
  readonly #onBroken: () => void
  #messages: Buffer[] = []
  #isStarted = false

  constructor(engine: EngineThread, onBroken: () => void) {
    super()
    this.#engine = engine
    this.#onBroken = onBroken
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'))
  }

  setNoDelay(): void {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#isStarted) this.#take(message)
    else this.push(WELCOME)
    this.#isStarted = true
    done()
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  #take(message: Buffer): void {
    if (message[0] === TERMINATE) return
    this.#messages.push(message)
    if (!ENDS_ROUND_TRIP.has(message[0])) return
    const roundTrip = joinedBytes(this.#messages)
    this.#messages = []
    this.#engine.run(roundTrip).then(
      (answer) => {
        if (!this.destroyed) this.push(answer)
        if (isCrash(answer)) this.#breakDown()
      },
      (cause) => this.#breakDown(cause),
    )
  }

  #breakDown(cause?: unknown): void {
    this.#onBroken()
    this.destroy(new Error('Connection terminated unexpectedly', { cause }))
  }
}
