import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type BrokenServer, startListener } from './start-listener.ts'

/** A request that a fault may apply to. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  /** The number of the request, from 1. */
  readonly nth: number
}

/** A fault of a proxy. */
export type Disturbance =
  /** Answers itself, without forwarding the request. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  /** Changes the header lines of the answer: name, value, name, value. */
  | { readonly kind: 'headers'; change(lines: readonly string[]): string[] }
  /** Replaces the headers and body of an error answer. */
  | { readonly kind: 'error-body'; readonly type: string; readonly body: string }
  /** Changes each piece of the body. */
  | { readonly kind: 'pieces'; change(piece: string): string }
  /** Sends the whole body and never ends it. */
  | { readonly kind: 'endless' }
  /** Closes the connection within the head of the answer. */
  | { readonly kind: 'cut-head' }

/** Starts a proxy on loopback. `fault` returns the fault for a request, or null to forward it unchanged. */
export async function startDisturbingProxy(
  target: string,
  fault: (request: ProxiedRequest) => Disturbance | null,
): Promise<BrokenServer> {
  let nth = 0
  const server = createServer((incoming, outgoing) => {
    nth += 1
    const { method = '', url: path = '' } = incoming
    forward(target, incoming, outgoing, fault({ method, path, nth })).catch(() => outgoing.destroy())
  })
  return startListener((socket) => server.emit('connection', socket))
}

async function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  disturbance: Disturbance | null,
): Promise<void> {
  const body = await buffer(incoming)
  if (disturbance?.kind === 'answer') {
    outgoing.writeHead(disturbance.status, disturbance.headers).end(disturbance.body)
    return
  }
  const upstream = request(`${target}${incoming.url}`, {
    method: incoming.method,
    headers: incoming.rawHeaders,
    agent: false,
  })
  outgoing.on('close', () => upstream.destroy())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.on('response', resolve).on('error', reject).end(body)
  })
  await sendAnswer(answer, outgoing, disturbance)
}

const FRAMING = /^(content-length|transfer-encoding|connection|keep-alive)$/i

async function sendAnswer(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  disturbance: Disturbance | null,
): Promise<void> {
  const { statusCode = 500, rawHeaders } = answer
  if (disturbance?.kind === 'cut-head') {
    outgoing.socket?.end(`HTTP/1.1 ${statusCode} Some\r\ncontent-`)
    return
  }
  if (disturbance?.kind === 'error-body' && statusCode >= 400) {
    outgoing.writeHead(statusCode, { 'content-type': disturbance.type }).end(disturbance.body)
    return
  }
  // A body that may change is sent with chunked coding.
  const lines = rawHeaders.filter((_, at) => !FRAMING.test(rawHeaders[at - (at % 2)] ?? ''))
  outgoing.writeHead(statusCode, disturbance?.kind === 'headers' ? disturbance.change(lines) : lines)
  outgoing.flushHeaders()
  answer.setEncoding('utf8')
  for await (const piece of answer) outgoing.write(disturbance?.kind === 'pieces' ? disturbance.change(piece) : piece)
  if (disturbance?.kind !== 'endless') outgoing.end()
}
