import type { IncomingMessage } from 'node:http'
import type { TimedWait } from './adaptive-timeouts.ts'

/** Twice the size of the largest attachment, so that no valid answer is larger. */
const MOST_BYTES = 32 * 1024 * 1024

/** Reads a body to its end. @throws {Error} `did not end within 30000 ms`, `broke off`, `is longer than … bytes`. */
export async function readBody(response: IncomingMessage, wait: TimedWait): Promise<Buffer> {
  let why = 'broke off'
  const timer = setTimeout(() => {
    why = `did not end within ${wait.limitMs} ms`
    wait.timedOut()
    response.destroy()
  }, wait.limitMs)
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of response) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > MOST_BYTES) break
    }
    if (response.complete && bytes <= MOST_BYTES) {
      wait.succeeded()
      return Buffer.concat(pieces)
    }
  } catch {
    // `why` already has the reason.
  } finally {
    clearTimeout(timer)
  }
  throw new Error(bytes > MOST_BYTES ? `is longer than ${MOST_BYTES} bytes` : why)
}
