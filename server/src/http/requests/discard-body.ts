import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Bytes of a refused body that are still taken in, so that a client which sends it all gets to read the answer: twice
 * the largest body that any operation takes.
 */
const DISCARDED_BYTES = 32 * 1024 * 1024

/**
 * Reads the rest of a refused request and forgets it. Closing at once would make the system reset the connection, and
 * the client lose the answer; a client that goes on beyond any reason is cut off. Called before the answer is sent.
 */
export const discardBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (!hasBody(request) || request.readableEnded || request.destroyed) return
  let left = DISCARDED_BYTES
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  if (response.shouldKeepAlive) return
  // The client wants the connection closed: that waits for the end of what it sends.
  response.shouldKeepAlive = true
  let pending = 2
  const done = (): void => {
    pending -= 1
    if (pending === 0) request.socket.end()
  }
  request.once('end', done)
  response.once('finish', done)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
