import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  createTestGateway,
  type Reply,
  type ReplyStep,
  type TestGateway,
  type WebhookAction,
} from '../../../../sdk/src/testing/index.ts'
import type { ServerConfig, WebhookConfig } from '../../../src/kit/config/server-config.ts'

const KEYS = { first: 'key-of-the-first', second: 'key-of-the-second' }
const SERVICES = {
  main: 'ep_0199d3a1c0de7f30a1b2c3d4e5f60001',
  sameDevice: 'ep_0199d3a1c0de7f30a1b2c3d4e5f60003',
  foreign: 'ep_0199d3a1c0de7f30a1b2c3d4e5f60002',
}

/** Follows a script like the assistant `script` of the reference gateway (D-45). */
const followScript: Reply = ({ text = '', data }) =>
  (data?.script as ReplyStep[] | undefined) ?? (data === undefined ? text : JSON.stringify(data))

interface WebhookEvent {
  readonly event: {
    readonly type: string
    readonly text: string
    readonly data: Record<string, unknown>
    readonly resources: string[]
  }
  readonly conversation: { readonly id: string; readonly key: string; readonly generation: number }
  readonly run: { readonly id: string }
}

/** The actions of the integrations, which read an event as `WebhooksConfig` describes. */
const ACTIONS = {
  new: (event) => ({ kind: 'run', endpointId: SERVICES.main, body: { input: inputOf(event) } }),
  messageByKey: (event) => ({
    kind: 'run',
    endpointId: SERVICES.main,
    body: {
      conversation_key: event.conversation.key,
      expected_generation: event.conversation.generation,
      input: inputOf(event),
    },
  }),
  messageById: (event) => ({
    kind: 'message',
    conversationId: event.conversation.id,
    body: { expected_generation: event.conversation.generation, input: inputOf(event) },
  }),
  resetReject: ({ conversation }) => ({
    kind: 'reset',
    conversationId: conversation.id,
    body: { expected_generation: conversation.generation, busy_policy: 'reject' },
  }),
  resetCancel: ({ conversation }) => ({
    kind: 'reset',
    conversationId: conversation.id,
    body: { expected_generation: conversation.generation, busy_policy: 'cancel_and_reset' },
  }),
  cancel: ({ run }) => ({ kind: 'cancel', runId: run.id }),
} satisfies Record<string, (event: WebhookEvent) => WebhookAction>

const inputOf = ({ event: { text, data, resources } }: WebhookEvent) => ({ text, data, resource_ids: resources })

const WEBHOOKS = Object.fromEntries(
  Object.keys(ACTIONS).map((name) => [
    name,
    { integrationId: `wh_${name}`, secret: `the-secret-of-${name}`, subject: 'customer-a' },
  ]),
) as Record<keyof typeof ACTIONS, WebhookConfig>

/**
 * Serves the SDK's in-memory gateway over HTTP. It supports one application, so each application has its own
 * gateway.
 */
export async function startGatewayInMemory(): Promise<ServerConfig> {
  let aheadMs = 0
  const create = (apiKey: string, ...endpointIds: string[]): TestGateway =>
    createTestGateway({
      apiKey,
      endpointIds,
      defaultReply: followScript,
      webhooks: Object.entries(ACTIONS).map(([name, actionOf]) => ({
        ...WEBHOOKS[name as keyof typeof ACTIONS],
        action: (body) => {
          const event = body as unknown as WebhookEvent
          return ['conformance.event', 'conformance.other'].includes(event.event?.type) ? actionOf(event) : null
        },
      })),
      now: () => new Date(Date.now() + aheadMs),
    })
  const first = create(KEYS.first, SERVICES.main, SERVICES.sameDevice)
  const second = create(KEYS.second, SERVICES.foreign)
  const server = createServer((incoming, outgoing) => {
    const gateway = incoming.headers.authorization === `Bearer ${KEYS.second}` ? second : first
    // A disconnected client gets no answer.
    serve(gateway, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    name: 'the gateway in memory',
    baseUrl: `http://127.0.0.1:${port}`,
    apps: { first: { key: KEYS.first }, second: { key: KEYS.second } },
    subjects: { first: 'customer-a', second: 'customer-b' },
    services: SERVICES,
    webhooks: WEBHOOKS,
    driver: {
      moveClock: async (ms: number) => {
        aheadMs += ms
      },
      expireEvents: async (conversationId: string, throughSeq: number) => {
        first.pruneEvents(conversationId, throughSeq)
      },
      decideApproval: async (approvalId: string, decision: 'approved' | 'denied') => {
        const events = first.conversations.flatMap((conversation) => conversation.events)
        const required = events.find(
          (event) => event.type === 'approval.required' && event.payload.approval_id === approvalId,
        )
        if (typeof required?.run_id !== 'string') throw new Error(`no run asked for the approval ${approvalId}`)
        first.decide(required.run_id, decision)
      },
    },
    another: startGatewayInMemory,
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function serve(gateway: TestGateway, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}),
  })
  const answer = await gateway.answer(request)
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  outgoing.flushHeaders()
  for await (const bytes of answer.body ?? []) outgoing.write(bytes)
  outgoing.end()
}
