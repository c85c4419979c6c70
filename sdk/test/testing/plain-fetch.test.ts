import { describe, expect, it } from 'vitest'
import { ConnectionError, createClient, isApiError } from '../../src/index.ts'
import { createTestGateway } from '../../src/testing/index.ts'

const baseUrl = 'https://gateway.test'
const start = () => {
  const gateway = createTestGateway({ baseUrl })
  const client = createClient({
    baseUrl,
    apiKey: 'gk_test',
    subject: 'customer',
    fetch: gateway.fetch,
    backoff: { baseMs: 1, maxMs: 1 },
  })
  return { gateway, client }
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

  it('transfers bytes in both directions', async () => {
    const { client } = start()
    const content = new Uint8Array([0, 255, 128, 13, 10])
    const { resource_id } = await client.resources.upload(content, { filename: 'a.bin' })
    expect(new Uint8Array(await (await client.resources.getContent(resource_id)).arrayBuffer())).toEqual(content)
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

  it('answers requests outside the contract as a gateway does', async () => {
    const { client } = start()
    const error = await client.runs.get('run_1').catch((thrown: unknown) => thrown)
    expect(isApiError(error, 'NOT_FOUND')).toBe(true)
    const { fetch } = createTestGateway()
    expect((await fetch('https://any.test/nothing')).status).toBe(404)
  })
})
