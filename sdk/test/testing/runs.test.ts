import { describe, expect, it } from 'vitest'
import { withTestGateway } from './support/client.ts'

const { gateway, call, create, send } = withTestGateway()

const runOf = async (run_id: string) => (await call('getRun', { ids: { run_id } })).json

/** Types and payloads of the events of the only conversation. */
const eventsOf = () => gateway.conversations[0]?.events.map(({ type, payload }) => [type, payload]) ?? []

it('echoes a text word by word, and data without a text as JSON', async () => {
  const conversation_id = await create()
  const { run_id } = (await send(conversation_id, 'Hello there')).json
  expect(await runOf(run_id)).toMatchObject({ state: 'succeeded', result: { text: 'Hello there' } })
  expect(eventsOf().map(([type]) => type)).toEqual([
    'run.updated',
    'run.started',
    'assistant.delta',
    'assistant.delta',
    'assistant.message',
    'run.completed',
  ])
  expect(eventsOf().slice(2, 4)).toEqual([
    ['assistant.delta', { text: 'Hello ', index: 0 }],
    ['assistant.delta', { text: 'there', index: 1 }],
  ])
  const body = { expected_generation: 1, input: { data: { a: 1 } } }
  const ofData = (await call('sendMessage', { ids: { conversation_id }, body })).json.run_id
  expect((await runOf(ofData)).result.text).toBe('{"a":1}')
})

describe('a scripted reply', () => {
  it('is used once, in the order of admission; after the last one, the default reply is used', async () => {
    const conversation_id = await create()
    gateway.reply('First', ({ text }) => `You said ${text}`, [{ message: 'Whole' }])
    const texts = []
    for (let i = 0; i < 4; i++) texts.push((await runOf((await send(conversation_id, 'a')).json.run_id)).result.text)
    expect(texts).toEqual(['First', 'You said a', '', 'a'])
  })

  it('refuses an error code that the contract does not allow', () => {
    expect(() => gateway.reply([{ fail: { code: 'model-away', message: 'x' } }])).toThrow('codes are upper-case')
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
    expect(gateway.decide(approved, 'approved')).toMatchObject({ state: 'succeeded', result: { text: 'Done' } })
    const denied = (await send(conversation_id)).json.run_id
    expect(gateway.decide(denied, 'denied').result?.error?.code).toBe('APPROVAL_DENIED')
    expect(() => gateway.decide(denied, 'denied')).toThrow('does not wait for an approval')
  })
})

it('a held gateway executes one step at a time', async () => {
  const conversation_id = await create()
  gateway.hold()
  const { run_id } = (await send(conversation_id, 'Hello there')).json
  const types = []
  while (gateway.step(run_id).state !== 'succeeded') types.push(eventsOf().at(-1)?.[0])
  expect(types).toEqual(['run.started', 'assistant.delta', 'assistant.delta'])
  expect(() => gateway.step(run_id)).toThrow('There is nothing to do')
})

describe('a run that is being cancelled', () => {
  const operationOf = async (operation_id: string) => (await call('getOperation', { ids: { operation_id } })).json
  const cancel = async (run_id: string) => (await call('cancelRun', { ids: { run_id }, body: {} })).json
  const running = async (): Promise<string> => {
    gateway.reply([{ delta: 'Hel' }, { hang: true }])
    return (await send(await create())).json.run_id
  }

  it('is stopped after the answer to the cancel', async () => {
    const run_id = await running()
    const { operation_id, state } = await cancel(run_id)
    expect(state).toBe('stopping')
    expect(await operationOf(operation_id)).toMatchObject({ state: 'succeeded' })
    expect(await runOf(run_id)).toMatchObject({ state: 'cancelled', result: { text: 'Hel' } })
    expect(eventsOf().slice(-2)).toEqual([
      ['run.updated', { state: 'cancelling', delivery_state: 'device_received' }],
      ['run.cancelled', { state: 'cancelled', result: { text: 'Hel' } }],
    ])
  })

  it('is stopped only when the gateway is released, and one stop confirms two cancels', async () => {
    const run_id = await running()
    gateway.hold()
    const operations = [await cancel(run_id), await cancel(run_id)].map(({ operation_id }) => operation_id)
    const states = async () => (await Promise.all(operations.map(operationOf))).map(({ state }) => state)
    expect(await states()).toEqual(['stopping', 'stopping'])
    expect((await runOf(run_id)).state).toBe('cancelling')
    gateway.release()
    expect(await states()).toEqual(['succeeded', 'succeeded'])
  })

  it('keeps an outcome that the test records before the stop', async () => {
    const run_id = await running()
    gateway.hold()
    const { operation_id } = await cancel(run_id)
    expect(gateway.finish(run_id, { succeed: { text: 'Just in time' } }).state).toBe('succeeded')
    expect(await operationOf(operation_id)).toMatchObject({ state: 'succeeded' })
  })
})

it('a conversation stays in the state resetting until the held gateway is released', async () => {
  const conversation_id = await create()
  const ids = { conversation_id }
  const reset = () =>
    call('resetConversation', { ids, body: { expected_generation: 1, busy_policy: 'cancel_and_reset' } })
  gateway.reply([{ hang: true }])
  const running = (await send(conversation_id)).json.run_id
  const queued = (await send(conversation_id)).json.run_id
  gateway.hold()
  const { operation_id, ...control } = (await reset()).json
  expect(control).toMatchObject({ state: 'stopping', ref: { generation: 1 } })
  expect([(await runOf(running)).state, (await runOf(queued)).state]).toEqual(['cancelling', 'cancelled'])
  expect((await send(conversation_id)).json.code).toBe('BUSY')
  expect((await reset()).json.code).toBe('BUSY')
  gateway.release()
  expect((await call('getOperation', { ids: { operation_id } })).json).toMatchObject({
    state: 'succeeded',
    ref: { generation: 2 },
  })
  expect(eventsOf().at(-1)?.[0]).toBe('conversation.reset')
})
