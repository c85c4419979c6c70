/**
 * The worker thread of an embedded database, so that statements do not block the main thread. Posts `open` when ready,
 * and answers every round trip of the protocol with the engine's output.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { joinedBytes } from './joined-bytes.ts'

/** The start options of the engine. */
export interface EngineSource {
  /** The folder of the database; absent for one in memory. */
  readonly dataDir?: string
  /** A data directory as `PGlite.dumpDataDir` gives it. */
  readonly loadDataDir?: Blob
}

/** A round trip: messages of the protocol up to one after which the engine answers; null to close the engine. */
export type EngineRequest = Uint8Array<ArrayBuffer> | null

/** The engine's output; `open` once, before everything else. */
export type EngineAnswer = 'open' | Uint8Array<ArrayBuffer>

const port = parentPort
if (port === null) throw new Error('The engine of the embedded database runs in a thread of its own.')

const source: EngineSource = workerData
const pglite = await PGlite.create(source)

/**
 * Executes a round trip. `execProtocolRawSync` and `execProtocolRaw` also parse every answer and keep the parsed result
 * forever; the streaming call does not. It runs synchronously, so requests never overlap.
 */
const answer = async (request: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  await pglite.execProtocolRawStream(request, {
    syncToFs: false,
    // A view of the engine's memory, which the next piece overwrites.
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
