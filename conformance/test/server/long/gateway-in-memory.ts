import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createTestGateway, type Reply, type ReplyStep, type TestGateway } from '../../../../sdk/src/testing/index.ts'
import type { ServerConfig } from '../../../src/kit/config/server-config.ts'

const KEYS = { first: 'key-of-the-first', second: 'key-of-the-second' }
const SERVICES = { main: 'ep_0199d3a1c0de7f30a1b2c3d4e5f60001', foreign: 'ep_0199d3a1c0de7f30a1b2c3d4e5f60002' }

/** The assistant `script` of the reference gateway (D-45). */
const obeyScript: Reply = ({ text = '', data }) =>
  (data?.script as ReplyStep[] | undefined) ?? (data === undefined ? text : JSON.stringify(data))

/** Serves the client's in-memory gateway over HTTP. It supports one application, so each application has its own gateway. */
export async function startGatewayInMemory(): Promise<ServerConfig> {
  let aheadMs = 0
  const create = (apiKey: string, service: string): TestGateway =>
    createTestGateway({
      apiKey,
      endpointIds: [service],
      defaultReply: obeyScript,
      now: () => new Date(Date.now() + aheadMs),
    })
  const first = create(KEYS.first, SERVICES.main)
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
    driver: {
      moveClock: async (ms: number) => {
        aheadMs += ms
      },
      expireEvents: async (conversationId: string, throughSeq: number) => {
        first.pruneEvents(conversationId, throughSeq)
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
