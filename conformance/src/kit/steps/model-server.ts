import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { ModelConfig } from '../config/server-config.ts'

/** A request to the model server. */
export interface ModelCall {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: unknown
}

/** The suite's own model server, which speaks the OpenAI chat-completions protocol. */
export interface ModelServer {
  readonly calls: readonly ModelCall[]
  /** Sends the remaining pieces of the answers that wait after their first one. */
  release(): void
  close(): Promise<void>
}

const frame = (content: string | null, finishReason: string | null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: content === null ? {} : { content }, finish_reason: finishReason }],
  })}\n\n`

const BETWEEN_PIECES_MS = 30

/** The frame that ends an answer with this finish_reason. */
export const finish = (reason: string): string => frame(null, reason)

export interface ModelServerOptions {
  /** Whether only the first piece is sent until the others are released. Default false. */
  readonly isHeld?: boolean
  /** The frame before `[DONE]`. Default: the answer is complete. */
  readonly end?: string
}

/** Answers every request with these pieces in separate writes, then with the frame `end` and `[DONE]`. */
export async function startModelServer(
  { receiver: { host, port } }: ModelConfig,
  pieces: readonly string[],
  { isHeld = false, end = finish('stop') }: ModelServerOptions = {},
): Promise<ModelServer> {
  const released = Promise.withResolvers<void>()
  if (!isHeld) released.resolve()
  const calls: ModelCall[] = []
  const stream = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      response.write(frame(piece, null))
      await released.promise
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_PIECES_MS))
    }
    response.end(`${end}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = '', url = '', headers } = request
      calls.push({ method, path: url, authorization: headers.authorization, body: await json(request) })
      await stream(response)
    }
    answer().catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    calls,
    release: released.resolve,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
