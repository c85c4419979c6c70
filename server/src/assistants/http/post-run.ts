import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Timers } from '../../runtime/timers.ts'
import { AnswerFault } from './answer-fault.ts'
import type { AnswerFormat } from './read-lines.ts'
import { ANSWER_FORMATS } from './read-lines.ts'

export interface RunPost {
  readonly url: URL
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Uint8Array
  /** Timeout for the beginning of the answer after connecting, in milliseconds. */
  readonly firstByteMs: number
  /** Closes the connection, whatever state it is in. */
  readonly signal: AbortSignal
}

/** The beginning of an answer whose steps can be read. */
export interface Answer {
  readonly format: AnswerFormat
  /** The body. It throws AnswerFault if the connection breaks, and ends if the signal aborts. */
  readonly body: AsyncIterable<Uint8Array>
  /** Closes the connection. Resolves when it is closed. */
  close(): Promise<void>
}

const CONNECT_MS = 10_000

/**
 * Posts a run once, over a new connection. The other side may close a kept-alive connection at the moment of its reuse,
 * which would leave it unknown whether the run was received. Redirects are not followed.
 * @throws {AnswerFault} there is no answer, or it cannot contain steps.
 */
export const postRun = async (post: RunPost, timers: Pick<Timers, 'after'>): Promise<Answer> => {
  const exchange = openExchange(post, timers)
  try {
    const response = await exchange.response
    return { format: formatOf(response), body: readBody(response, post.signal), close: exchange.close }
  } catch (error) {
    await exchange.close()
    throw error
  }
}

const openExchange = ({ url, headers, body, firstByteMs, signal }: RunPost, { after }: Pick<Timers, 'after'>) => {
  const isSecure = url.protocol === 'https:'
  const request = (isSecure ? requestHttps : requestHttp)(url, { method: 'POST', headers, agent: false })
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { promise: closed, resolve: setClosed } = Promise.withResolvers<void>()
  let phase: ConnectionPhase = 'connecting'

  const fail = (...fault: ConstructorParameters<typeof AnswerFault>): void => {
    reject(new AnswerFault(...fault))
    request.destroy()
  }
  const abort = (): void => void request.destroy()
  let cancelTimer = after(CONNECT_MS, () =>
    fail('ASSISTANT_UNREACHABLE', `expected a connection within ${CONNECT_MS / 1000} seconds`),
  )
  signal.addEventListener('abort', abort, { once: true })
  request.once('close', () => {
    cancelTimer()
    signal.removeEventListener('abort', abort)
    setClosed()
    // This has no effect after an answer or an error.
    reject(new AnswerFault('ASSISTANT_DISCONNECTED', 'expected an answer; the connection was closed'))
  })
  // After the response head, this has no effect: the body throws the error.
  request.on('error', (error) => reject(faultOf(error, phase)))
  request.once('response', (answer) => {
    cancelTimer()
    resolve(answer)
  })
  request.once('upgrade', (_answer, socket) => {
    socket.destroy()
    fail('ASSISTANT_REFUSED', 'expected status 200; got 101')
  })
  const startAnswer = (): void => {
    phase = 'answering'
    cancelTimer()
    cancelTimer = after(firstByteMs, () =>
      fail(
        'ASSISTANT_TIMEOUT',
        `expected the head of the answer within ${firstByteMs / 1000} seconds (first_byte_seconds)`,
      ),
    )
  }
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      phase = 'securing'
    })
    // Without TLS, this follows at once.
    socket.once(isSecure ? 'secureConnect' : 'connect', startAnswer)
  })
  if (signal.aborted) abort()
  else request.end(body)
  const close = (): Promise<void> => {
    request.destroy()
    return closed
  }
  return { response, close }
}

type ConnectionPhase = 'connecting' | 'securing' | 'answering'

const faultOf = (error: Error & { readonly code?: string }, phase: ConnectionPhase): AnswerFault => {
  // Node's messages name addresses and certificates; the code does not.
  const found = error.code ?? error.name
  if (phase === 'connecting') return new AnswerFault('ASSISTANT_UNREACHABLE', `expected a connection; got ${found}`)
  if (phase === 'securing')
    return new AnswerFault('ASSISTANT_TLS_FAILED', `expected a trusted certificate; got ${found}`)
  if (found.startsWith('HPE_'))
    return new AnswerFault('ASSISTANT_ANSWER_INVALID', `expected an answer of HTTP/1.1; got ${found}`)
  return new AnswerFault('ASSISTANT_DISCONNECTED', `expected an answer; got ${found}`)
}

const TYPES = Object.keys(ANSWER_FORMATS).join(', ')

/** The format of the body. @throws {AnswerFault} the status, the encoding or the media type is not accepted. */
const formatOf = ({ statusCode = 0, headers }: IncomingMessage): AnswerFormat => {
  if (statusCode >= 500) throw new AnswerFault('ASSISTANT_UNAVAILABLE', `expected status 200; got ${statusCode}`)
  if (statusCode !== 200) {
    const redirect = statusCode >= 300 && statusCode < 400 ? ', and redirects are not followed' : ''
    throw new AnswerFault('ASSISTANT_REFUSED', `expected status 200; got ${statusCode}${redirect}`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    throw new AnswerFault(
      'ASSISTANT_ANSWER_INVALID',
      'expected an answer without content-encoding; got a compressed one',
    )
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  const format = Object.entries(ANSWER_FORMATS).find(([name]) => name === type.trim().toLowerCase())?.[1]
  if (format === undefined)
    throw new AnswerFault(
      'ASSISTANT_ANSWER_INVALID',
      `expected content-type ${TYPES}; got ${type.trim() === '' ? 'none' : JSON.stringify(type.trim().slice(0, 100))}`,
    )
  return format
}

async function* readBody(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk
  } catch {
    if (!signal.aborted) throw new AnswerFault('ASSISTANT_DISCONNECTED', 'expected an end step; the connection broke')
  }
}
