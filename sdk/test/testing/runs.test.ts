import { describe, expect, it } from 'vitest'
import { withTestGateway } from './support/client.ts'

const clock = { now: new Date('2026-03-02T09:30:00.000Z') }
const { gateway, call, create, send } = withTestGateway({ now: () => clock.now })

const runOf = async (run_id: string) => (await call('getRun', { ids: { run_id } })).json

/** Types and payloads of the events of the only conversation. */
const eventsOf = () => gateway.conversations[0]?.events.map(({ type, payload }) => [type, payload]) ?? []

describe('a message', () => {
  it('is echoed word by word: admitted, started, streamed, completed', async () => {
    const admission = await send(await create(), 'Hello there')
    const { run_id, message_id } = admission.json
    expect(admission.json).toMatchObject({ state: 'queued', generation: 1, event_cursor: 1 })
    expect(await runOf(run_id)).toMatchObject({ state: 'succeeded', result: { text: 'Hello there' } })
    const events = gateway.conversations[0]?.events ?? []
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.updated'],
      [2, 'run.started'],
      [3, 'assistant.delta'],
      [4, 'assistant.delta'],
      [5, 'assistant.message'],
      [6, 'run.completed'],
    ])
    expect(events[0]).toMatchObject({
      run_id,
      message_id,
      payload: { state: 'queued', delivery_state: 'waiting_device' },
    })
    expect(events.slice(2, 4).map(({ payload }) => payload)).toEqual([
      { text: 'Hello ', index: 0 },
      { text: 'there', index: 1 },
    ])
    expect(new Set(events.slice(2, 5).map((event) => event.message_id)).size).toBe(1)
  })

  it('with only data is echoed as JSON', async () => {
    const conversation_id = await create()
    const body = { expected_generation: 1, input: { data: { a: 1 } } }
    const { run_id } = (await call('sendMessage', { ids: { conversation_id }, body })).json
    expect((await runOf(run_id)).result.text).toBe('{"a":1}')
  })

  it('needs the current generation', async () => {
    const ids = { conversation_id: await create() }
    const body = { expected_generation: 2, input: { text: 'a' } }
    expect((await call('sendMessage', { ids, body })).json.code).toBe('GENERATION_CONFLICT')
  })

  it('expires if it has not started within five minutes', async () => {
    const conversation_id = await create()
    const at = (ms: number) => new Date(clock.now.getTime() + ms).toISOString()
    const sendBefore = (start_before: string) =>
      call('sendMessage', {
        ids: { conversation_id },
        body: { expected_generation: 1, input: { text: 'a' }, start_before },
      })
    for (const moment of [at(0), at(300_001), 'tomorrow'])
      expect((await sendBefore(moment)).json.errors[0].pointer).toBe('/start_before')
    gateway.hold()
    const { run_id } = (await sendBefore(at(1000))).json
    clock.now = new Date(clock.now.getTime() + 999)
    expect((await runOf(run_id)).state).toBe('queued')
    clock.now = new Date(clock.now.getTime() + 1)
    expect(await runOf(run_id)).toMatchObject({ state: 'expired', result: null })
    expect(eventsOf().at(-1)).toEqual(['run.expired', { state: 'expired', result: null }])
  })

  it('is refused with 429 when 20 are queued, and leaves its key unused', async () => {
    const conversation_id = await create()
    gateway.hold()
    for (let i = 0; i < 20; i++) expect((await send(conversation_id)).status).toBe(202)
    const refused = await send(conversation_id, 'more', { key: 'same' })
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([429, 'QUEUE_FULL', '2'])
    gateway.release()
    expect((await send(conversation_id, 'more', { key: 'same' })).status).toBe(202)
  })
})

