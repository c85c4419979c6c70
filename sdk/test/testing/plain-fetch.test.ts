import { describe, expect, it } from 'vitest'
import { ConnectionError, isApiError } from '../../src/index.ts'
import { createTestGateway, type TestWebhook } from '../../src/testing/index.ts'
import { createWebhookSender } from '../../src/webhooks/index.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const baseUrl = 'https://gateway.test'
const backoff = { baseMs: 1, maxMs: 1 }
const secret = 'the secret of the webhook'
const orders: TestWebhook = {
  integrationId: 'orders',
  secret,
  subject: 'order-system',
  action: ({ text = 'Hello' }) => ({ kind: 'run', endpointId: 'ep_test', body: { input: { text: String(text) } } }),
}

const start = () => {
  const { gateway, client } = startTestGateway({ webhooks: [orders] }, { backoff })
  const { fetch } = gateway
  const sender = createWebhookSender({ url: `${baseUrl}/api/v1/webhooks/orders`, secret, fetch, backoff })
  return { gateway, client, sender }
}

describe('the fetch of a gateway in memory', () => {
  it('connects the client to the gateway without a network mock', async () => {
    const { gateway, client } = start()
    gateway.reply('one two three')
    gateway.failNext({ operation: 'createRun', fault: 'lose-answer' })
    gateway.failNext({ operation: 'streamRunEvents', fault: { cutStreamAfter: 2 }, times: 2 })
    let text = ''
    for await (const piece of client.ask({ endpoint_id: 'ep_test' }, 'Count')) text += piece
    expect(text).toBe('one two three')
    expect(gateway.conversations[0]?.runs).toHaveLength(1)
  })

  it('transfers bytes in both directions, and names their file', async () => {
    const { client } = start()
    const content = new Uint8Array([0, 255, 128, 13, 10])
    const { resource_id } = await client.resources.upload(content, { filename: 'Größe "1".bin' })
    const { data, response } = await client.resources.getContent(resource_id).withResponse()
    expect(new Uint8Array(await data.arrayBuffer())).toEqual(content)
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.bin",
    )
  })

  it('answers 404 for an ID that cannot be decoded', async () => {
    const { gateway } = start()
    const headers = { authorization: 'Bearer gk_test', 'x-service-subject': 'customer' }
    const answer = await gateway.fetch(`${baseUrl}/api/v1/runs/%zz`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
  })

  it('requires a base URL without a path', () => {
    expect(() => createTestGateway({ baseUrl: `${baseUrl}/api/v1` })).toThrow('without the path /api/v1')
  })

  it('rejects if the connection breaks or the origin is another one', async () => {
    const { gateway, client } = start()
    gateway.failNext({ fault: 'network-error' })
    await expect(client.runs.get('run_1', { maxAttempts: 1 })).rejects.toThrow(ConnectionError)
    await expect(gateway.fetch('https://elsewhere.test/api/v1/runs/run_1')).rejects.toThrow(
      'the test gateway is https://gateway.test',
    )
  })

  it('can be aborted by the signal while it waits and while a stream is open', async () => {
    const { gateway, client } = start()
    gateway.failNext({ operation: 'getRun', fault: 'no-answer' })
    const waiting = new AbortController()
    const call = client.runs.get('run_1', { signal: waiting.signal })
    waiting.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')

    gateway.hold()
    const { run_id } = await client.runs.create('ep_test', { input: { text: 'Hello' } })
    const watching = new AbortController()
    const read = async () => {
      for await (const _event of client.runs.events(run_id, { signal: watching.signal }))
        watching.abort(new Error('left'))
    }
    await expect(read()).rejects.toThrow('left')
  })

  it.each(['createRun', 'sendMessage', 'a webhook'])(
    'rejects without an effect if the reply function of %s throws, and the retry calls that function again',
    async (name) => {
      const { gateway, client, sender } = start()
      const conversation = await client.conversations.create({ endpoint_id: 'ep_test' })
      const input = { text: 'Hello' }
      let calls = 0
      gateway.reply(() => {
        calls += 1
        if (calls === 1) throw new Error('the reply function failed')
        return 'a reply'
      })
      if (name === 'createRun') await client.runs.create('ep_test', { input })
      if (name === 'a webhook') await sender.send({ type: 'asked' })
      if (name === 'sendMessage')
        await client.messages.send(conversation.conversation_id, { expected_generation: 1, input })
      expect(calls).toBe(2)
      const ended = gateway.conversations.flatMap(({ runs, messages }) =>
        runs.map((run) => [run.result?.text, messages.length]),
      )
      expect(ended).toEqual([['a reply', 2]])
      expect(gateway.conversations).toHaveLength(name === 'sendMessage' ? 1 : 2)
    },
  )

  it('answers 404 to an unknown run and to an unknown path', async () => {
    const { client } = start()
    const error = await client.runs.get('run_1').catch((thrown: unknown) => thrown)
    expect(isApiError(error, 'NOT_FOUND')).toBe(true)
    const { fetch } = createTestGateway()
    expect((await fetch('https://any.test/nothing')).status).toBe(404)
  })

  it('answers a webhook sender: after a lost answer, the repeat gets the first answer without a second effect', async () => {
    const { gateway, sender } = start()
    gateway.failNext({ operation: 'receiveWebhook', fault: 'lose-answer' })
    const event = { type: 'asked', text: 'Where is it?' }
    const first = await sender.send(event, { id: 'evt-1' }).withResponse()
    const again = await sender.send(event, { id: 'evt-1' }).withResponse()
    expect([first.attempts, first.replayed, again.replayed]).toEqual([2, true, true])
    expect(again.data).toEqual(first.data)
    expect(gateway.conversations.map(({ record, runs }) => [record.subject, runs.length])).toEqual([
      ['order-system', 1],
    ])
    expect(gateway.requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['receiveWebhook', null],
      ['receiveWebhook', 202],
      ['receiveWebhook', 202],
    ])
  })
})
