import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { foldActivities } from '@conversation-gateway/openapi/behaviour/activities'
import { describe, expect, it } from 'vitest'
import type { AssistantOutcome } from './assistant.ts'
import type { AnswerReading } from './openai-answer.ts'
import { readAnswer } from './openai-answer.ts'

const chunk = (delta: unknown, finish_reason: unknown = null, more: object = {}) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const say = (content: unknown, finishReason: unknown = null): string => frame(chunk({ content }, finishReason))
const finish = (reason: unknown): string => frame(chunk({}, reason))
const inOtherShape = (choice: object): string => frame({ choices: [choice] })

const HELLO = say('Hel') + say('lo')
const STOP = finish('stop')
const DONE = 'data: [DONE]\n\n'
const whole = (choice: object, more: object = {}): string => JSON.stringify({ choices: [choice], ...more })

const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const bodyOf = (pieces: Iterable<string | Uint8Array>, breaks: boolean): ReadableStream<Uint8Array> => {
  const queue = [...pieces].map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece))
  return new ReadableStream({
    pull: (controller) => {
      const next = queue.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (breaks) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
}

interface Answer extends Partial<AnswerReading> {
  readonly breaks?: boolean
}

const readWhole = async (pieces: Iterable<string | Uint8Array>, { breaks = false, ...given }: Answer = {}) => {
  const reading = { contentType: EVENT_STREAM, acceptTruncated: false, ...given }
  const steps = readAnswer(bodyOf(pieces, breaks), reading)
  let text = ''
  const activities: ActivityUpdate[] = []
  let turn = await steps.next()
  while (turn.done !== true) {
    if ('delta' in turn.value) text += turn.value.delta
    else activities.push(turn.value.activity)
    turn = await steps.next()
  }
  return { text, activities, end: turn.value }
}

const read = async (...given: Parameters<typeof readWhole>) => {
  const { text, end } = await readWhole(...given)
  return { text, outcome: summarize(end) }
}

const summarize = (outcome: AssistantOutcome): string => {
  if (outcome.state === 'succeeded') return outcome.truncated === true ? 'succeeded, truncated' : 'succeeded'
  return `${outcome.error.code}${outcome.error.retryable ? ', retryable' : ''}`
}

const UNAVAILABLE = 'UPSTREAM_UNAVAILABLE, retryable'

describe('a complete answer succeeds', () => {
  const usage = { usage: { total_tokens: 3 } }
  it.each<[string, string, Answer?]>([
    ['with its usage in a frame with an empty list of choices', HELLO + STOP + frame({ choices: [], ...usage }) + DONE],
    ['with its usage in a frame whose choices are null', HELLO + STOP + frame({ choices: null, ...usage }) + DONE],
    ['with its usage in a frame without choices', HELLO + STOP + frame(usage) + DONE],
    ['with a null error in every frame', frame(chunk({ content: 'Hello' }, 'stop', { error: null })) + DONE],
    ['after the filter results of the prompt', frame({ choices: [], prompt_filter_results: [{}] }) + HELLO + STOP],
    ['with empty frames', `data:\n\n${HELLO}data: \n\n${STOP}${DONE}`],
    ['with pings', `event: ping\ndata: {"type":"ping"}\n\n${HELLO}${STOP}${DONE}`],
    ['with comments', `: processing\n\n${say('Hel')}: processing\n\n${say('lo')}${STOP}${DONE}`],
    ['with a byte order mark', `\u{feff}${HELLO}${STOP}${DONE}`],
    ['with CRLF', (HELLO + STOP + DONE).replaceAll('\n', '\r\n')],
    ['with CR', (HELLO + STOP + DONE).replaceAll('\n', '\r')],
    ['without spaces after the colons', (HELLO + STOP + DONE).replaceAll('data: ', 'data:')],
    ['with data of several lines', `data: {"choices":[{"delta":\ndata: {"content":"Hello"}}]}\n\n${STOP}${DONE}`],
    ['with spaces around [DONE]', `${HELLO}data:  [DONE] \n\n`],
    ['with [DONE] as its only end', HELLO + DONE],
    ['without [DONE]', HELLO + STOP],
    ['without a blank line after the last frame', `${HELLO}${STOP.trimEnd()}\n`],
    ['without a line end after the last frame', `${HELLO}${STOP.trimEnd()}`],
    ['with garbage after [DONE]', `${HELLO}${STOP}${DONE}data: not JSON\n\n`],
    ['with a finish_reason beside the last piece', say('Hel') + say('lo', 'stop')],
    ['with an empty finish_reason until then', say('Hel', '') + say('lo', '') + STOP],
    ['with "null" as finish_reason until then', say('Hel', 'null') + say('lo', 'null') + STOP],
    ['with another name for stop', HELLO + finish('STOP') + say('', 'eos_token')],
    ['of several parts', say([{ type: 'text', text: 'Hel' }, { type: 'image' }, { type: 'text', text: 'lo' }]) + STOP],
    ['with reasoning beside it', frame(chunk({ content: null, reasoning_content: 'hm' })) + HELLO + STOP],
    ['with an empty refusal and no tool call', frame(chunk({ content: 'Hello', refusal: '', tool_calls: [] })) + STOP],
    ['with a null delta', say('Hello') + frame({ choices: [{ index: 0, delta: null, finish_reason: 'stop' }] })],
    ['among several choices', frame({ choices: [{ index: 1, delta: { content: 'No' } }] }) + HELLO + STOP + DONE],
    [
      'in one frame with another choice',
      frame({ choices: [{ index: 1, delta: { content: 'No' }, finish_reason: 'length' }, chunk({}).choices[0]] }) +
        HELLO +
        STOP,
    ],
    ['with `message` instead of `delta`', inOtherShape({ message: { content: 'Hello' }, finish_reason: 'stop' })],
    [
      'with the whole message after its pieces',
      HELLO + inOtherShape({ message: { content: 'Hello' }, finish_reason: 'stop' }),
    ],
    ['that breaks off after its finish_reason', HELLO + STOP, { breaks: true }],
    ['under another media type', HELLO + STOP + DONE, { contentType: 'text/plain' }],
    ['without a media type', HELLO + STOP + DONE, { contentType: null }],
    [
      'as one JSON document',
      whole({ message: { content: 'Hello' }, finish_reason: 'stop' }),
      { contentType: 'application/json' },
    ],
    ['as one JSON document among white space', `\r\n ${whole({ message: { content: 'Hello' } })}\n`],
  ])('%s [ASST-13]', async (_, body, answer) => {
    expect(await read([body], answer)).toEqual({ text: 'Hello', outcome: 'succeeded' })
  })

  it('in single bytes, split within frames, line ends and characters [ASST-13]', async () => {
    const bytes = Buffer.from(`${say('Grüße \u{1f600}')}${STOP}${DONE}`.replaceAll('\n', '\r\n'))
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await read(pieces)).toEqual({ text: 'Grüße \u{1f600}', outcome: 'succeeded' })
  })

  it('with reasoning only, as an empty text', async () => {
    const body = frame(chunk({ content: null, reasoning_content: 'hm' })) + STOP
    expect(await read([body])).toEqual({ text: '', outcome: 'succeeded' })
  })
})

describe('an answer without proof that it is complete fails, and its text stays', () => {
  it.each<[string, string, string, Answer?]>([
    ['that ends', '', UNAVAILABLE],
    ['that ends within a frame', 'data: {"choices":[{"ind', UNAVAILABLE],
    ['that ends within [DONE]', 'data: [DON', UNAVAILABLE],
    ['that breaks off', '', UNAVAILABLE, { breaks: true }],
    ['with an error', frame({ error: { message: 'overloaded', code: 502 } }), UNAVAILABLE],
    ['with an error and [DONE]', frame({ error: { message: 'overloaded' } }) + DONE, UNAVAILABLE],
    ['with an error after its finish_reason', STOP + frame({ error: 'overloaded' }) + DONE, UNAVAILABLE],
    ['with an error as text', frame({ error: 'overloaded' }) + DONE, UNAVAILABLE],
    ['with an error beside its choices', frame(chunk({ content: '' }, 'stop', { error: { code: 1 } })), UNAVAILABLE],
    ['with an error in its choice', inOtherShape({ error: { code: 502 }, finish_reason: 'stop' }), UNAVAILABLE],
    ['with an error object', frame({ object: 'error', message: 'boom', code: 400 }) + DONE, UNAVAILABLE],
    ['with an error type', frame({ type: 'error', request_id: 'x' }) + DONE, UNAVAILABLE],
    ['with a detail', frame({ detail: 'Internal server error' }) + DONE, UNAVAILABLE],
    ['with a message and a code', frame({ code: 500, message: 'boom' }) + DONE, UNAVAILABLE],
    ['with an error event', `event: error\ndata: {"code":500}\n\n${DONE}`, UNAVAILABLE],
    ['with an error event that is not JSON', `event: error\ndata: boom\n\n${DONE}`, UNAVAILABLE],
    ['with a frame of an unknown kind and [DONE]', frame({ something: 'else' }) + DONE, UNAVAILABLE],
    ['with finish_reason error', finish('error') + DONE, UNAVAILABLE],
    ['with finish_reason abort', finish('abort') + DONE, UNAVAILABLE],
    ['with an unknown finish_reason', finish('full_moon') + DONE, 'UPSTREAM_INVALID'],
    ['with finish_reason length', finish('length') + DONE, 'ANSWER_TRUNCATED'],
    ['with finish_reason max_tokens', finish('max_tokens') + DONE, 'ANSWER_TRUNCATED'],
    ['with finish_reason length and then stop', finish('length') + STOP, 'ANSWER_TRUNCATED'],
    ['with finish_reason tool_calls', finish('tool_calls') + DONE, 'TOOL_CALLS_UNSUPPORTED'],
    ['with finish_reason function_call', finish('function_call') + DONE, 'TOOL_CALLS_UNSUPPORTED'],
    ['with a tool call and stop', frame(chunk({ tool_calls: [{ id: 'c' }] })) + STOP, 'TOOL_CALLS_UNSUPPORTED'],
    ['with a function call and stop', frame(chunk({ function_call: { name: 'x' } })) + STOP, 'TOOL_CALLS_UNSUPPORTED'],
    ['with finish_reason content_filter', finish('content_filter') + DONE, 'CONTENT_FILTERED'],
    ['that is filtered after stop', STOP + finish('content_filter') + DONE, 'CONTENT_FILTERED'],
    ['with text that is not JSON', 'data: {oops\n\n', 'UPSTREAM_INVALID'],
    ['with choices that are not a list', frame({ choices: 'none' }), 'UPSTREAM_INVALID'],
    ['with a finish_reason that is a number', finish(1) + DONE, 'UPSTREAM_INVALID'],
    ['with a frame without an end', `data: ${'x'.repeat(1024 * 1024 + 1)}`, 'UPSTREAM_INVALID'],
  ])('%s [ASST-13]', async (_, end, outcome, answer) => {
    expect(await read([HELLO, end], answer)).toEqual({ text: 'Hello', outcome })
  })

  it.each<[string, string, string]>([
    ['an error', '{"error":{"message":"no credit"}}', UNAVAILABLE],
    ['no choice', '{"choices":[]}', 'UPSTREAM_INVALID'],
    ['a part of a choice', '{"choices":[{"message":', 'UPSTREAM_INVALID'],
    ['more than the maximum size', `{"x":"${'x'.repeat(1024 * 1024)}"}`, 'UPSTREAM_INVALID'],
    ['an HTML page', '<!doctype html><title>Welcome</title>', 'UPSTREAM_INVALID'],
    ['nothing', '', 'UPSTREAM_INVALID'],
  ])('in a document with %s', async (_, body, outcome) => {
    expect(await read([body], { contentType: 'text/html' })).toEqual({ text: '', outcome })
  })

  it.each(['delta', 'message'])('that is a refusal in `%s`', async (member) => {
    const body = inOtherShape({ [member]: { refusal: 'I cannot.' } }) + STOP
    expect(await read([body])).toEqual({ text: 'I cannot.', outcome: 'CONTENT_FILTERED' })
  })
})

describe('accept_truncated', () => {
  it.each([
    ['accepts an answer that ended at its length limit', 'length', 'succeeded, truncated'],
    ['does not mark a complete answer as truncated', 'stop', 'succeeded'],
    ['does not accept a filtered answer', 'content_filter', 'CONTENT_FILTERED'],
  ])('%s [ASST-14]', async (_, reason, outcome) => {
    expect(await read([HELLO, finish(reason), DONE], { acceptTruncated: true })).toEqual({ text: 'Hello', outcome })
  })
})

describe('activities and usage', () => {
  const call = (piece: object) => frame(chunk({ tool_calls: [piece] }))

  it.each(['reasoning_content', 'reasoning'])(
    'include the reasoning in %s, which is complete when the answer begins',
    async (name) => {
      const think = (text: string) => frame(chunk({ [name]: text, content: '' }))
      const { text, activities } = await readWhole([
        think('One'),
        think(' two'),
        HELLO,
        think('Three'),
        say('!'),
        STOP,
        DONE,
      ])
      expect(text).toBe('Hello!')
      const complete = { kind: 'reasoning', name: 'reasoning', state: 'succeeded' }
      expect(foldActivities(activities)).toEqual([
        { ...complete, activity_id: 'reasoning', text: 'One two' },
        { ...complete, activity_id: 'reasoning_2', text: 'Three' },
      ])
    },
  )

  it('include only the beginning of very long reasoning', async () => {
    const think = (count: number) => frame(chunk({ reasoning_content: 'x'.repeat(count) }))
    const { activities, end } = await readWhole([think(10_000), think(10_000), think(10_000), HELLO, STOP, DONE])
    expect(end.state).toBe('succeeded')
    expect(foldActivities(activities)[0]?.text).toHaveLength(16_000)
  })

  it('include tool calls of the model, which are not executed', async () => {
    const { activities, end } = await readWhole([
      call({ index: 0, id: 'call_a', function: { name: 'find_order', arguments: '{"or' } }),
      call({ index: 1, id: 'call_b', function: { name: 'refund', arguments: 'all of it' } }),
      call({ index: 0, function: { arguments: 'der":7}' } }),
      finish('tool_calls'),
      DONE,
    ])
    expect(end).toMatchObject({ state: 'failed', error: { code: 'TOOL_CALLS_UNSUPPORTED' } })
    expect(activities).toEqual([
      { activity_id: 'call_a', kind: 'tool', name: 'find_order', state: 'failed', input: { order: 7 } },
      { activity_id: 'call_b', kind: 'tool', name: 'refund', state: 'failed', input: 'all of it' },
    ])
  })

  it("include the usage, with the server's model name, even of a failed answer", async () => {
    const counts = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 }
    const used = frame({ choices: [], model: 'small-1-2026', usage: counts })
    const usage = { input_tokens: 8, output_tokens: 2, total_tokens: 10, model: 'small-1-2026' }
    expect((await readWhole([HELLO, STOP, used, DONE])).end).toEqual({ state: 'succeeded', usage })
    expect((await readWhole([HELLO, finish('length'), used, DONE])).end).toMatchObject({ state: 'failed', usage })
    const odd = frame({ choices: [], usage: { prompt_tokens: -1, completion_tokens: 'two' } })
    expect((await readWhole([HELLO, STOP, odd, DONE])).end).toEqual({ state: 'succeeded', usage: {} })
  })
})
