import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

/** A request that the model server received. */
export interface ModelCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** Resolves when the caller disconnects before the answer is complete. */
  readonly aborted: Promise<void>
}

export interface ModelServer {
  readonly baseUrl: string
  readonly calls: readonly ModelCall[]
  close(): Promise<void>
}

/** One frame of the chat-completions protocol. */
export const frame = (content: string | null, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] })}\n\n`

export const DONE = 'data: [DONE]\n\n'

/** A server with the chat-completions protocol; `answer` writes its answers. */
export const startModelServer = async (
  answer: (response: ServerResponse, call: ModelCall) => void | Promise<void>,
): Promise<ModelServer> => {
  const calls: ModelCall[] = []
  const server = createServer(async (request, response) => {
    const call: ModelCall = {
      path: request.url ?? '',
      headers: request.headers,
      body: await json(request),
      aborted: new Promise((resolve) =>
        response.on('close', () => {
          if (!response.writableFinished) resolve()
        }),
      ),
    }
    calls.push(call)
    await answer(response, call)
  })
  const port = await listen(server)
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    close: () => closeServer(server),
  }
}

/** Answers with an event stream in these pieces, each written in a separate turn of the event loop. */
export const stream = async (response: ServerResponse, pieces: Iterable<string | Uint8Array>): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const piece of pieces) {
    response.write(piece)
    await new Promise(setImmediate)
  }
}
