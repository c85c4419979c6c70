import type { EventEnvelope, MessageInput } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { completed, eventually, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const TERMINAL = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired'])
const isEnd = ({ type }: EventEnvelope): boolean => TERMINAL.has(type)
const told = (events: readonly EventEnvelope[]) => events.map(({ type, payload }) => ({ type, payload }))

const QUEUED = { type: 'run.updated', payload: { state: 'queued', delivery_state: 'waiting_device' } }
const STARTED = { type: 'run.started', payload: { state: 'running' } }
const updated = (state: string) => ({
  type: 'run.updated',
  payload: { state, delivery_state: 'device_received' },
})

onGateways('the events of a conversation', (running) => {
  const newConversation = async (client: Client, endpoint_id = 'ep_script'): Promise<string> =>
    (await client.createConversation({ endpoint_id })).body.conversation_id

  /** Everything from the first event on, once it holds what `done` waits for. */
  const read = async (client: Client, id: string, done: (events: readonly EventEnvelope[]) => boolean) => {
    const stream = await client.events(id)
    const events = await stream.until(done)
    stream.close()
    return events
  }

  /** Sends to a new conversation and returns all events up to the end of the run. */
  const play = async (input: MessageInput) => {
    const client = running.client()
    const id = await newConversation(client)
    const { body: admission } = await client.send(id, input)
    return { client, id, admission, events: await read(client, id, (events) => events.some(isEnd)) }
  }

  /** Like `send`, once the device has been heard of again after time has passed. */
  const sendWhenOnline = async (client: Client, id: string, input: MessageInput) =>
    (
      await eventually(
        () => client.send(id, input),
        ({ status }) => status === 202,
      )
    ).body

  test('tell a run from admission to success, the pieces of its answer included [EVT-06, EVT-07, EVT-08, EVT-09, EVT-18, EVT-20, EVT-23, EVT-24, EVT-29, EVT-30, EVT-40, EVT-37, EVT-38, EVT-39]', async () => {
    const { client, id, admission, events } = await play(
      script({ delta: 'Hel' }, { delta: 'lo' }, { message: 'An aside.' }, { succeed: { text: 'Done.' } }),
    )
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

  test('tell a failure with its error and what was put out before [EVT-10, EVT-21, EVT-37]', async () => {
    const error = { code: 'OUT_OF_STOCK', message: 'There is none left.', retryable: true }
    const { client, id, events } = await play(script({ delta: 'Half of ' }, { delta: 'it' }, { fail: error }))
    const payload = { state: 'failed', error, result: { text: 'Half of it', error } }
    expect(told(events).at(-1)).toEqual({ type: 'run.failed', payload })
    const deltas = events.filter(({ type }) => type === 'assistant.delta')
    expect(deltas.map((event) => ('text' in event.payload ? event.payload.text : '')).join('')).toBe('Half of it')
    expect((await client.history(id)).body.messages.at(-1)?.content).toEqual({ text: 'Half of it', partial: true })
  })

  test('tell of an approval that is needed, the waiting and the going on [EVT-11, EVT-19, EVT-25, EVT-29]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    const { body } = await client.send(id, script({ approval: 'Refund 40 EUR' }, { succeed: { text: 'Refunded.' } }))
    const stream = await client.events(id)
    const seen = await stream.until((events) => events.some(({ type }) => type === 'approval.required'))
    const required = seen.find(({ type }) => type === 'approval.required')
    const approval_id = required !== undefined && 'approval_id' in required.payload ? required.payload.approval_id : ''
    const decided = await running.operator.post(`/admin/v1/approvals/${approval_id}/decision`, { decision: 'approve' })
    expect(decided.status).toBe(200)
    const events = await stream.until((all) => all.some(isEnd))
    stream.close()
    expect(told(events)).toEqual([
      QUEUED,
      STARTED,
      updated('waiting_approval'),
      { type: 'approval.required', payload: { approval_id, summary: 'Refund 40 EUR' } },
      updated('running'),
      { type: 'assistant.message', payload: { message: expect.objectContaining({ role: 'assistant' }) } },
      { type: 'run.completed', payload: { state: 'succeeded', result: { text: 'Refunded.' } } },
    ])
    expect(required).toMatchObject({ run_id: body.run_id, message_id: body.message_id })
  })

  test('tell of a stop while it lasts, and of its end [EVT-19, EVT-22, EVT-36]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    const { body } = await client.send(id, script({ delta: 'So far' }, { hang: true }))
    await read(client, id, (events) => events.some(({ type }) => type === 'assistant.delta'))
    await client.cancel(body.run_id)
    const events = await read(client, id, (all) => all.some(isEnd))
    const end = { type: 'run.cancelled', payload: { state: 'cancelled', result: { text: 'So far' } } }
    expect(told(events).filter(({ type }) => type.startsWith('run.'))).toEqual([
      QUEUED,
      STARTED,
      updated('cancelling'),
      end,
    ])
    expect(told(events).at(-1)).toEqual(end)
  })

  test('tell of a lost device, of the run that it took along, and of one that missed its start [EVT-19, EVT-22]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    const { body: lost } = await client.send(id, script({ crash: true }))
    await eventually(
      () => client.run(lost.run_id),
      ({ body }) => body.state === 'running',
    )
    // Its lease lapses, and then the time in which the device may still come back.
    await eventually(
      async () => {
        await running.passTime(60_000)
        return client.run(lost.run_id)
      },
      ({ body }) => body.state === 'interrupted',
    )
    const held = await sendWhenOnline(client, id, script({ hang: true }))
    await eventually(
      () => client.run(held.run_id),
      ({ body }) => body.state === 'running',
    )
    const late = await sendWhenOnline(client, id, { text: 'too late' })
    await running.passTime(5 * 60_000)
    const events = await read(client, id, (all) => all.some((event) => event.run_id === late.run_id && isEnd(event)))
    const of = (runId: string) => told(events.filter(({ run_id }) => run_id === runId))
    expect(of(lost.run_id)).toEqual([
      QUEUED,
      STARTED,
      updated('reconciling'),
      { type: 'run.interrupted', payload: { state: 'interrupted', result: null } },
    ])
    expect(of(late.run_id)).toEqual([QUEUED, { type: 'run.expired', payload: { state: 'expired', result: null } }])
    await client.cancel(held.run_id)
  })

  test('tell of a reset: the operation, both generations, and the version that it adopted [SSE-17, EVT-26, EVT-31]', async () => {
    const client = running.client()
    const id = await newConversation(client, 'ep_second')
    const versions = '/admin/v1/apps/app_test/endpoints/ep_second/versions'
    const published = await running.operator.post<{ binding_version: number }>(versions, {
      compatibility: 'compatible',
    })
    const { body: reset } = await client.reset(id, 1)
    await completed(client, reset.operation_id)
    const [event] = await read(client, id, (events) => events.length === 1)
    expect(event).toEqual({
      conversation_id: id,
      generation: 2,
      event_id: expect.stringMatching(/^evt_/),
      seq: 1,
      run_id: null,
      message_id: null,
      type: 'conversation.reset',
      payload: {
        operation_id: reset.operation_id,
        generation: 2,
        previous_generation: 1,
        binding_version: published.body.binding_version,
      },
    })
  })

  test('come in one envelope [EVT-01]', async () => {
    const { id, admission, events } = await play({ text: 'three short words' })
    expect(events.length).toBeGreaterThan(5)
    for (const event of events) {
      expect(event).toEqual({
        conversation_id: id,
        generation: 1,
        event_id: expect.stringMatching(/^evt_/),
        seq: expect.toSatisfy(Number.isInteger),
        run_id: admission.run_id,
        message_id: expect.stringMatching(/^msg_/),
        type: expect.any(String),
        payload: expect.any(Object),
      })
    }
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  })

  test('are numbered from 1 without a gap through all runs and resets of the conversation, each conversation on its own [EVT-02, EVT-03, EVT-32, EVT-33, EVT-35, EVT-36]', async () => {
    const client = running.client()
    const [id, other] = [await newConversation(client), await newConversation(client)]
    const first = await client.send(id, { text: 'one two' })
    await client.send(other, { text: 'elsewhere' })
    const second = await client.send(id, script({ fail: { code: 'NO', message: 'No.' } }))
    await read(client, id, (events) => events.filter(isEnd).length === 2)
    const reset = await client.reset(id, 1)
    await completed(client, reset.body.operation_id)
    const third = await client.send(id, { text: 'three' }, 2)
    const events = await read(client, id, (all) => all.filter(isEnd).length === 3)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    const place = (type: string) => events.findIndex((event) => event.type === type)
    expect(events.slice(0, place('conversation.reset')).every(({ generation }) => generation === 1)).toBe(true)
    expect(events.slice(place('conversation.reset')).every(({ generation }) => generation === 2)).toBe(true)
    for (const { body } of [first, second, third]) {
      const own = events.filter(({ run_id }) => run_id === body.run_id)
      expect(own.filter(isEnd)).toEqual([own.at(-1)])
    }
    const elsewhere = await read(client, other, (all) => all.some(isEnd))
    expect(elsewhere.map(({ seq }) => seq)).toEqual(elsewhere.map((_, index) => index + 1))
  })

  test('of a run follow its admission, whose event_cursor is the seq of that moment [EVT-16]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    await client.send(id, script({ hang: true }))
    await eventually(
      () => client.snapshot(id),
      ({ body }) => body.runs[0]?.state === 'running',
    )
    const { watermark } = (await client.snapshot(id)).body
    const { body } = await client.send(id, { text: 'waits' })
    expect(body.event_cursor).toBe((await client.snapshot(id)).body.watermark)
    await client.cancel(body.run_id)
    const events = await read(client, id, (all) => all.some(isEnd))
    const after = events.filter(({ seq }) => seq > watermark)
    expect(after.map(({ run_id, seq, type }) => [run_id, seq - body.event_cursor, type])).toEqual([
      // The admission itself is the event that its cursor names.
      [body.run_id, 0, 'run.updated'],
      [body.run_id, 1, 'run.cancelled'],
    ])
    await client.reset(id, 1, 'cancel_and_reset')
  })

  test('are the same on the stream of the conversation and on that of the run, with the same seqs [EVT-04, EVT-14, SSE-14, SSE-15]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    const first = await client.send(id, script({ delta: 'one' }, { hang: true }))
    await read(client, id, (all) => all.some(({ type }) => type === 'assistant.delta'))
    const second = await client.send(id, { text: 'two' })
    await client.cancel(first.body.run_id)
    const events = await read(client, id, (all) => all.filter(isEnd).length === 2)
    for (const { body } of [first, second]) {
      const stream = await client.runEvents(body.run_id)
      const own = await stream.until((all) => all.some(isEnd))
      stream.close()
      expect(own).toEqual(events.filter(({ run_id }) => run_id === body.run_id))
      expect(own.length).toBeGreaterThan(3)
    }
    // The first was stopped while the second waited: that stands in between.
    const seqs = events.filter(({ run_id }) => run_id === second.body.run_id).map(({ seq }) => seq)
    expect((seqs[1] ?? 0) - (seqs[0] ?? 0)).toBeGreaterThan(1)
  })
})
