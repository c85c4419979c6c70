import { afterEach, describe, expect, it } from 'vitest'
import type { ModelServer } from '../../test/support/model-server.ts'
import { DONE, frame, startModelServer, stream } from '../../test/support/model-server.ts'
import { createRequest, inputOf, play } from '../../test/support/play-assistant.ts'
import type { AssistantRequest } from './assistant.ts'
import type { OpenaiConfig } from './openai.ts'
import { createOpenai } from './openai.ts'

const KEY = 'sk-very-secret'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const start = async (answer: Parameters<typeof startModelServer>[0]) => {
  server = await startModelServer(answer)
  return server
}
const assistantAt = ({ baseUrl }: ModelServer, more: Partial<OpenaiConfig> = {}) =>
  createOpenai({
    baseUrl: `${baseUrl}/`,
    model: 'small-1',
    apiKey: KEY,
    systemPrompt: null,
    acceptTruncated: false,
    parameters: {},
    headers: {},
    ...more,
  })

const answered = async (answer: Parameters<typeof startModelServer>[0], request: Partial<AssistantRequest> = {}) => {
  const { steps, outcome } = await play(assistantAt(await start(answer)), request)
  return { text: steps.map((step) => Object(step).delta ?? '').join(''), steps, outcome }
}

const streaming = (pieces: readonly string[]) =>
  answered(async (response) => {
    await stream(response, pieces)
    response.end()
  })

describe('the request', () => {
  it('asks the model for a stream, with prompt, history and input, and the key as bearer token', async () => {
    const model = await start((response) => void stream(response, [DONE]).then(() => response.end()))
    await play(assistantAt(model, { systemPrompt: 'Be kind.' }), {
      input: inputOf({ text: 'And now?', data: { order: 7 }, resourceIds: [] }),
      readContext: async () => [
        { role: 'user', ...inputOf({ text: null, data: { order: 6 }, resourceIds: [] }) },
        { role: 'assistant', ...inputOf({ text: 'On its way.', data: null, resourceIds: [] }) },
      ],
    })
    expect(model.calls).toMatchObject([
      {
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: {
          model: 'small-1',
          stream: true,
          messages: [
            { role: 'system', content: 'Be kind.' },
            { role: 'user', content: '{"order":6}' },
            { role: 'assistant', content: 'On its way.' },
            { role: 'user', content: 'And now?\n\n{"order":7}' },
          ],
        },
      },
    ])
  })

  it('contains no key if none is configured', async () => {
    const model = await start((response) => void stream(response, [DONE]).then(() => response.end()))
    await play(assistantAt(model, { apiKey: null }))
    expect(model.calls[0]?.headers.authorization).toBeUndefined()
  })
})

describe('the request of a configured service', () => {
  const ask = async (more: Partial<OpenaiConfig>, request: Partial<AssistantRequest> = {}) => {
    const model = await start((response) => void stream(response, [DONE]).then(() => response.end()))
    await play(assistantAt(model, more), request)
    return model.calls[0]
  }

  it('contains its parameters and headers, and null removes a default member', async () => {
    const call = await ask({ parameters: { temperature: 0.2, max_tokens: 50 }, headers: { 'x-team': 'orders' } })
    expect(call?.headers['x-team']).toBe('orders')
    expect(call?.body).toMatchObject({ temperature: 0.2, max_tokens: 50, stream_options: { include_usage: true } })
    await server?.close()
    expect(Object((await ask({ parameters: { stream_options: null } }))?.body)).not.toHaveProperty('stream_options')
  })

  it('contains what the gateway sets, even if a parameter has the same name', async () => {
    const call = await ask({ parameters: { stream: false, messages: [], model: 'other' } })
    expect(call?.body).toMatchObject({ stream: true, model: 'small-1', messages: [{ role: 'user' }] })
  })

  it('contains images up to the size limit, and names those that are too large or of another type', async () => {
    const image = (size: number, contentType = 'image/png') => ({
      filename: 'a.png',
      contentType,
      size,
      readContent: async () => new Uint8Array([1, 2, 3]),
    })
    const resources = new Map([
      ['small', image(3)],
      ['large', image(9_000_000)],
      ['odd', image(3, 'image/tiff')],
    ])
    const call = await ask(
      {},
      {
        input: inputOf({ text: 'Look', data: null, resourceIds: [...resources.keys()] }),
        readResource: async (id) => resources.get(id) ?? null,
      },
    )
    expect(Object(call?.body).messages[0].content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      { type: 'text', text: 'Attachment a.png (image/png, 9000000 bytes), not shown.' },
      { type: 'text', text: 'Attachment a.png (image/tiff, 3 bytes), not shown.' },
    ])
  })
})

