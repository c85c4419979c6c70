import { type ClientOptions, createClient, type GatewayClient } from '@conversation-gateway/sdk'
import type { Controls } from './controls.ts'

/** What a case is given to work with. Plain JSON, so that it can be handed to another runtime. */
export interface Fixture {
  /** Where the gateway is to be found, behind the fault proxy. */
  readonly origin: string
  /** Where the harness takes orders for the proxy, and results. */
  readonly controlUrl: string
  readonly apiKey: string
  readonly adminToken: string
  readonly appId: string
  readonly endpoints: { readonly echo: string; readonly script: string }
  /** Of this run alone. */
  readonly subject: string
}

export interface Context extends Fixture, Controls {
  /** A client that is quick to try again. */
  readonly client: GatewayClient
  createClient(options?: ClientOptions): GatewayClient
  /** A new conversation of the echo service. */
  createConversation(): Promise<string>
}

/** The parts of the platform that a case needs and nothing else. */
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
