import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChatRequest,
  resumeChat,
  sendChatMessage,
  stopChat,
  toUIMessageStream,
  toUIMessageStreamResponse,
  toUIMessages,
} from '../../src/ai-sdk/index.ts'
import { type Fetch, isApiError } from '../../src/index.ts'
import type { Reply, TestGateway } from '../../src/testing/index.ts'
import { all } from '../support/all.ts'
import { anyEnding, anyReplySteps } from '../support/any-reply-steps.ts'
import { startTestGateway } from '../support/test-gateway.ts'
import { RECORDINGS } from './recordings.ts'

const start = async () => {
  const { gateway, client } = startTestGateway()
  const { conversation_id: chatId } = await client.conversations.create({ endpoint_id: 'ep_test' })
  return { gateway, client, chatId }
}

const user = (text: string, id = 'msg-1'): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const request = (id: string, messages: readonly UIMessage[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  id,
  messages,
  trigger: 'submit-message',
  ...more,
})

/** The message that a page assembles from these chunks, and the faults that it receives. */
const read = async (stream: ReadableStream<UIMessageChunk>) => {
  const faults: string[] = []
  let last: UIMessage | undefined
  const onError = (error: unknown) => void faults.push(error instanceof Error ? error.message : String(error))
  for await (const message of readUIMessageStream({ stream, onError })) last = message
  return { message: last, faults }
}

const textsOf = (message: UIMessage | undefined): string[] =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : part.type)) ?? []

