import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createClient, isApiError } from '@conversation-gateway/sdk'
import {
  type ChatRequest,
  resumeChat,
  sendChatMessage,
  stopChat,
  toUIMessageStreamResponse,
  toUIMessages,
} from '@conversation-gateway/sdk/ai-sdk'
import { build } from 'esbuild'
import Fastify from 'fastify'

/**
 * Serves the page and its chat: `node backend.ts`, with GATEWAY_BASE_URL and GATEWAY_API_KEY. ENDPOINT_ID defaults to
 * `ep_demo_chat`, and PORT to 9004.
 */

// Your backend takes the subject from its session.
const client = createClient({ subject: 'ada' })
const target = { endpoint_id: process.env.ENDPOINT_ID ?? 'ep_demo_chat', conversation_key: 'react' }

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const html = await readFile(pathOf('index.html'), 'utf8')
const { outputFiles } = await build({
  entryPoints: [pathOf('page.tsx')],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  write: false,
})

const app = Fastify()
interface OfChat {
  Params: { id: string }
}
app.get('/', (_request, reply) => reply.type('text/html').send(html))
app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(outputFiles[0]?.text))

/** The initial data of the page: its chat, and the messages so far. */
app.get('/api/chat', async () => {
  const { conversation_id: id } = await client.conversations.getOrCreate(target)
  const { messages } = await client.messages.list(id, { limit: 100 })
  return { id, messages: toUIMessages(messages) }
})
app.post<{ Body: ChatRequest }>('/api/chat', async ({ body }) =>
  toUIMessageStreamResponse(await sendChatMessage(client, body)),
)
app.get<OfChat>('/api/chat/:id/stream', async ({ params }) =>
  toUIMessageStreamResponse(await resumeChat(client, params.id)),
)
app.post<OfChat>('/api/chat/:id/stop', async ({ params }, reply) => {
  await stopChat(client, params.id)
  return reply.code(204).send()
})

app.setErrorHandler((error, _request, reply) => {
  if (isApiError(error)) return reply.code(error.status).send(error.message)
  // The page posted a body that useChat does not send.
  if (error instanceof TypeError) return reply.code(400).send(error.message)
  console.error(error)
  return reply.code(502).send('The assistant cannot be reached.')
})

console.log(`Open ${await app.listen({ port: Number(process.env.PORT ?? 9004) })}`)