describe('the answer', () => {
  it('is passed on piece by piece as it arrives [ASST-08]', async () => {
    const { steps, outcome } = await streaming([frame(''), frame('Hel'), frame('lo'), frame(null, 'stop'), DONE])
    expect(steps).toEqual([{ delta: 'Hel' }, { delta: 'lo' }])
    expect(outcome).toEqual({ state: 'succeeded' })
  })

  it('ends with [DONE], whatever follows', async () => {
    const { text, outcome } = await answered((response) => stream(response, [frame('a'), DONE, frame('b')]))
    expect([text, outcome]).toEqual(['a', { state: 'succeeded' }])
  })
})

describe('a stop', () => {
  it('aborts the call in the middle of the stream, which the server notices', async () => {
    const stopping = new AbortController()
    const model = await start((response) => stream(response, [frame('a')]))
    const steps = assistantAt(model)(createRequest({ signal: stopping.signal }))
    expect((await steps.next()).value).toEqual({ delta: 'a' })
    const end = steps.next()
    stopping.abort()
    expect(await end).toEqual({ done: true, value: undefined })
    await model.calls[0]?.aborted
  })

  it('aborts the call before the answer begins', async () => {
    const stopping = new AbortController()
    const model = await start(() => stopping.abort())
    expect(await play(assistantAt(model), { signal: stopping.signal })).toEqual({ steps: [], outcome: undefined })
    await model.calls[0]?.aborted
  })

  it('by a worker that takes no more steps aborts the call too', async () => {
    const model = await start((response) => stream(response, [frame('a'), frame('b')]))
    const steps = assistantAt(model)(createRequest())
    await steps.next()
    await steps.return(undefined)
    await model.calls[0]?.aborted
  })
})

describe('a fault of the model server', () => {
  const failure = (code: string, retryable: boolean) => ({ state: 'failed', error: { code, retryable } })

  it.each([
    [400, 'UPSTREAM_REFUSED', false],
    [401, 'UPSTREAM_REFUSED', false],
    [404, 'UPSTREAM_REFUSED', false],
    [308, 'UPSTREAM_REFUSED', false],
    [408, 'UPSTREAM_UNAVAILABLE', true],
    [429, 'UPSTREAM_UNAVAILABLE', true],
    [500, 'UPSTREAM_UNAVAILABLE', true],
    [503, 'UPSTREAM_UNAVAILABLE', true],
  ])('with status %i is %s, and its text is not passed on', async (status, code, retryable) => {
    const { outcome, steps } = await answered((response, { headers }) => {
      const location = status === 308 ? { location: 'http://127.0.0.1:1/elsewhere' } : {}
      response.writeHead(status, location).end(`you sent ${headers.authorization}`)
    })
    expect(outcome).toMatchObject(failure(code, retryable))
    expect(steps).toEqual([])
    expect(JSON.stringify(outcome)).not.toContain(KEY)
  })

  it('that prevents a connection is UPSTREAM_UNAVAILABLE, with the error code of the system', async () => {
    const model = await start(() => {})
    await model.close()
    server = undefined
    const message = 'The model server could not be reached, or the connection broke (ECONNREFUSED).'
    expect((await play(assistantAt(model))).outcome).toMatchObject({
      state: 'failed',
      error: { code: 'UPSTREAM_UNAVAILABLE', message, retryable: true },
    })
  })

  it('that breaks the connection is UPSTREAM_UNAVAILABLE, after the text so far', async () => {
    const { text, outcome } = await answered(async (response) => {
      await stream(response, [frame('a')])
      response.destroy()
    })
    expect(text).toBe('a')
    expect(outcome).toMatchObject(failure('UPSTREAM_UNAVAILABLE', true))
  })

  it('that it reports within the stream is UPSTREAM_UNAVAILABLE, and its message is not passed on [ASST-13]', async () => {
    const error = `data: ${JSON.stringify({ error: { message: `bad key ${KEY}` } })}\n\n`
    const { text, outcome } = await streaming([frame('a'), error, DONE])
    expect([text, outcome]).toMatchObject(['a', failure('UPSTREAM_UNAVAILABLE', true)])
    expect(JSON.stringify(outcome)).not.toContain(KEY)
  })
})
