import { type ClientOptions, createClient, type GatewayClient } from '@conversation-gateway/sdk'
import type { Controls } from './controls.ts'

/** The input of a case. Plain JSON, so that it can be passed to another runtime. */
export interface Fixture {
  /** The address of the gateway, behind the fault proxy. */
  readonly origin: string
  /** The address at which the harness accepts commands for the proxy, and results. */
  readonly controlUrl: string
  readonly apiKey: string
  readonly adminToken: string
  readonly appId: string
  readonly endpoints: { readonly echo: string; readonly script: string }
  /** Unique to this run. */
  readonly subject: string
}

export interface Context extends Fixture, Controls {
  /** A client with short waits between attempts. */
  readonly client: GatewayClient
  createClient(options?: ClientOptions): GatewayClient
  /** A new conversation of the echo service. */
  createConversation(): Promise<string>
}

export const createContext = (fixture: Fixture, controls: Controls): Context => {
  const createTestClient = (options: ClientOptions = {}): GatewayClient =>
    createClient({
      baseUrl: fixture.origin,
      apiKey: fixture.apiKey,
      subject: fixture.subject,
      backoff: { baseMs: 5, maxMs: 20 },
      ...options,
    })
  const client = createTestClient()
  return {
    ...fixture,
    ...controls,
    client,
    createClient: createTestClient,
    createConversation: async () =>
      (await client.conversations.create({ endpoint_id: fixture.endpoints.echo })).conversation_id,
  }
}
