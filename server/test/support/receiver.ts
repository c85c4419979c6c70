import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

/** A request that a receiver of callbacks got. */
export interface ReceivedCallback {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Respond = (response: ServerResponse, received: ReceivedCallback) => void

/** A receiver of callbacks on loopback. It records its requests and answers 204, or what the test sets for the path. */
export interface Receiver {
  readonly origin: string
  /** The requests to a path, oldest first. */
  at(path: string): readonly ReceivedCallback[]
  answer(path: string, respond: Respond): void
  close(): Promise<void>
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body)

export const startReceiver = async (): Promise<Receiver> => {
  const received = new Map<string, ReceivedCallback[]>()
  const answers = new Map<string, Respond>()
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const callback = { path, headers, body: await buffer(request) }
    received.set(path, [...(received.get(path) ?? []), callback])
    const respond = answers.get(path) ?? status(204)
    respond(response, callback)
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    at: (path) => received.get(path) ?? [],
    answer: (path, respond) => void answers.set(path, respond),
    close: () => closeServer(server),
  }
}
