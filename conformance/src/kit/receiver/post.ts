import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { NoAnswerError } from '../failure.ts'
import type { Transcript } from '../transcript.ts'
import type { Callback } from './callback.ts'

/** A complete answer of a receiver. */
export interface ReceiverAnswer {
  readonly status: number
  readonly text: string
}

export const isAccepted = (answer: ReceiverAnswer | null): boolean =>
  answer !== null && answer.status >= 200 && answer.status <= 299

export interface PostOptions {
  readonly url: string
  readonly answerMs: number
  readonly transcript: Transcript
  /** When aborted, ends the request with its reason. */
  readonly signal: AbortSignal
  /** How the body is sent. Default: in one write, with `Content-Length`. */
  readonly sending?: Sending
}

/**
 * `pieces`: writes of `bytes` bytes each. `chunked`: chunked coding with `bytes` bytes in each chunk. `truncated`:
 * closes the connection after `bytes` bytes of the declared length.
 */
export type Sending = { readonly how: 'pieces' | 'chunked' | 'truncated'; readonly bytes: number }

/** Maximum size of a receiver's answer. A longer one is truncated. */
const MAX_BYTES = 1024 * 1024

/**
 * Posts a callback over a new connection, with exactly the given header lines. Resolves with the answer, or with null
 * if the connection ended without one. Rejects if the receiver cannot be reached or does not answer in time.
 */
export const post = (
  callback: Callback,
  { url, answerMs, transcript, signal, sending }: PostOptions,
): Promise<ReceiverAnswer | null> => {
  const { hostname, port, protocol, pathname, search, host } = new URL(url)
  const isTls = protocol === 'https:'
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 443 : 80)) }
  const { headers, body } = callback
  const length = sending?.how === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [`POST ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...lines, length, 'Connection: close', '', '']
  // Header values may contain bytes that are not ASCII.
  const headBytes = Buffer.from(head.join('\r\n'), 'latin1')
  transcript.add('out', `${headBytes.toString('latin1')}${Buffer.from(body).toString('utf8')}`)

  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = isTls ? connectTls({ ...address, servername: hostname }) : connectPlain(address)
    const received: Buffer[] = []
    let receivedBytes = 0
    let isConnected = false
    const abort = (): void => {
      reject(signal.reason)
      socket.destroy()
    }
    signal.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => {
      reject(
        new NoAnswerError(
          `The receiver did not answer ${callback.eventId} within ${answerMs} ms`,
          'The receiver does not answer',
        ),
      )
      socket.destroy()
    }, answerMs)
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      const text = Buffer.concat(received).toString('utf8')
      transcript.add('in', text || '(the connection ended without an answer)')
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(text) ?? []
      resolve(status === undefined ? null : { status: Number(status), text })
    }
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      isConnected = true
      write(socket, headBytes, body, sending).catch(() => socket.destroy())
    })
    socket.on('data', (bytes) => {
      receivedBytes += bytes.length
      if (receivedBytes <= MAX_BYTES) received.push(bytes)
      else socket.destroy()
    })
    socket.on('close', settle)
    socket.on('error', (error) => {
      // A receiver that closes the connection during the write has either answered already or does not answer.
      if (isConnected) return
      clearTimeout(timer)
      const why = `The receiver at ${url} cannot be reached: ${error.message}`
      reject(new NoAnswerError(why, why))
    })
  })
}

const write = async (
  socket: Socket,
  head: Uint8Array,
  body: Uint8Array,
  sending: Sending | undefined,
): Promise<void> => {
  const send = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
  if (sending === undefined) return send(Buffer.concat([head, body]))
  await send(head)
  if (sending.how === 'truncated') {
    await send(body.subarray(0, sending.bytes))
    socket.end()
    return
  }
  for (let at = 0; at < body.length; at += sending.bytes) {
    const piece = body.subarray(at, at + sending.bytes)
    const isChunk = sending.how === 'chunked'
    await send(
      isChunk ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]) : piece,
    )
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (sending.how === 'chunked') await send(Buffer.from('0\r\n\r\n'))
}
