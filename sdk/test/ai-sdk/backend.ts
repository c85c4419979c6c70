import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import {
  type ChatRequest,
  resumeChat,
  sendChatMessage,
  stopChat,
  toUIMessageStreamResponse,
  toUIMessages,
} from '../../src/ai-sdk/index.ts'
import type { GatewayClient } from '../../src/index.ts'
import { type Listening, listen } from '../support/listening.ts'

const HTML =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/page.js"></script>'

/** A small backend that serves the page and its chats. */
export const startBackend = async (client: GatewayClient): Promise<Listening> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
    // React's strict mode runs effects twice only in development.
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const page = outputFiles[0]?.text ?? ''

  const answer = async (request: IncomingMessage): Promise<Response> => {
    const { method } = request
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/page.js') return new Response(page, { headers: { 'content-type': 'text/javascript' } })
    if (method === 'POST' && pathname === '/api/chat') {
      const posted: ChatRequest = JSON.parse(await text(request))
      return toUIMessageStreamResponse(await sendChatMessage(client, posted))
    }
    const [, id = '', what] = /^\/api\/chat\/([^/]+)\/(\w+)$/.exec(pathname) ?? []
    switch (what) {
      case 'stream':
        return toUIMessageStreamResponse(await resumeChat(client, id))
      case 'messages':
        return Response.json(toUIMessages((await client.messages.list(id)).messages))
      case 'stop':
        await stopChat(client, id)
        return new Response(null, { status: 204 })
      default:
        return new Response(HTML, { headers: { 'content-type': 'text/html' } })
    }
  }
  const send = async (response: ServerResponse, { status, headers, body }: Response): Promise<void> => {
    response.writeHead(status, Object.fromEntries(headers))
    // When the page closes the connection, cancelling the stream stops reading from the gateway.
    if (body === null) response.end()
    else await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response)
  }
  return listen((request, response) => {
    answer(request)
      .then((answered) => send(response, answered))
      .catch(() => response.destroy())
  })
}
