import { describe, expect, it } from 'vitest'
import { withTestGateway } from './support/client.ts'

const { gateway, call, stream, create, send } = withTestGateway()

const openConversation = (conversation_id: string, after = 0) =>
  stream('streamConversationEvents', { ids: { conversation_id }, query: { after: String(after) } })

describe('the event stream of a conversation', () => {
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

  it('does not stop the run when it is closed', async () => {
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

it('the event stream of a run ends when the run ends, and at once after its last event', async () => {
  gateway.reply([{ hang: true }])
  const { run_id, event_cursor } = (await send(await create())).json
  const open = (after: number) => stream('streamRunEvents', { ids: { run_id }, query: { after: String(after) } })
  const opened = await open(event_cursor)
  expect((await opened.event()).type).toBe('run.started')
  gateway.finish(run_id, { interrupt: true })
  const [last, ...others] = await opened.rest()
  expect([last?.type, others]).toEqual(['run.interrupted', []])
  expect(await (await open(last?.seq ?? 0)).rest()).toEqual([])
})
