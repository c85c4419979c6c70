import type { ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { completed, ended, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('a backend with one key', (running) => {
  test('goes through all of the API: sends, follows, reads, cancels, resets, runs directly [SCOPE-01, SCOPE-02, GEN-09, GEN-10]', async () => {
    const client = running.client()
    const created = await client.createConversation({ endpoint_id: 'ep_script', conversation_key: 'order-1' })
    expect(created).toMatchObject({ status: 201, body: { generation: 1, state: 'active' } })
    const { conversation_id: id } = created.body

    const stream = await client.events(id, { after: (await client.snapshot(id)).body.watermark })
    const sent = await client.send(id, script({ delta: 'Hello ' }, { delta: 'world' }))
    expect(sent).toMatchObject({
      status: 202,
      body: { conversation_id: id, generation: 1, state: 'queued', event_cursor: 1 },
    })
    // An admission is no reply: the outcome is read from the events, the run, the snapshot and the history.
    expect(JSON.stringify(sent.body)).not.toContain('Hello')
    const { run_id } = sent.body
    const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
    expect(events.at(-1)).toMatchObject({ run_id, payload: { state: 'succeeded', result: { text: 'Hello world' } } })
    expect((await client.run(run_id)).body).toMatchObject({ state: 'succeeded', result: { text: 'Hello world' } })
    expect((await client.history(id)).body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: { text: 'Hello world' } },
    ])
    const own = await client.runEvents(run_id)
    expect(await own.until((seen) => seen.length === events.length)).toEqual(events)
    own.close()

    const hanging = await client.send(id, script({ hang: true }))
    const cancelled = await client.cancel(hanging.body.run_id)
    expect(cancelled.status).toBe(202)
    expect((await completed(client, cancelled.body.operation_id)).state).toBe('succeeded')
    expect((await ended(client, hanging.body.run_id)).state).toBe('cancelled')

    const reset = await client.reset(id, 1)
    expect(reset.status).toBe(202)
    expect(await completed(client, reset.body.operation_id)).toMatchObject({
      state: 'succeeded',
      ref: { generation: 2 },
    })
    await stream.until((seen) => seen.some(({ type }) => type === 'conversation.reset'))
    stream.close()

    const direct = await client.post<{ conversation_id: string; generation: number; run_id: string }>(
      '/api/v1/agent-endpoints/ep_script/runs',
      { conversation_key: 'order-1', expected_generation: 2, input: { text: 'and again' } },
    )
    expect(direct).toMatchObject({ status: 202, body: { conversation_id: id, generation: 2 } })
    expect(await ended(client, direct.body.run_id)).toMatchObject({ state: 'succeeded', result: { text: 'and again' } })
    const listed = await client.request<ConversationList>('GET', '/api/v1/conversations?endpoint_id=ep_script')
    expect(listed.body.conversations).toMatchObject([{ conversation_id: id, generation: 2, business_key: 'order-1' }])
  })
})
