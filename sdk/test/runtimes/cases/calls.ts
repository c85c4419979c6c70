import { ApiError, isApiError } from '@conversation-gateway/sdk'
import type { BehaviourCase } from './behaviour-case.ts'
import { claim, claimEqual, rejectionOf } from './claims.ts'

export const callCases: readonly BehaviourCase[] = [
  {
    name: 'a conversation is created and read',
    run: async ({ client, endpoints }) => {
      const created = await client.conversations.create({ endpoint_id: endpoints.echo })
      const { data, response, requestId, attempts } = await client.conversations
        .get(created.conversation_id)
        .withResponse()
      claimEqual(data.conversation_id, created.conversation_id, 'the ID')
      claimEqual([response.status, attempts], [200, 1], 'status and attempts')
      claimEqual((await response.json()).watermark, data.watermark, 'the watermark in the raw answer')
      claim(
        requestId !== null && requestId === response.headers.get('x-request-id'),
        'the request ID equals the header X-Request-Id',
      )
    },
  },
  {
    name: 'a refusal is a typed error with code, status and request ID',
    run: async ({ client, createClient }) => {
      const missing = await rejectionOf(client.runs.get('run_0199d3a1c0e37b55c6d7e8f901122334'))
      claim(missing instanceof ApiError && isApiError(missing, 'NOT_FOUND'), 'NOT_FOUND')
      claimEqual([missing.status, typeof missing.requestId], [404, 'string'], 'status and request ID')
      const unauthenticated = createClient({ apiKey: 'gk_unknown_key' })
      claim(isApiError(await rejectionOf(unauthenticated.runs.get('run_1')), 'UNAUTHENTICATED'), 'UNAUTHENTICATED')
    },
  },
  {
    name: 'a write that the gateway refuses has the outcome `refused`',
    run: async ({ client, createConversation }) => {
      const id = await createConversation()
      const body = { expected_generation: 7, input: { text: 'from another time' } }
      const outcome = await client.messages.send(id, body).outcome()
      claim(outcome.kind === 'refused' && isApiError(outcome.error, 'GENERATION_CONFLICT'), 'GENERATION_CONFLICT')
    },
  },
  {
    name: 'history is read in pages, newest first',
    run: async ({ client, createConversation }) => {
      const id = await createConversation()
      for (const text of ['one', 'two', 'three']) await client.ask({ conversation_id: id, generation: 1 }, text).run()
      const texts: (string | undefined)[] = []
      for await (const message of client.messages.list(id, { limit: 2 }, { maxItems: 5 }))
        if (message.role === 'user') texts.push(message.content.text)
      claimEqual(texts, ['three', 'two'], 'the texts of the user among the newest five messages')
    },
  },
  {
    name: 'an aborted read rejects with the reason of the signal',
    run: async ({ client, createConversation, inject, untilSilent }) => {
      const path = `/conversations/${await createConversation()}$`
      await inject({ path, fault: { kind: 'half-open', atByte: 0 } })
      const controller = new AbortController()
      const id = path.slice('/conversations/'.length, -1)
      const rejection = rejectionOf(client.conversations.get(id, { signal: controller.signal }))
      await untilSilent(path)
      const reason = new Error('no longer needed')
      controller.abort(reason)
      claim((await rejection) === reason, 'the rejection is the reason of the signal')
    },
  },
  {
    name: 'the client abandons an attempt that takes too long, and makes another one',
    run: async ({ createClient, createConversation, inject, untilAbandoned }) => {
      const id = await createConversation()
      const path = `/conversations/${id}$`
      await inject({ path, fault: { kind: 'half-open', atByte: 20, of: 'body' } })
      const client = createClient({ attemptTimeoutMs: 250 })
      const { data, attempts } = await client.conversations.get(id).withResponse()
      claim(data.conversation_id === id && attempts >= 2, 'a later attempt received the answer')
      await untilAbandoned(path)
    },
  },
  {
    name: 'the client retries when a proxy answers with an HTML page, even with status 200',
    run: async ({ client, createConversation, inject }) => {
      const id = await createConversation()
      const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }
      await inject({ path: id, fault: { kind: 'answer', status: 502, ...page } })
      await inject({ path: id, fault: { kind: 'answer', status: 200, ...page } })
      const { data, attempts } = await client.conversations.get(id).withResponse()
      claimEqual([data.conversation_id, attempts], [id, 3], 'the third attempt')
    },
  },
  {
    name: 'content is uploaded and downloaded without changes',
    run: async ({ client, inject, requests }) => {
      const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256)
      const text = 'Größe 7 🚀'
      const record = { headers: { 'content-type': 'application/json' }, body: '{"status":"ready"}' }
      await inject({ method: 'PUT', path: '/resources/', fault: { kind: 'answer', status: 200, ...record } })
      claimEqual((await client.resources.putContent('res_1', bytes)).status, 'ready', 'the status')
      const [upload] = await requests('PUT', '/resources/res_1/content$')
      claimEqual(upload?.bodyBase64, btoa(String.fromCharCode(...bytes)), 'the bytes sent')
      const content = { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
      await inject({ method: 'GET', path: '/resources/', fault: { kind: 'answer', status: 200, ...content } })
      const blob = await client.resources.getContent('res_1')
      claimEqual([await blob.text(), blob.type], [text, 'text/plain; charset=utf-8'], 'the content')
    },
  },
]
