import { readFile } from 'node:fs/promises'
import { createClient, type GatewayClient, isApiError } from '@conversation-gateway/sdk'

/** The backend of the page: it holds the key of the gateway, and determines the subject of each request. */
export const createChat = (options: { baseUrl: string; apiKey: string; endpointId: string }) => {
  // Your backend takes the subject from its session.
  const client = createClient({ baseUrl: options.baseUrl, apiKey: options.apiKey, subject: 'demo' })
  const findChat = () => client.conversations.getOrCreate({ endpoint_id: options.endpointId, conversation_key: 'chat' })

  const answer = async (request: Request): Promise<Response> => {
    const [, action = '', id = ''] = new URL(request.url).pathname.split('/').slice(1)
    if (request.method === 'GET' && Object.hasOwn(FILES, action)) return sendFile(action)
    const { conversation_id } = await findChat()
    if (request.method === 'GET' && action === 'events') return sendEvents(client, conversation_id, request.signal)
    if (request.method !== 'POST') return new Response('There is no such page.\n', { status: 404 })

    if (action === 'messages') {
      const { id: idempotencyKey, text, generation } = await request.json()
      // The page's ID of the message is the idempotency key, so a repeated message is admitted once.
      const body = { expected_generation: generation, input: { text } }
      await client.messages.send(conversation_id, body, { idempotencyKey })
    } else if (action === 'cancel') await client.runs.cancel(id)
    else if (action === 'reset') await client.conversations.reset(conversation_id, await request.json())
    return new Response(null, { status: 202 })
  }

  return (request: Request): Promise<Response> =>
    answer(request).catch((error: unknown) => {
      if (!isApiError(error)) throw error
      return Response.json({ code: error.code, message: error.message }, { status: error.status })
    })
}

/** The current chat, then the changes by each event, for an `EventSource`. Rendering tolerates repeated data. */
const sendEvents = (client: GatewayClient, conversationId: string, signal: AbortSignal): Response => {
  const changes = async function* () {
    let known = new Set<unknown>()
    for await (const { state } of client.conversations.watch(conversationId, { signal })) {
      // Unchanged objects are shared between consecutive states.
      const isNew = (each: unknown): boolean => !known.has(each)
      const change = { ...state, messages: state.messages.filter(isNew), runs: state.runs.filter(isNew) }
      yield `data: ${JSON.stringify(change)}\n\n`
      known = new Set([...state.messages, ...state.runs])
    }
  }
  const lines = changes()
  const pull = async (controller: ReadableStreamDefaultController<string>): Promise<void> => {
    const { value, done } = await lines.next()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const body = new ReadableStream<string>({ pull }).pipeThrough(new TextEncoderStream())
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

const FILES: Record<string, string> = { '': 'text/html; charset=utf-8', 'page.js': 'text/javascript; charset=utf-8' }

const sendFile = async (name: string): Promise<Response> =>
  new Response(await readFile(new URL(name || 'page.html', import.meta.url)), {
    headers: { 'content-type': FILES[name] ?? '' },
  })
