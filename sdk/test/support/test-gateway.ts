import { createClient } from '../../src/client/create-client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { createTestGateway, type TestGatewayOptions } from '../../src/testing/index.ts'

/** A gateway in memory, and a client of it. */
export const startTestGateway = (options: TestGatewayOptions = {}, ofClient: ClientOptions = {}) => {
  const gateway = createTestGateway({ baseUrl: 'https://gateway.test', ...options })
  const { baseUrl, fetch } = gateway
  const client = createClient({ baseUrl, apiKey: 'gk_test', subject: 'customer', fetch, ...ofClient })
  return { gateway, client }
}
