import { joinChunks } from '../join-chunks.ts'
import { quietly } from '../quietly.ts'
import type { SignatureHeaders } from '../signature/headers.ts'
import { SignatureError } from '../signature/signature-error.ts'
import { type CallbackReceiver, type CallbackReply, SENDER_LEFT } from './receiver.ts'

/** What is used of Node's `IncomingMessage`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: SignatureHeaders
  /** Whether the stream has been read from. */
  readonly readableDidRead: boolean
  readonly readableEnded: boolean
  /** Whether the stream is destroyed, for example because its sender disconnected. */
  readonly destroyed?: boolean | undefined
  on(event: string, listener: (chunk: Uint8Array) => void): unknown
  off(event: string, listener: (chunk: Uint8Array) => void): unknown
  resume(): unknown
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  /** Whether another component has already answered, such as a timeout middleware. */
  readonly headersSent?: boolean | undefined
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(body: string): unknown
}

/**
 * The receiver as a request listener of Node's http server.
 *
 * @example
 * createServer(toNodeHandler(receiver)).listen(8080)
 */
export const toNodeHandler =
  (receiver: CallbackReceiver): ((request: NodeRequest, response: NodeResponse) => Promise<void>) =>
  async (request, response) =>
    sendReply(response, await receiveFromNode(receiver, request))

/** Receives a request whose body has not been read. */
export const receiveFromNode = (receiver: CallbackReceiver, request: NodeRequest): Promise<CallbackReply> =>
  receiver.receive({
    method: request.method ?? '',
    headers: request.headers,
    readBody: (maxBytes) => readBody(request, maxBytes),
  })

/** If another component has answered, that answer stays. Nothing here may throw into the calling server. */
const sendReply = (response: NodeResponse, { status, headers, body }: CallbackReply): void => {
  if (response.headersSent) return
  quietly(() => {
    response.writeHead(status, headers)
    response.end(body)
  })
}

const readBody = async (request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> => {
  if (request.readableDidRead || request.readableEnded) {
    throw new SignatureError(
      'parsed_body',
      'The request body was already read, probably by a body parser. Put the callback route before it: the ' +
        'signature covers the raw bytes, not the parsed body.',
    )
  }
  // `close` has already been emitted and will not be emitted again.
  if (request.destroyed) throw new Error(SENDER_LEFT)
  const chunks: Uint8Array[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const settle = (result: () => void): void => {
      request.off('data', take)
      request.off('end', end)
      request.off('close', close)
      result()
    }
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= maxBytes) return
      settle(() => resolve(undefined))
      // Drain the rest: a sender whose connection is closed while it writes may never read the answer.
      request.resume()
    }
    const end = (): void => settle(() => resolve(joinChunks(chunks, length)))
    const close = (): void => settle(() => reject(new Error(SENDER_LEFT)))
    request.on('data', take)
    request.on('end', end)
    request.on('close', close)
    // Keep this listener: an error after the body was abandoned must not crash the process.
    request.on('error', close)
  })
}

/** What is used of Express's `Request`. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown
  /** The raw bytes, where a platform keeps them beside the parsed body: NestJS, Cloud Functions. */
  readonly rawBody?: unknown
}

/**
 * The receiver as an Express handler. Put its route before `express.json()`: it reads the raw body itself. It also
 * accepts the bytes of `express.raw({ type: 'application/json' })` or of `rawBody`. After any other body parser it
 * answers 500 and gives `onError` a `SignatureError` with reason `parsed_body`.
 *
 * @example
 * app.post('/callbacks', toExpressHandler(receiver))
 * app.use(express.json())
 */
export const toExpressHandler =
  (receiver: CallbackReceiver): ((request: ExpressRequest, response: NodeResponse) => Promise<void>) =>
  async (request, response) => {
    const { method = '', headers } = request
    const bytes = [request.rawBody, request.body].find((each) => each instanceof Uint8Array)
    const reply = bytes
      ? await receiver.receive({ method, headers, readBody: async () => bytes })
      : await receiveFromNode(receiver, request)
    sendReply(response, reply)
  }
