import { Client as LanggraphClient } from '@langchain/langgraph-sdk'
import OpenAI from 'openai'
import createFetchClient from 'openapi-fetch'
import type { operations } from '../src/generated/gateway.ts'
import { createClient } from '../src/index.ts'

const CONVERSATION = 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718'
const KEY = 'gk_bench_0000000000000000000000000000'
const TEXT = 'A message of ordinary length, as a person would write it to an assistant.'

/** The path that `openapi-fetch` requests. */
interface Paths {
  '/api/v1/conversations/{conversation_id}/messages': { post: operations['sendMessage'] }
}

/** A client that sends one message and reads the answer. */
export interface Contender {
  readonly name: string
  readonly call: () => Promise<unknown>
}

/**
 * Each client sends a POST of about the same size with its own defaults. Only the first three send an idempotency key.
 */
export function createContenders(origin: string): Contender[] {
  const body = { expected_generation: 1, input: { text: TEXT } }
  const url = `${origin}/api/v1/conversations/${CONVERSATION}/messages`
  const typed = createFetchClient<Paths>({ baseUrl: origin })
  const gateway = createClient({ baseUrl: origin, apiKey: KEY, subject: 'bench' })
  const openai = new OpenAI({ baseURL: origin, apiKey: KEY })
  const langgraph = new LanggraphClient({ apiUrl: origin, apiKey: KEY })
  return [
    {
      name: 'fetch',
      call: async () => {
        const headers = {
          Authorization: `Bearer ${KEY}`,
          'Content-Type': 'application/json',
          'X-Service-Subject': 'bench',
          'Idempotency-Key': crypto.randomUUID(),
        }
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
      },
    },
    {
      name: 'openapi-fetch',
      call: () =>
        typed.POST('/api/v1/conversations/{conversation_id}/messages', {
          params: {
            path: { conversation_id: CONVERSATION },
            header: { 'X-Service-Subject': 'bench', 'Idempotency-Key': crypto.randomUUID() },
          },
          headers: { Authorization: `Bearer ${KEY}` },
          body,
        }),
    },
    { name: 'conversation-gateway', call: () => gateway.messages.send(CONVERSATION, body) },
    { name: 'langgraph-sdk', call: () => langgraph.runs.create(CONVERSATION, 'assistant', { input: { text: TEXT } }) },
    {
      name: 'openai',
      call: () => openai.chat.completions.create({ model: 'bench', messages: [{ role: 'user', content: TEXT }] }),
    },
  ]
}
