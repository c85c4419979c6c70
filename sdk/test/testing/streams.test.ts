import { describe, expect, it } from 'vitest'
import { withTestGateway } from './support/client.ts'

const { gateway, call, stream, create, send } = withTestGateway()

const openConversation = (conversation_id: string, after?: number, lastEventId?: string) =>
  stream('streamConversationEvents', {
    ids: { conversation_id },
    query: after === undefined ? {} : { after: String(after) },
    headers: { 'last-event-id': lastEventId ?? null },
  })

describe('the event stream of a conversation', () => {
  it('opens with `retry: 1000` and has every event from the first', async () => {
    const conversation_id = await create()
    await send(conversation_id)
    const opened = await openConversation(conversation_id)
    expect(opened.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await opened.frame()).toBe('retry: 1000')
    for (let seq = 1; seq <= 6; seq++) expect((await opened.event()).seq).toBe(seq)
    await opened.close()
  })

  it('delivers events as they happen', async () => {
    const conversation_id = await create()
    const opened = await openConversation(conversation_id)
    await opened.frame()
    gateway.hold()
    const { run_id } = (await send(conversation_id)).json
    expect((await opened.event()).type).toBe('run.updated')
    const next = opened.event()
    gateway.step(run_id)
    expect((await next).type).toBe('run.started')
    gateway.step(run_id)
    expect((await opened.event()).type).toBe('assistant.delta')
    await opened.close()
  })

  it('resumes after a position, and the header has priority over the query', async () => {
    const conversation_id = await create()
    await send(conversation_id)
    for (const [after, header, first] of [
      [4, undefined, 5],
      [undefined, '2', 3],
      [5, '1', 2],
    ] as const) {
      const opened = await openConversation(conversation_id, after, header)
      expect((await opened.event()).seq).toBe(first)
      await opened.close()
    }
  })

  it('refuses positions that are expired, were never issued, or are invalid', async () => {
    const conversation_id = await create()
    await send(conversation_id)
    gateway.pruneEvents(conversation_id, 3)
    const ids = { conversation_id }
    const at = (after: string) => call('streamConversationEvents', { ids, query: { after } })
    for (const after of ['2', '7', '99999999999999999999'])
      expect([(await at(after)).status, (await at(after)).json.code]).toEqual([410, 'CURSOR_EXPIRED'])
    for (const after of ['-1', 'x', '1.5']) expect((await at(after)).json.errors[0].pointer).toBe('after')
    const malformed = await call('streamConversationEvents', { ids, headers: { 'last-event-id': 'evt_1' } })
    expect(malformed.json.errors[0].pointer).toBe('Last-Event-ID')
    const opened = await openConversation(conversation_id)
    expect((await opened.event()).seq).toBe(4)
    await opened.close()
  })

  it('accepts the watermark of a snapshot as a position, even after pruning', async () => {
    const conversation_id = await create()
    await send(conversation_id)
    gateway.pruneEvents(conversation_id)
    const { watermark } = (await call('getConversation', { ids: { conversation_id } })).json
    const opened = await openConversation(conversation_id, watermark)
    await send(conversation_id)
    expect((await opened.event()).seq).toBe(watermark + 1)
    await opened.close()
  })

  it('is refused if the Accept header excludes event streams', async () => {
    const ids = { conversation_id: await create() }
    for (const accept of ['application/json', 'text/event-stream;q=0'])
      expect((await call('streamConversationEvents', { ids, headers: { accept } })).json.code).toBe('NOT_ACCEPTABLE')
    for (const accept of ['text/event-stream', 'text/html, text/*;q=0.1', '*/*'])
      await (await stream('streamConversationEvents', { ids, headers: { accept } })).close()
  })

  it('contains the pings that the test sends', async () => {
    const opened = await openConversation(await create())
    expect(await opened.frame()).toBe('retry: 1000')
    const next = opened.frame()
    gateway.ping()
    expect(await next).toBe(': ping')
    await opened.close()
  })

  it('ends when the test ends it, after the events so far, and can be resumed', async () => {
    const conversation_id = await create()
    await send(conversation_id)
    const opened = await openConversation(conversation_id, 4)
    gateway.endStreams()
    expect((await opened.rest()).map(({ seq }) => seq)).toEqual([5, 6])
    const resumed = await openConversation(conversation_id, 6)
    await send(conversation_id)
    expect((await resumed.event()).seq).toBe(7)
    await resumed.close()
  })

  it('stops nothing when it is closed', async () => {
    const conversation_id = await create()
    gateway.reply([{ hang: true }])
    const { run_id } = (await send(conversation_id)).json
    await (await openConversation(conversation_id)).close()
    expect((await call('getRun', { ids: { run_id } })).json.state).toBe('running')
  })

  it('ends when the gateway is reset', async () => {
    const opened = await openConversation(await create())
    gateway.reset()
    expect(await opened.rest()).toEqual([])
  })

  it('is closed by aborting the request', async () => {
    const conversation_id = await create()
    const abort = new AbortController()
    const opened = await stream('streamConversationEvents', { ids: { conversation_id }, signal: abort.signal })
    await opened.frame()
    const next = opened.frame()
    abort.abort()
    await expect(next).rejects.toThrow()
  })
})

describe('the event stream of a run', () => {
  it('has only that run’s events, under the conversation’s seq, and ends after the terminal one', async () => {
    const conversation_id = await create()
    await send(conversation_id, 'one')
    const { run_id } = (await send(conversation_id, 'two')).json
    const opened = await stream('streamRunEvents', { ids: { run_id } })
    const events = await opened.rest()
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [6, 'run.updated'],
      [7, 'run.started'],
      [8, 'assistant.delta'],
      [9, 'assistant.message'],
      [10, 'run.completed'],
    ])
  })

  it('ends at once when the terminal event is behind its position', async () => {
    const { run_id } = (await send(await create())).json
    const opened = await stream('streamRunEvents', { ids: { run_id }, query: { after: '6' } })
    expect(await opened.rest()).toEqual([])
  })

  it('ends when the run ends', async () => {
    gateway.reply([{ hang: true }])
    const { run_id, event_cursor } = (await send(await create())).json
    const opened = await stream('streamRunEvents', { ids: { run_id }, query: { after: String(event_cursor) } })
    expect((await opened.event()).type).toBe('run.started')
    gateway.finish(run_id, { interrupt: true })
    expect((await opened.rest()).map(({ type }) => type)).toEqual(['run.interrupted'])
  })
})
