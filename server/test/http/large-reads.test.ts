import { foundJson } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Message, Snapshot } from '@conversation-gateway/openapi/generated/gateway-closed'
import { describe, expect, it } from 'vitest'
import { createSenders } from '../../src/gateway/fairness/senders.ts'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { createTestClock } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { untilHolds } from '../support/until-holds.ts'
import { RUN, serverOfTest } from './support.ts'

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

/** Handlers that return records with the text. */
const handlersWith = (text: string): Partial<GatewayHandlers> => ({
  getConversation: async () => foundJson(JSON.stringify(snapshot(text))),
  listMessages: async () => foundJson(JSON.stringify({ messages: [message(text)] })),
  getRun: async () => foundJson(JSON.stringify({ ...RUN, result: { text } })),
})

const PATHS = ['/api/v1/conversations/conv_1', '/api/v1/conversations/conv_1/messages', '/api/v1/runs/run_1']

/** A server whose reads return the text, while another application is active. */
const start = async (text: string, hasOneConnection: boolean) => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const senders = createSenders(clock)
  const server = await serverOfTest({ clock, timers, senders, hasOneConnection, handlers: handlersWith(text) })
  senders.see('app_other')
  const idle = timers.pending
  return { ...server, advance: timers.advance, waiting: () => timers.pending - idle }
}

describe('if the database has one connection and another application is active', () => {
  it.each(PATHS)('a read waits for the pause that follows a large read of %s [LIMIT-29]', async (path) => {
    const { fetch, waiting, advance } = await start(LARGE, true)
    expect((await fetch(path)).status).toBe(200)
    expect(waiting()).toBe(1)
    const next = fetch(path)
    await untilHolds(async () => expect(waiting()).toBe(2))
    advance(0)
    expect((await next).status).toBe(200)
  })

  it('changes do not wait for that pause [LIMIT-29]', async () => {
    const { fetch, calls } = await start(LARGE, true)
    await fetch('/api/v1/runs/run_1')
    await fetch('/api/v1/runs/run_1/cancel', { method: 'POST', body: '{}' })
    expect(calls).toMatchObject([{ operationId: 'cancelRun' }])
  })

  it.each(PATHS)('reads do not wait after a small read of %s [LIMIT-29]', async (path) => {
    const { fetch, waiting } = await start('short', true)
    for (let n = 0; n < 3; n += 1) expect((await fetch(path)).status).toBe(200)
    expect(waiting()).toBe(0)
  })
})

it('if the database has several connections, reads do not wait after a large read', async () => {
  const { fetch, waiting } = await start(LARGE, false)
  for (let n = 0; n < 3; n += 1) expect((await fetch('/api/v1/runs/run_1')).status).toBe(200)
  expect(waiting()).toBe(0)
})