describe('a reply as the stream of a UIMessage', () => {
  it('has parts for activities and data, and the usage as metadata', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply([
      { activity: { activity_id: 'thought', kind: 'reasoning', name: 'reasoning', text_delta: 'Hm' } },
      { activity: { activity_id: 'call', kind: 'tool', name: 'find_order', title: 'Looks', input: { order: 1 } } },
      { activity: { activity_id: 'call', state: 'succeeded', output: 'shipped' } },
      { activity: { activity_id: 'page', kind: 'source', name: 'web', output: { url: 'https://example.com/' } } },
      { activity: { activity_id: 'bad', kind: 'source', name: 'web', output: { url: 'javascript:alert(1)' } } },
      { delta: 'Shipped.' },
      { succeed: { data: { state: 'shipped' }, usage: { output_tokens: 2 } } },
    ])
    const reply = await sendChatMessage(client, request(chatId, [user('Where?')]))
    const { message, faults } = await read(toUIMessageStream(reply))
    expect(faults).toEqual([])
    expect(message?.metadata).toEqual({ usage: { output_tokens: 2 } })
    const call = { toolName: 'find_order', toolCallId: 'call', providerExecuted: true, title: 'Looks' }
    expect(message?.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm', state: 'done' },
      { type: 'dynamic-tool', ...call, state: 'output-available', input: { order: 1 }, output: 'shipped' },
      { type: 'source-url', sourceId: 'page', url: 'https://example.com/' },
      { type: 'data-source', id: 'bad' },
      { type: 'text', text: 'Shipped.' },
      { type: 'data-result', data: { state: 'shipped' } },
    ])
  })

  it('is one message under the ID of the run, with one part for each message of the assistant', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply([{ delta: 'one ' }, { delta: 'two' }, { message: 'three' }])
    const reply = await sendChatMessage(client, request(chatId, [user('Count')]))
    const { message, faults } = await read(toUIMessageStream(reply))
    expect(faults).toEqual([])
    expect(message?.id).toBe((await reply.admission).run_id)
    expect(textsOf(message)).toEqual(['one two', 'three'])
    expect(message?.parts.every((part) => part.type === 'text' && part.state === 'done')).toBe(true)
  })

  it('ends with the error of a failed run, after the text received before it', async () => {
    const { gateway, client, chatId } = await start()
    const failing: Reply = [{ delta: 'half' }, { fail: { code: 'MODEL_UNAVAILABLE', message: 'The model is down.' } }]
    gateway.reply(failing, failing)
    const shown = await read(toUIMessageStream(await sendChatMessage(client, request(chatId, [user('A')]))))
    expect([textsOf(shown.message), shown.faults]).toEqual([['half'], ['The model is down.']])
    const reply = await sendChatMessage(client, request(chatId, [user('B', 'msg-2')]))
    const kept = await read(toUIMessageStream(reply, { onError: () => 'Try again later.' }))
    expect(kept.faults).toEqual(['Try again later.'])
  })

  it('hides the details of other errors', async () => {
    const { client } = await start()
    const { faults } = await read(toUIMessageStream(client.follow('run_unknown')))
    expect(faults).toEqual(['The reply could not be read to its end; loading it again is safe.'])
  })

  it('ends with `abort` when the run is cancelled', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply([{ delta: 'on and on' }, { hang: true }])
    const reply = await sendChatMessage(client, request(chatId, [user('Go')]))
    const stream = toUIMessageStream(reply)
    await reply.admission
    await stopChat(client, chatId)
    expect((await all(stream)).at(-1)).toEqual({ type: 'abort', reason: 'cancelled' })
    expect(gateway.conversations[0]?.runs[0]?.state).toBe('cancelled')
  })

  it('does not cancel the run when the reader leaves', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply([{ delta: 'on and on' }, { hang: true }])
    const reader = toUIMessageStream(await sendChatMessage(client, request(chatId, [user('Go')]))).getReader()
    for (const type of ['start', 'text-start', 'text-delta']) expect((await reader.read()).value?.type).toBe(type)
    await reader.cancel()
    expect(gateway.conversations[0]?.runs[0]?.state).toBe('running')
  })

  it('stops reading at once when the reader leaves, even while no chunk arrives', async () => {
    const streams: AbortSignal[] = []
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/events')) streams.push(init.signal)
      return gateway.fetch(url, init)
    }
    const { gateway, client } = startTestGateway({}, { fetch })
    const { conversation_id: chatId } = await client.conversations.create({ endpoint_id: 'ep_test' })
    gateway.reply([{ delta: 'on and on' }, { hang: true }])
    const reader = toUIMessageStream(await sendChatMessage(client, request(chatId, [user('Go')]))).getReader()
    for (let chunks = 0; chunks < 3; chunks++) await reader.read()
    // This chunk never arrives.
    const last = reader.read()
    await new Promise((resolve) => setTimeout(resolve))
    await reader.cancel()
    expect((await last).done).toBe(true)
    await expect.poll(() => streams.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a message of a chat', () => {
  it('is admitted once, however often it is posted, and every post receives the reply', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply('Hello', 'not this one')
    const posted = request(chatId, [user('Hi')])
    const post = async () => read(toUIMessageStream(await sendChatMessage(client, posted)))
    const [first, second] = await Promise.all([post(), post()])
    expect(second).toEqual(first)
    expect(await post()).toEqual(first)
    expect(gateway.conversations[0]?.runs).toHaveLength(1)
  })

  it('starts another run if it has another ID, or if the page regenerates the answer', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply('first', 'second', 'third')
    const texts: string[] = []
    let messages = [user('Hi')]
    const send = async (more: Partial<ChatRequest> = {}) => {
      const { message } = await read(toUIMessageStream(await sendChatMessage(client, request(chatId, messages, more))))
      texts.push(...textsOf(message))
      if (message) messages = [...messages, message]
    }
    await send()
    const regenerate = { trigger: 'regenerate-message', messageId: messages.at(-1)?.id } as const
    await send(regenerate)
    await send(regenerate)
    messages = [...messages, user('Hi', 'msg-2')]
    await send()
    expect(texts).toEqual(['first', 'second', 'second', 'third'])
    expect(gateway.conversations[0]?.runs).toHaveLength(3)
  })

  /** A page that posts messages. `countOf` returns how many runs its posts received, and how many the chat has. */
  const openPage = async () => {
    const { gateway, client, chatId } = await start()
    const runIds: string[] = []
    const post = async (messages: readonly UIMessage[], more: Partial<ChatRequest> = {}) => {
      const reply = await sendChatMessage(client, request(chatId, messages, more))
      runIds.push(await reply.runId())
      return reply
    }
    const countOf = () => [new Set(runIds).size, gateway.conversations[0]?.runs.length]
    return { gateway, client, chatId, post, countOf }
  }
  const REGENERATE = { trigger: 'regenerate-message' } as const

  it('starts a new run for each request to regenerate an answer, whichever message the request names', async () => {
    const { post, countOf } = await openPage()
    await (await post([user('Hi')])).run()
    for (const more of [{}, {}, { messageId: 'msg-1' }])
      await (await post([user('Hi')], { ...REGENERATE, ...more })).run()
    expect(countOf()).toEqual([4, 4])
  })

  it('starts one run for concurrent requests to regenerate, and for one that arrives during that run', async () => {
    const { gateway, client, chatId, post, countOf } = await openPage()
    await (await post([user('Hi')])).run()
    gateway.reply([{ hang: true }])
    await Promise.all([post([user('Hi')], REGENERATE), post([user('Hi')], REGENERATE)])
    await post([user('Hi')], REGENERATE)
    expect(countOf()).toEqual([2, 2])
    await stopChat(client, chatId)
    await post([user('Hi')], REGENERATE)
    expect(countOf()).toEqual([3, 3])
  })

  it('starts a new run for each edit that names its message, even an edit back to the old text', async () => {
    const { gateway, post, countOf } = await openPage()
    gateway.reply('one', 'two', 'three')
    const texts: (string | undefined)[] = []
    for (const [text, messageId] of [['Hi'], ['Hello', 'msg-1'], ['Hi', 'msg-1']] as const)
      texts.push((await (await post([user(text)], { messageId })).run()).result?.text)
    expect(texts).toEqual(['one', 'two', 'three'])
    expect(countOf()).toEqual([3, 3])
  })

  it('starts a new run for a new text under the same ID', async () => {
    const { post, countOf } = await openPage()
    for (const text of ['Hi', 'Hello', 'Hi']) await (await post([user(text)])).run()
    expect(countOf()).toEqual([2, 2])
  })

  it('starts one run for each intention that the page names, even after that run has ended', async () => {
    const { post, countOf } = await openPage()
    for (const intention of ['one', 'two', 'two', 'three', 'one'])
      await (await post([user('Hi')], { ...REGENERATE, intention })).run()
    expect(countOf()).toEqual([3, 3])
  })

  it.each<[string, readonly UIMessage[], string]>([
    ['no message of the user', [], 'has no message of the user'],
    ['no text', [{ id: 'm', role: 'user', parts: [] }], 'has no text'],
    [
      'a file',
      [{ id: 'm', role: 'user', parts: [{ type: 'file', url: 'data:,', mediaType: 'text/plain' }] }],
      'A part of the message is file',
    ],
  ])('in a request with %s is refused before anything is sent', async (_name, messages, fault) => {
    const { gateway, client, chatId } = await start()
    const before = gateway.requests.length
    await expect(sendChatMessage(client, request(chatId, messages))).rejects.toThrow(fault)
    expect(gateway.requests).toHaveLength(before)
  })

  it.each<[string, object, string]>([
    ['a chat ID that is not a string', { id: 7 }, 'id must be the chat’s ID'],
    ['messages that are no list', { messages: 'Hi' }, 'messages must be a list'],
    ['a message without an ID', { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }, 'has no id'],
    ['a message without parts', { messages: [{ id: 'm', role: 'user' }] }, 'has no parts'],
    [
      'a part whose text is not a string',
      { messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: {} }] }] },
      'must be a string',
    ],
    ['a messageId that is not a string', { messageId: {} }, 'messageId must be a string'],
    ['an intention that is not a string', { intention: 7 }, 'intention must be a string'],
    ['an empty intention', { intention: '' }, 'intention must be a string'],
    ['null in the list', { messages: [null] }, 'has no message of the user'],
  ])('in a malformed request with %s is refused before anything is sent', async (_name, wrong, fault) => {
    const { gateway, client, chatId } = await start()
    const before = gateway.requests.length
    const posted = { ...request(chatId, [user('Hi')]), ...wrong } as ChatRequest
    const refused = sendChatMessage(client, posted)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(fault)
    expect(gateway.requests).toHaveLength(before)
  })

  it('cannot reach a chat of another subject', async () => {
    const { client, chatId } = await start()
    const other = client.forSubject('somebody else')
    for (const act of [
      () => sendChatMessage(other, request(chatId, [user('Hi')])),
      () => resumeChat(other, chatId),
      () => stopChat(other, chatId),
    ])
      await expect(act()).rejects.toSatisfy((error) => isApiError(error, 'NOT_FOUND'))
  })

  it('is not answered with 200 if the gateway refuses it', async () => {
    const { gateway, client, chatId } = await start()
    gateway.failNext({ operation: 'sendMessage', fault: { code: 'INVALID_REQUEST' } })
    const reply = await sendChatMessage(client, request(chatId, [user('Hi')]))
    await expect(toUIMessageStreamResponse(reply)).rejects.toSatisfy((error) => isApiError(error, 'INVALID_REQUEST'))
  })
})

