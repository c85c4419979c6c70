import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { SignatureVerdict } from '../../src/domain/webhook-signature.ts'
import { verifySignature } from '../../src/domain/webhook-signature.ts'
import { closeServer, listen } from './listen.ts'

/** A run that a service received. */
export interface PostedRun {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Resolves when the gateway has closed the connection. */
  readonly closed: Promise<void>
}

export type Respond = (response: ServerResponse, run: PostedRun) => unknown

export interface HttpService {
  /** Contains a token in its query. */
  readonly url: string
  readonly runs: readonly PostedRun[]
  close(): Promise<void>
}

/** A service of the operator on loopback, to which an `http` assistant posts. */
export const startHttpService = async (respond: Respond): Promise<HttpService> => {
  const runs: PostedRun[] = []
  const server = createServer(async (request, response) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    request.socket.once('close', () => resolve())
    const run = { path: request.url ?? '', headers: request.headers, body: await buffer(request), closed }
    runs.push(run)
    await respond(response, run)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/run?token=very-secret`,
    runs,
    close: () => closeServer(server),
  }
}

/** Answers with these pieces, each written in a separate turn of the event loop. */
export const answer =
  (contentType: string, ...pieces: readonly (string | Uint8Array)[]): Respond =>
  async (response) => {
    response.writeHead(200, { 'content-type': contentType })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise(setImmediate)
    }
    response.end()
  }

/** Answers with these steps, as NDJSON. */
export const ndjson = (...steps: readonly unknown[]): Respond =>
  answer('application/x-ndjson', ...steps.map((step) => `${JSON.stringify(step)}\n`))

/** Verifies the signature of a request of the gateway. */
export const verifyRun = (
  { headers, body }: Pick<PostedRun, 'headers' | 'body'>,
  secret: string,
  now: Date,
): SignatureVerdict => {
  const all = (name: string): string[] => [headers[name]].flat().filter((value) => value !== undefined)
  const signed = { id: all('webhook-id'), timestamp: all('webhook-timestamp'), signature: all('webhook-signature') }
  return verifySignature(signed, body, secret, now)
}
