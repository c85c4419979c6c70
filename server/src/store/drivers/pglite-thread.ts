/**
 * The thread of an embedded database. The engine computes here, so that the thread which started it never waits for a
 * statement to end. Says `open` when it is, and answers every round trip of the protocol with what the engine said.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { joinedBytes } from './joined-bytes.ts'

/** What the engine starts from. */
export interface EngineSource {
  /** The folder of the database; absent for one in memory. */
  readonly dataDir?: string
  /** A data directory as `PGlite.dumpDataDir` gives it. */
  readonly loadDataDir?: Blob
}

/** A round trip: messages of the protocol up to one after which the engine answers; null to close the engine. */
export type EngineRequest = Uint8Array<ArrayBuffer> | null

/** What the engine said; `open` once, before all else. */
export type EngineAnswer = 'open' | Uint8Array<ArrayBuffer>

const port = parentPort
if (port === null) throw new Error('The engine of the embedded database runs in a thread of its own.')

const source: EngineSource = workerData
const pglite = await PGlite.create(source)

/**
 * Carries out a round trip. `execProtocolRawSync` and `execProtocolRaw` also parse every answer and keep what they have
 * parsed for ever; the call for streams does not. It computes before it returns, so requests never overlap.
 */
const answer = async (request: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  await pglite.execProtocolRawStream(request, {
    syncToFs: false,
    // A view of the engine's own memory, which it writes over with the next piece.
    onRawData: (piece) => pieces.push(piece.slice()),
  })
  return joinedBytes(pieces)
}

port.on('message', async (request: EngineRequest) => {
  if (request === null) {
    pglite.close().finally(() => port.close())
    return
  }
  const answered: EngineAnswer = await answer(request)
  port.postMessage(answered, [answered.buffer])
})
port.postMessage('open' satisfies EngineAnswer)
