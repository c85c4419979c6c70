import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../store/history/events.ts'
import { STREAM_START, sseFrames } from './sse-frame.ts'

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  seq: 7,
  eventId: 'evt_7',
  generation: 2,
  runId: 'run_1',
  messageId: 'msg_1',
  type: 'assistant.delta',
  payload: '{"text":"Grüße, 🌍\\n","index":0}',
  createdAt: new Date(0),
  ...more,
})

const parse = (text: string) => {
  const messages: EventSourceMessage[] = []
  const comments: string[] = []
  const retries: number[] = []
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onComment: (comment) => comments.push(comment),
    onRetry: (retry) => retries.push(retry),
  })
  parser.feed(text)
  return { messages, comments, retries }
}

describe('a frame', () => {
  it('has the seq as id, the type as event, and the envelope as one data line [SSE-07, SSE-27]', () => {
    const text = sseFrames.event('conv_1', event())
    expect(parse(text).messages.map(({ id, event: type }) => ({ id, type }))).toEqual([
      { id: '7', type: 'assistant.delta' },
    ])
    expect(text.match(/^data:/gm)).toHaveLength(1)
    expect(JSON.parse(parse(text).messages[0]?.data ?? '')).toEqual({
      conversation_id: 'conv_1',
      generation: 2,
      event_id: 'evt_7',
      seq: 7,
      run_id: 'run_1',
      message_id: 'msg_1',
      type: 'assistant.delta',
      payload: { text: 'Grüße, 🌍\n', index: 0 },
    })
  })

  it('contains null for an event without a run or message', () => {
    const { messages } = parse(sseFrames.event('conv_1', event({ runId: null, messageId: null })))
    expect(JSON.parse(messages[0]?.data ?? '')).toMatchObject({ run_id: null, message_id: null })
  })

  it('passes the payload on unchanged, including numbers that JavaScript cannot represent', () => {
    const payload = '{"state":"succeeded","result":{"big":12345678901234567890.10}}'
    expect(sseFrames.event('conv_1', event({ payload }))).toContain(`"payload":${payload}}\n`)
  })

  it('stays one frame when the stored JSON has line breaks [SSE-27]', () => {
    const text = sseFrames.event('conv_1', event({ payload: '{\r\n  "text":\n\n"a"\r}' }))
    expect(parse(text).messages).toHaveLength(1)
    expect(JSON.parse(parse(text).messages[0]?.data ?? '')).toMatchObject({ payload: { text: 'a' } })
  })
})

it('a ping is a comment and no event [SSE-08]', () => {
  expect(parse(Buffer.from(sseFrames.ping).toString())).toEqual({ messages: [], comments: ['ping'], retries: [] })
})

it('a stream starts with the time to wait before a reconnection [SSE-25]', () => {
  expect(parse(Buffer.from(STREAM_START).toString())).toEqual({ messages: [], comments: [], retries: [1000] })
})
