import { expect, it } from 'vitest'
import { startTestGateway } from '../../test/support/test-gateway.ts'
import type { RecordedRequest } from '../testing/answer-request.ts'

const play = () => {
  const { gateway, client } = startTestGateway()
  gateway.reply([{ delta: 'one ' }, { delta: 'two' }, { hang: true }])
  const asked = (operation: RecordedRequest['operation']) =>
    gateway.requests.filter((request) => request.operation === operation)
  return { gateway, client, asked }
}

it("starts waiting at the run's current position, not at its beginning", async () => {
  const { gateway, client, asked } = play()
  const conversation = await client.conversations.create({ endpoint_id: 'ep_test' })
  const { run_id } = await client.ask(conversation, 'Hello').admission
  const { watermark } = await client.conversations.get(conversation.conversation_id)
  const run = client.runs.wait(run_id)
  while (asked('streamRunEvents').length === 0) await new Promise(setImmediate)
  gateway.finish(run_id)
  expect(await run).toMatchObject({ state: 'succeeded' })
  expect(asked('streamRunEvents').map(({ headers }) => headers['last-event-id'])).toEqual([String(watermark)])
})

it('waits for a run on the connection of its readers, even if its conversation has advanced', async () => {
  const { gateway, client, asked } = play()
  const conversation = await client.conversations.create({ endpoint_id: 'ep_test' })
  const reply = client.ask(conversation, 'Hello')
  const texts = reply[Symbol.asyncIterator]()
  expect([await texts.next(), await texts.next()]).toMatchObject([{ value: 'one ' }, { value: 'two' }])
  // The conversation has later events than the run.
  await client.ask(conversation, 'And then?').admission
  const { run_id } = await reply.admission
  const runs = [reply.run(), client.runs.wait(run_id)]
  const read = asked('getRun').length
  while (asked('getRun').length < read + 4) await new Promise(setImmediate)
  gateway.finish(run_id)
  expect(await Promise.all(runs)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }])
  expect(await texts.next()).toMatchObject({ done: true })
  expect(asked('streamRunEvents')).toHaveLength(1)
})

it("waits for an operation on the connection of its conversation's readers", async () => {
  const { gateway, client, asked } = play()
  const conversation = await client.conversations.create({ endpoint_id: 'ep_test' })
  const id = conversation.conversation_id
  await client.ask(conversation, 'Hello').admission
  const events = client.conversations.events(id)[Symbol.asyncIterator]()
  await events.next()
  gateway.hold()
  const { operation_id } = await client.conversations.reset(id, {
    expected_generation: conversation.generation,
    busy_policy: 'cancel_and_reset',
  })
  const operation = client.operations.wait(operation_id)
  while (asked('getOperation').length < 2) await new Promise(setImmediate)
  gateway.release()
  expect(await operation).toMatchObject({ state: 'succeeded' })
  await events.return?.()
  expect(asked('streamConversationEvents')).toHaveLength(1)
})
