import type { IncomingMessage } from 'node:http'
import { request as startRequest } from 'node:http'
import { headerLines } from '../../kit/header-lines.ts'
import type { Answer, HeaderFields } from './answer.ts'
import { endToEndFields, hasBody, withoutFields } from './answer.ts'
import type { Bytes } from './bytes.ts'

/** A request that has arrived completely. */
export interface ProxiedRequest {
  readonly method: string
  /** Unchanged, with its query. */
  readonly path: string
  readonly headers: HeaderFields
  readonly body: Uint8Array
}

export interface AskOptions {
  /** Origin, `http:` only. */
  readonly target: string
  readonly request: ProxiedRequest
  /** Once aborted, the connection to the target is closed. */
  readonly ended: AbortSignal
  /** Called when the whole request has been written to the target's connection. */
  readonly onDelivered: () => void
  readonly onStatus: (status: number) => void
  readonly onContent: (byteLength: number) => void
}

/** Sends the request on its own connection. @throws the error that prevented an answer. */
export const askTarget = (options: AskOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { request, ended } = options
    const { hostname, port } = new URL(options.target)
    const outgoing = startRequest({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      method: request.method,
      path: request.path,
      headers: requestFields(request).flat(),
      agent: false,
      signal: ended,
    })
    outgoing.once('finish', options.onDelivered)
    outgoing.once('response', (incoming) => resolve(toAnswer(incoming, options)))
    // Once the answer has begun, the end of its content reports errors.
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })

const requestFields = ({ headers, body }: ProxiedRequest): HeaderFields => {
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const fields = withoutFields(endToEndFields(headers), 'content-length', 'expect')
  return isFramed ? [...fields, ['content-length', String(body.length)]] : fields
}

const toAnswer = (incoming: IncomingMessage, { request, onStatus, onContent }: AskOptions): Answer => {
  const status = incoming.statusCode ?? 0
  onStatus(status)
  return {
    status,
    reason: incoming.statusMessage ?? '',
    headers: headerLines(incoming.rawHeaders),
    content: contentOf(incoming, onContent),
    hasBody: hasBody(request.method, status),
  }
}

async function* contentOf(incoming: IncomingMessage, onContent: (byteLength: number) => void): Bytes {
  try {
    for await (const piece of incoming) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('answers are read as bytes')
      onContent(piece.length)
      yield piece
    }
    return 'complete'
  } catch {
    // The target's connection broke, so break the client's as well.
    return 'reset'
  }
}
