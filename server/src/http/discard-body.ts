import type { IncomingMessage } from 'node:http'

/** Bytes of a refused body that are still taken in, so that a client which sends it all gets to read the answer. */
const DISCARDED_BYTES = 16 * 1024 * 1024

/**
 * Reads the rest of a refused request and forgets it. Closing at once would make the system reset the connection, and
 * the client lose the answer; a client that goes on beyond any reason is cut off.
 */
export const discardBody = (request: IncomingMessage): void => {
  if (request.readableEnded || request.destroyed) return
  let left = DISCARDED_BYTES
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
}