describe('a scripted reply', () => {
  it('is used once, in the order of admission; after the last one, the default reply is used', async () => {
    const conversation_id = await create()
    gateway.reply('First', ({ text }) => `You said ${text}`, [{ message: 'Whole' }])
    const texts = []
    for (let i = 0; i < 4; i++) texts.push((await runOf((await send(conversation_id, 'a')).json.run_id)).result.text)
    expect(texts).toEqual(['First', 'You said a', '', 'a'])
  })

  it('fails with its error and keeps the partial output', async () => {
    const error = { code: 'MODEL_UNAVAILABLE', message: 'No answer.', retryable: true }
    gateway.reply([{ delta: 'Hel' }, { fail: error }])
    const { run_id } = (await send(await create())).json
    expect(await runOf(run_id)).toMatchObject({ state: 'failed', result: { text: 'Hel', error } })
    expect(eventsOf().at(-1)).toEqual(['run.failed', { state: 'failed', error, result: { text: 'Hel', error } }])
    expect(gateway.conversations[0]?.messages[1]?.content).toEqual({ text: 'Hel', partial: true })
  })

  it('refuses an error code that the contract does not allow', () => {
    expect(() => gateway.reply([{ fail: { code: 'model-away', message: 'x' } }])).toThrow('codes are upper-case')
  })

  it('with a result but no message creates a message from the result', async () => {
    gateway.reply([{ succeed: { text: 'Result' } }])
    await send(await create())
    expect(gateway.conversations[0]?.messages[1]?.content).toEqual({ text: 'Result', partial: false })
  })

  it('hangs until it is finished, while later runs wait', async () => {
    const conversation_id = await create()
    gateway.reply([{ delta: 'Hel' }, { hang: true }])
    const first = (await send(conversation_id)).json.run_id
    const second = (await send(conversation_id, 'next')).json.run_id
    expect([(await runOf(first)).state, (await runOf(second)).state]).toEqual(['running', 'queued'])
    expect(() => gateway.finish(second)).toThrow('queued behind another run')
    expect(gateway.finish(first, { succeed: { text: 'Hello' } })).toMatchObject({ result: { text: 'Hello' } })
    expect((await runOf(second)).state).toBe('succeeded')
    expect(() => gateway.finish(first)).toThrow('has already ended')
    expect(() => gateway.finish('run_absent')).toThrow('There is no run run_absent')
  })

  it('waits for an approval, continues when it is approved and fails when it is denied', async () => {
    const conversation_id = await create()
    gateway.reply([{ approval: 'Refund?' }, { delta: 'Done' }], [{ approval: 'Refund?' }])
    const approved = (await send(conversation_id)).json.run_id
    expect((await runOf(approved)).state).toBe('waiting_approval')
    expect(eventsOf().at(-1)).toEqual(['approval.required', { approval_id: expect.any(String), summary: 'Refund?' }])
    expect(gateway.decide(approved, 'approved')).toMatchObject({ state: 'succeeded', result: { text: 'Done' } })
    const denied = (await send(conversation_id)).json.run_id
    expect(gateway.decide(denied, 'denied').result?.error?.code).toBe('APPROVAL_DENIED')
    expect(() => gateway.decide(denied, 'denied')).toThrow('waits for no approval')
  })
})

it('executes one step at a time while it is held', async () => {
  const conversation_id = await create()
  gateway.hold()
  const { run_id } = (await send(conversation_id, 'Hello there')).json
  const types = []
  while (gateway.step(run_id).state !== 'succeeded') types.push(eventsOf().at(-1)?.[0])
  expect(types).toEqual(['run.started', 'assistant.delta', 'assistant.delta'])
  expect(() => gateway.step(run_id)).toThrow('There is nothing to do')
})

describe('cancelling', () => {
  const cancel = async (run_id: string) => (await call('cancelRun', { ids: { run_id }, body: {} })).json
  const operationState = async (operation_id: string) =>
    (await call('getOperation', { ids: { operation_id } })).json.state

  it('a queued run ends it at once', async () => {
    gateway.hold()
    const { run_id } = (await send(await create())).json
    expect(await cancel(run_id)).toMatchObject({ state: 'succeeded', ref: { generation: 1 } })
    expect(await runOf(run_id)).toMatchObject({ state: 'cancelled', delivery_state: 'waiting_device', result: null })
  })

  it('a running run is answered before the stop is confirmed', async () => {
    gateway.reply([{ delta: 'Hel' }, { hang: true }])
    const { run_id } = (await send(await create())).json
    const { operation_id, state } = await cancel(run_id)
    expect(state).toBe('stopping')
    expect(await operationState(operation_id)).toBe('succeeded')
    expect(await runOf(run_id)).toMatchObject({ state: 'cancelled', result: { text: 'Hel' } })
    expect(eventsOf().slice(-2)).toEqual([
      ['run.updated', { state: 'cancelling', delivery_state: 'device_received' }],
      ['run.cancelled', { state: 'cancelled', result: { text: 'Hel' } }],
    ])
  })

  it('is confirmed by the test while the gateway is held, and two cancels share one stop', async () => {
    gateway.reply([{ hang: true }])
    const { run_id } = (await send(await create())).json
    gateway.hold()
    const operations = [await cancel(run_id), await cancel(run_id)].map(({ operation_id }) => operation_id)
    expect(await Promise.all(operations.map(operationState))).toEqual(['stopping', 'stopping'])
    expect((await runOf(run_id)).state).toBe('cancelling')
    gateway.release()
    expect(await Promise.all(operations.map(operationState))).toEqual(['succeeded', 'succeeded'])
  })

  it('an ended run does not change it', async () => {
    const { run_id } = (await send(await create())).json
    expect((await cancel(run_id)).state).toBe('succeeded')
    expect((await runOf(run_id)).state).toBe('succeeded')
  })

  it('does not replace an outcome that is recorded before it', async () => {
    gateway.reply([{ hang: true }])
    const { run_id } = (await send(await create())).json
    gateway.hold()
    const { operation_id } = await cancel(run_id)
    expect(gateway.finish(run_id, { succeed: { text: 'Just in time' } }).state).toBe('succeeded')
    expect(await operationState(operation_id)).toBe('succeeded')
  })
})

