import { describe, expect, it } from 'vitest'
import type { StoredMessage } from './message-record.ts'
import { messageJson, messageRecord } from './message-record.ts'

const message = (changes: Partial<StoredMessage>): StoredMessage => ({
  conversationId: 'conv_1',
  messageId: 'msg_1',
  runId: 'run_1',
  generation: 1,
  cursor: 3,
  role: 'user',
  text: null,
  data: null,
  resourceIds: null,
  activities: [],
  partial: false,
  createdAt: new Date('2026-01-01T00:00:00.000Z'),
  ...changes,
})
const contentOf = (changes: Partial<StoredMessage>): unknown => JSON.parse(messageJson(message(changes))).content

describe('a message in JSON', () => {
  it('contains all members of its record', () => {
    const whole = message({ text: 'a "quoted" text', resourceIds: ['res_1'] })
    expect(JSON.parse(messageJson(whole))).toEqual(messageRecord({ ...whole, data: null }))
    const data = { a: [1, { b: null }] }
    for (const more of [{}, { text: 'hi' }, { text: 'hi', resourceIds: ['res_1'] }])
      expect(contentOf({ ...more, data: JSON.stringify(data) })).toEqual({
        ...messageRecord({ ...message(more), data: null }).content,
        data,
      })
    expect(contentOf({ role: 'assistant', text: 'done' })).toEqual({ text: 'done', partial: false })
  })

  it('keeps the JSON text of data unchanged', () => {
    const data = '{ "10": 1.0, "9": "\\u0041", "b": {}, "a": 1e2 }'
    expect(messageJson(message({ text: 'x', data }))).toContain(`"data":${data}}}`)
  })
})