/** A backend's routes for the transport of `useChat`. */
const backend =
  (client: Parameters<typeof sendChatMessage>[0]): typeof globalThis.fetch =>
  async (input, init) => {
    const asked = new Request(new URL(String(input), 'https://app.test'), init)
    const [, chatId] = /^\/api\/chat\/([^/]+)\/stream$/.exec(new URL(asked.url).pathname) ?? []
    if (chatId !== undefined) return toUIMessageStreamResponse(await resumeChat(client, chatId))
    return toUIMessageStreamResponse(await sendChatMessage(client, (await asked.json()) as ChatRequest))
  }

describe('through the transport of useChat', () => {
  it('a message is sent and its reply is read', async () => {
    const { gateway, client, chatId } = await start()
    gateway.reply('Hello there')
    const transport = new DefaultChatTransport({ api: '/api/chat', fetch: backend(client) })
    const stream = await transport.sendMessages({
      chatId,
      messages: [user('Hi')],
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    })
    expect(textsOf((await read(stream)).message)).toEqual(['Hello there'])
  })

  it('a chat has nothing to resume without a run, or if its last run ended over a minute ago', async () => {
    const { client, chatId } = await start()
    const transport = new DefaultChatTransport({ api: '/api/chat', fetch: backend(client) })
    expect(await transport.reconnectToStream({ chatId })).toBeNull()
    await (await sendChatMessage(client, request(chatId, [user('Hi')]))).run()
    expect(await transport.reconnectToStream({ chatId })).not.toBeNull()
    expect(await resumeChat(client, chatId, { now: () => Date.now() + 61_000 })).toBeNull()
  })
})

