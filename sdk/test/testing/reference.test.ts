import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { createTestGateway, type ReplyStep } from '../../src/testing/index.ts'
import { handlersOf } from '../../src/testing/msw.ts'
import { API_KEY, ENDPOINTS, startGateway } from '../support/gateway-process.ts'
import { playScenario } from './support/scenario.ts'

it('returns the same answers and events as the reference gateway', async () => {
  const process = await startGateway({ GATEWAY_QUEUED_PER_CONVERSATION: undefined })
  const scenario = { apiKey: API_KEY, endpointId: ENDPOINTS.script }
  const expected = await playScenario({ ...scenario, origin: process.origin }).finally(() => process.remove())

  const origin = 'https://gateway.test'
  const gateway = createTestGateway({
    baseUrl: origin,
    endpointIds: [ENDPOINTS.script],
    defaultReply: ({ text, data }) => (data?.script as ReplyStep[] | undefined) ?? text ?? JSON.stringify(data),
  })
  const server = setupServer(...handlersOf(gateway))
  server.listen({ onUnhandledFrame: 'error' })
  const played = await playScenario({ ...scenario, origin }).finally(() => server.close())
  const withoutOwner = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/"(owner|app)_\w+"/g, '"$1"'))
  expect(withoutOwner(played)).toEqual(withoutOwner(expected))
  expect(played.length).toBeGreaterThan(100)
})
