import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Maximum bytes of a refused body that are read: twice the largest body of any operation. A client that sends its whole
 * body first can then read the answer.
 */
const DISCARDED_BYTES = 32 * 1024 * 1024

/**
 * Reads the rest of a refused request and forgets it. Closing at once would reset the connection, and the client would
 * lose the answer. A client that sends too much is disconnected. Call this before sending the answer.
 */
export const discardBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (!hasBody(request) || request.readableEnded || request.destroyed) return
  let left = DISCARDED_BYTES
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  if (response.shouldKeepAlive) return
  // The client asked to close the connection; wait for the end of its body first.
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