describe('a page that is reloaded during an answer', () => {
  /** Plays the run up to the step, then opens a second page; returns the last message of both pages. */
  const reloadAfter = async (script: Reply, before: number, steps: number) => {
    const { gateway, client, chatId } = await start()
    for (let i = 0; i < before; i++)
      await read(toUIMessageStream(await sendChatMessage(client, request(chatId, [user(`before ${i}`, `old-${i}`)]))))
    gateway.hold()
    gateway.reply(script)
    const reply = await sendChatMessage(client, request(chatId, [user('Go')]))
    const runId = await reply.runId()
    const first = read(toUIMessageStream(reply))
    let taken = 0
    while (taken < steps && !isOver(gateway, runId)) {
      gateway.step(runId)
      taken += 1
    }
    const resumed = await resumeChat(client, chatId)
    if (resumed === null) throw new Error('there is no reply to resume')
    const second = read(toUIMessageStream(resumed))
    gateway.release()
    const shown = await first
    const history = toUIMessages((await client.messages.list(chatId)).messages)
    return { shown, again: await second, history, runId, isAll: taken < steps }
  }

  it.each(RECORDINGS)(
    'ends with the message of an uninterrupted page, whichever step it is reloaded at: recording $name',
    async ({ script, before }) => {
      for (let steps = 0; ; steps++) {
        const { shown, again, history, runId, isAll } = await reloadAfter(script, before, steps)
        expect(again).toEqual(shown)
        const kept = history.find(({ id }) => id === runId)
        expect(textsOf(kept)).toEqual(textsOf(shown.message))
        if (isAll) break
        expect(steps).toBeLessThan(50)
      }
    },
  )

  it('ends with the message of an uninterrupted page, whichever activities the run had at the reload', async () => {
    await fc.assert(
      fc.asyncProperty(anyReplySteps, anyEnding, fc.nat(10), async (steps, ending, cut) => {
        const { shown, again } = await reloadAfter([...steps, ending], 0, cut)
        expect(again).toEqual(shown)
      }),
      { numRuns: 200 },
    )
  })

  const isOver = (gateway: TestGateway, runId: string): boolean =>
    gateway.conversations.some(({ runs }) =>
      runs.some(({ run_id, state }) => run_id === runId && !['queued', 'running'].includes(state)),
    )
})