describe('resetting', () => {
  const reset = (conversation_id: string, busy_policy?: string, expected_generation = 1) =>
    call('resetConversation', {
      ids: { conversation_id },
      body: { expected_generation, ...(busy_policy === undefined ? {} : { busy_policy }) },
    })

  it('an idle conversation advances the generation at once', async () => {
    const conversation_id = await create()
    const { json } = await reset(conversation_id)
    expect(json).toMatchObject({ state: 'succeeded', ref: { conversation_id, generation: 2 } })
    expect((await send(conversation_id)).json.code).toBe('GENERATION_CONFLICT')
    expect((await reset(conversation_id)).json.code).toBe('GENERATION_CONFLICT')
    expect(gateway.conversations[0]?.events).toEqual([
      expect.objectContaining({
        seq: 1,
        generation: 2,
        run_id: null,
        message_id: null,
        payload: { operation_id: json.operation_id, generation: 2, previous_generation: 1, binding_version: 1 },
      }),
    ])
  })

  it('rejects unfinished work unless it may be cancelled', async () => {
    const conversation_id = await create()
    gateway.reply([{ hang: true }])
    const running = (await send(conversation_id)).json.run_id
    const queued = (await send(conversation_id)).json.run_id
    for (const policy of [undefined, 'reject']) expect((await reset(conversation_id, policy)).json.code).toBe('BUSY')
    gateway.hold()
    const { json } = await reset(conversation_id, 'cancel_and_reset')
    expect(json).toMatchObject({ state: 'stopping', ref: { generation: 1 } })
    expect([(await runOf(running)).state, (await runOf(queued)).state]).toEqual(['cancelling', 'cancelled'])
    expect((await send(conversation_id)).json.code).toBe('BUSY')
    expect((await reset(conversation_id, 'cancel_and_reset')).json.code).toBe('BUSY')
    gateway.release()
    const { operation_id } = json
    expect((await call('getOperation', { ids: { operation_id } })).json).toMatchObject({
      state: 'succeeded',
      ref: { generation: 2 },
    })
    expect(eventsOf().at(-1)?.[0]).toBe('conversation.reset')
  })
})

describe('a direct run', () => {
  const createRun = (body: object) =>
    call('createRun', { ids: { endpoint_id: 'ep_test' }, body: { input: { text: 'Hello' }, ...body } })

  it('creates a conversation each time without a key, and finds or creates it with one', async () => {
    const ids = []
    for (const body of [{}, {}, { conversation_key: 'a' }, { conversation_key: 'a', expected_generation: 1 }])
      ids.push((await createRun(body)).json.conversation_id)
    expect(new Set(ids).size).toBe(3)
    expect(ids[3]).toBe(ids[2])
  })

  it('refuses a generation without a key, or of a key without a conversation, and then creates nothing', async () => {
    const withoutKey = await createRun({ expected_generation: 1 })
    expect([withoutKey.json.code, withoutKey.json.errors[0].pointer]).toEqual([
      'INVALID_REQUEST',
      '/expected_generation',
    ])
    const unknownKey = await createRun({ expected_generation: 1, conversation_key: 'new' })
    expect(unknownKey.json.code).toBe('GENERATION_CONFLICT')
    expect(gateway.conversations).toEqual([])
  })

  it('accepts a start deadline within 24 hours', async () => {
    const at = (ms: number) => new Date(clock.now.getTime() + ms).toISOString()
    expect((await createRun({ start_before: at(86_400_000) })).status).toBe(202)
    expect((await createRun({ start_before: at(86_400_001) })).status).toBe(400)
  })
})
