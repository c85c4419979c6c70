import { createParser } from 'eventsource-parser'
import type {
  Conversation,
  ConversationList,
  EventEnvelope,
  Message,
  MessageList,
} from '../../src/generated/gateway.ts'
import { ADMIN_TOKEN, API_KEY } from './gateway-process.ts'

/** Access to the gateway by plain HTTP, without the tested client. */
export interface PlainGateway {
  createConversation(endpointId: string): Promise<string>
  /** The subject's conversations at the service's device, newest first. */
  conversationIds(endpointId: string): Promise<readonly string[]>
  /** All messages, oldest first. */
  messages(conversationId: string): Promise<readonly Message[]>
  /** The whole event log up to the seq that the snapshot names, read on one connection. */
  events(conversationId: string): Promise<readonly EventEnvelope[]>
  /** The whole event log, once no run is in progress. */
  settledEvents(conversationId: string): Promise<readonly EventEnvelope[]>
  /** Prunes the events up to this seq. */
  prune(conversationId: string, upToSeq: number): Promise<void>
}

interface SnapshotPart {
  readonly watermark: number
  readonly runs: readonly { readonly state: string }[]
}

const ENDED = new Set(['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'])

/** @param origin is called for each request, since a restarted gateway has another origin. */
export const createPlainGateway = (origin: () => string, subject: string): PlainGateway => {
  const headers = { authorization: `Bearer ${API_KEY}`, 'x-service-subject': subject }
  const get = async (path: string, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${origin()}/api/v1/conversations${path}`, {
      headers,
      ...(signal === undefined ? {} : { signal }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const snapshot = async (id: string): Promise<SnapshotPart> => (await get(`/${id}`)).json()

  const eventsThrough = async (id: string, watermark: number): Promise<readonly EventEnvelope[]> => {
    const events: EventEnvelope[] = []
    if (watermark === 0) return events
    const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
    const done = new AbortController()
    const { body } = await get(`/${id}/events`, done.signal)
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parser.feed(text)
      if ((events.at(-1)?.seq ?? 0) >= watermark) break
    }
    done.abort()
    return events
  }

  return {
    createConversation: async (endpoint_id) => {
      const response = await fetch(`${origin()}/api/v1/conversations`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({ endpoint_id }),
      })
      const conversation: Conversation = await response.json()
      return conversation.conversation_id
    },
    conversationIds: async (endpointId) => {
      const ids: string[] = []
      for (let before = ''; ; ) {
        const page: ConversationList = await (await get(`?endpoint_id=${endpointId}&limit=100${before}`)).json()
        if (page.conversations.length === 0) return ids
        ids.push(...page.conversations.map(({ conversation_id }) => conversation_id))
        before = `&before=${ids.at(-1)}`
      }
    },
    messages: async (id) => {
      const all: Message[] = []
      for (let before = ''; ; ) {
        const page: MessageList = await (await get(`/${id}/messages?limit=100${before}`)).json()
        if (page.messages.length === 0) return all
        all.unshift(...page.messages)
        before = `&before=${page.messages[0]?.cursor}`
      }
    },
    events: async (id) => eventsThrough(id, (await snapshot(id)).watermark),
    settledEvents: async (id) => {
      for (;;) {
        const { runs, watermark } = await snapshot(id)
        if (runs.every(({ state }) => ENDED.has(state))) return eventsThrough(id, watermark)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    prune: async (conversation_id, up_to_seq) => {
      const response = await fetch(`${origin()}/admin/v1/events/prune`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ app_id: 'app_sdk', conversation_id, up_to_seq }),
      })
      if (!response.ok) throw new Error(`pruning: ${response.status} ${await response.text()}`)
    },
  }
}
