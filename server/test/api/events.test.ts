import type { EventEnvelope } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { eventually, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const TERMINAL = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired'])
const isEnd = ({ type }: EventEnvelope): boolean => TERMINAL.has(type)

const QUEUED = { type: 'run.updated', payload: { state: 'queued', delivery_state: 'waiting_device' } }
const STARTED = { type: 'run.started', payload: { state: 'running' } }

onGateways('the events of a conversation', (running) => {
  const begin = async () => {
    const client = running.client()
    const { body } = await client.createConversation({ endpoint_id: 'ep_script' })
    return { client, id: body.conversation_id }
  }

  /** Everything from the first event on, up to the end of a run. */
  const readToEnd = async (client: Client, id: string) => {
    const stream = await client.events(id)
    const events = await stream.until((all) => all.some(isEnd))
    stream.close()
    return events
  }

  test('tell a run from admission to success, the pieces of its answer included [EVT-06, EVT-07, EVT-08, EVT-09, EVT-18, EVT-20, EVT-23, EVT-24, EVT-29, EVT-30, EVT-40, EVT-37, EVT-38, EVT-39]', async () => {
    const { client, id } = await begin()
    const { body: admission } = await client.send(
      id,
      script({ delta: 'Hel' }, { delta: 'lo' }, { message: 'An aside.' }, { succeed: { text: 'Done.' } }),
    )
    const events = await readToEnd(client, id)
    const { messages } = (await client.history(id)).body
    const [, streamed, aside] = messages
    expect(messages).toMatchObject([
      { message_id: admission.message_id, role: 'user' },
      { role: 'assistant', content: { text: 'Hello', partial: false } },
      { role: 'assistant', content: { text: 'An aside.' } },
    ])
    const { result } = (await client.run(admission.run_id)).body
    expect(result).toMatchObject({ text: 'Done.' })
    expect(events.map(({ type, message_id, payload }) => ({ type, message_id, payload }))).toEqual([
      { ...QUEUED, message_id: admission.message_id },
      { ...STARTED, message_id: admission.message_id },
      { type: 'assistant.delta', message_id: streamed?.message_id, payload: { text: 'Hel', index: 0 } },
      { type: 'assistant.delta', message_id: streamed?.message_id, payload: { text: 'lo', index: 1 } },
      { type: 'assistant.message', message_id: aside?.message_id, payload: { message: aside } },
      { type: 'assistant.message', message_id: streamed?.message_id, payload: { message: streamed } },
      { type: 'run.completed', message_id: admission.message_id, payload: { state: 'succeeded', result } },
    ])
  })

  test('of a run follow its admission, whose event_cursor is the seq of that moment [EVT-16]', async () => {
    const { client, id } = await begin()
    await client.send(id, script({ hang: true }))
    await eventually(
      () => client.snapshot(id),
      ({ body }) => body.runs[0]?.state === 'running',
    )
    const { watermark } = (await client.snapshot(id)).body
    const { body } = await client.send(id, { text: 'waits' })
    expect(body.event_cursor).toBe((await client.snapshot(id)).body.watermark)
    await client.cancel(body.run_id)
    const events = await readToEnd(client, id)
    const after = events.filter(({ seq }) => seq > watermark)
    expect(after.map(({ run_id, seq, type }) => [run_id, seq - body.event_cursor, type])).toEqual([
      // The admission itself is the event that its cursor names.
      [body.run_id, 0, 'run.updated'],
      [body.run_id, 1, 'run.cancelled'],
    ])
    await client.reset(id, 1, 'cancel_and_reset')
  })
})
