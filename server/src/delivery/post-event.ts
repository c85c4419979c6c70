import type { ClientRequest, IncomingMessage } from 'node:http'
import type { AttemptResult } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import type { Timers } from '../runtime/timers.ts'
import { failureMessage } from './failure-message.ts'
import type { GuardedConnect, OutgoingPost } from './guarded-connect.ts'
import { AddressBlocked } from './guarded-connect.ts'
import type { DeliverySettings } from './settings.ts'

/** Sends a body and waits for the answer. Never rejects: an error is a result, too. */
export type PostEvent = (
  post: OutgoingPost & { readonly body: Uint8Array },
  signal: AbortSignal,
) => Promise<AttemptResult>

export interface PostEventOptions {
  readonly connect: GuardedConnect
  readonly timers: Timers
  readonly settings: Pick<DeliverySettings, 'connectTimeoutMs' | 'responseTimeoutMs'>
}

/** Bytes of an answer's body after which reading ends, and the maximum to keep (D-39). */
const READ_BYTES = 64 * 1024
const EXCERPT_BYTES = 1024

export const createPostEvent =
  ({ connect, timers, settings }: PostEventOptions): PostEvent =>
  async ({ body, ...post }, signal) => {
    const ending = new AbortController()
    let failure: string | null = null
    const end = (message: string): void => {
      failure ??= message
      ending.abort()
    }
    const interrupt = (): void => end('The gateway was stopped during the attempt.')
    signal.addEventListener('abort', interrupt, { once: true })
    let cancelTimer = timers.after(settings.connectTimeoutMs, () =>
      end(`There was no connection to the receiver within ${settings.connectTimeoutMs / 1000} seconds.`),
    )
    const startResponse = (): void => {
      cancelTimer()
      cancelTimer = timers.after(settings.responseTimeoutMs, () =>
        end(`The receiver did not answer within ${settings.responseTimeoutMs / 1000} seconds.`),
      )
    }
    try {
      const request = await abortable(ending.signal, connect(post, ending.signal))
      const response = await answerTo(request, body, startResponse)
      const retryAfter = response.headers['retry-after'] ?? null
      return { kind: 'answered', status: response.statusCode ?? 0, retryAfter, excerpt: await readExcerpt(response) }
    } catch (error) {
      if (failure !== null) return { kind: 'failed', message: failure }
      if (error instanceof AddressBlocked) return { kind: 'blocked', message: error.message }
      return { kind: 'failed', message: failureMessage(error) }
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', interrupt)
      // Ends the connection, whatever state it is in.
      ending.abort()
    }
  }

/** Rejects when the signal fires, because a DNS look-up may ignore the signal. */
const abortable = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** Writes the request once there is a connection, and resolves with the head of the answer. */
const answerTo = (request: ClientRequest, body: Uint8Array, onConnected: () => void): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // An error after the head of the answer has no effect, because the promise is already resolved.
    request.on('error', reject)
    request.once('response', resolve)
    request.once('socket', (socket) => {
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected)
    })
    // The request did not ask to switch the protocol.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('the answer is an upgrade'))
    })
    request.end(body)
  })

/** The beginning of the body. An error cuts it short, but does not fail the attempt: the status has been received. */
const readExcerpt = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= READ_BYTES) break
    }
  } catch {
    // The connection broke, or the timeout passed.
  }
  return toExcerpt(Buffer.concat(chunks))
}

const excerptBytes = new Uint8Array(EXCERPT_BYTES)

/** At most 1 KiB of text; invalid UTF-8 becomes U+FFFD, and NUL characters, which PostgreSQL rejects, are removed. */
const toExcerpt = (body: Buffer): string => {
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES)).replaceAll('\0', '')
  return text.slice(0, new TextEncoder().encodeInto(text, excerptBytes).read)
}
