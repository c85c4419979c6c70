import { foundJson } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Message, Snapshot } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterEach, describe, expect, it } from 'vitest'
import { createSenders } from '../../src/gateway/fairness/senders.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { createTestClock } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { untilHolds } from '../support/until-holds.ts'
import type { TestServer } from './support.ts'
import { RUN, startServer } from './support.ts'

const LARGE = 'x'.repeat(65 * 1024)
const message = (text: string): Message => ({
  cursor: 1,
  message_id: 'msg_1',
  conversation_id: 'conv_1',
  run_id: 'run_1',
  generation: 1,
  role: 'user',
  created_at: '2026-03-01T00:00:00.000Z',
  content: { text },
})

const snapshot = (text: string): Snapshot => ({
  conversation_id: 'conv_1',
  generation: 1,
  watermark: 1,
  messages: [message(text)],
  runs: [],
})

/** What each read finds, with a text. */
const handlersWith = (text: string): Partial<GatewayHandlers> => ({
  getConversation: async () => foundJson(JSON.stringify(snapshot(text))),
  listMessages: async () => foundJson(JSON.stringify({ messages: [message(text)] })),
  getRun: async () => foundJson(JSON.stringify({ ...RUN, result: { text } })),
})

const PATHS = ['/api/v1/conversations/conv_1', '/api/v1/conversations/conv_1/messages', '/api/v1/runs/run_1']

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.app.contractViolations).toEqual([])
    await server.close()
  }
})

/** A server beside whose application another one sends requests, and which finds such a text. */
const start = async (text: string, hasOneConnection: boolean) => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const senders = createSenders(clock)
  const server = await startServer({ clock, timers, senders, hasOneConnection, handlers: handlersWith(text) })
  servers.push(server)
  senders.see('app_other')
  const idle = timers.pending
  return { ...server, advance: timers.advance, waiting: () => timers.pending - idle }
}

describe('on a database with one connection, beside another application', () => {
  it.each(PATHS)('a read waits for the rest that a large one of %s has to be followed by [LIMIT-29]', async (path) => {
    const { fetch, waiting, advance } = await start(LARGE, true)
    expect((await fetch(path)).status).toBe(200)
    expect(waiting()).toBe(1)
    const next = fetch(path)
    await untilHolds(async () => expect(waiting()).toBe(2))
    advance(0)
    expect((await next).status).toBe(200)
  })

  it('changes do not wait behind reads [LIMIT-29]', async () => {
    const { fetch, calls } = await start(LARGE, true)
    await fetch('/api/v1/runs/run_1')
    await fetch('/api/v1/runs/run_1/cancel', { method: 'POST', body: '{}' })
    expect(calls).toMatchObject([{ operationId: 'cancelRun' }])
  })

  it.each(PATHS)('nothing waits behind a small read of %s [LIMIT-29]', async (path) => {
    const { fetch, waiting } = await start('short', true)
    for (let n = 0; n < 3; n += 1) expect((await fetch(path)).status).toBe(200)
    expect(waiting()).toBe(0)
  })
})

it('on a database with more connections nothing waits behind a large read', async () => {
  const { fetch, waiting } = await start(LARGE, false)
  for (let n = 0; n < 3; n += 1) expect((await fetch('/api/v1/runs/run_1')).status).toBe(200)
  expect(waiting()).toBe(0)
})
