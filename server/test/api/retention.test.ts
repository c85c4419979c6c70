import { expect, test } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Client } from '../support/client.ts'
import { ended, eventually } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const DAY_MS = 24 * 3_600_000

onGateways('what is retained', (running) => {
  /** Lets time pass, and what the maintenance role would remove then be removed. */
  const pass = async (ms: number): Promise<void> => {
    running.clock.pass(ms)
    for (const sweep of createSweeps(running.gateway.context)) await sweep.run(new AbortController().signal)
  }
  /** A message and its answer, once the device is heard of at this time. */
  const talk = async (client: Client, id: string, text: string): Promise<string> => {
    const { body } = await eventually(
      () => client.send(id, { text }),
      ({ status }) => status === 202,
    )
    await ended(client, body.run_id)
    return body.run_id
  }

  test('events for 7 days: then a position before them is expired, and that of a snapshot is good [RET-01, RET-04, RET-05, SSE-11, SSE-22]', async () => {
    const client = running.client({ subject: 'events' })
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: 'ep_echo' })).body
    await talk(client, id, 'old')
    await pass(7 * DAY_MS)
    const whole = await client.events(id)
    await whole.until((events) => events.some(({ type }) => type === 'run.completed'))
    whole.close()
    expect(whole.events[0]?.seq).toBe(1)

    await talk(client, id, 'young')
    await pass(1)
    const { watermark } = (await client.snapshot(id)).body
    const last = watermark - whole.events.length
    for (const after of [0, last - 1]) {
      const path = `/api/v1/conversations/${id}/events?after=${after}`
      expect(await client.request('GET', path)).toMatchObject({ status: 410, body: { code: 'CURSOR_EXPIRED' } })
    }
    const rest = await client.events(id)
    await rest.until((events) => events.some(({ type }) => type === 'run.completed'))
    rest.close()
    expect(rest.events.map(({ seq }) => seq)).toEqual(whole.events.map(({ seq }) => seq + last))

    await pass(7 * DAY_MS)
    const resumed = await client.events(id, { after: watermark })
    expect(resumed.status).toBe(200)
    resumed.close()
  })

  test('messages and results for 30 days after the end of their run [RET-02, RET-06]', async () => {
    const client = running.client({ subject: 'bodies' })
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: 'ep_echo' })).body
    const runId = await talk(client, id, 'for a month')
    await pass(30 * DAY_MS - 1)
    expect((await client.history(id)).body.messages.map(({ content }) => content.text)).toEqual([
      'for a month',
      'for a month',
    ])
    expect((await client.run(runId)).body.result).toEqual({ text: 'for a month' })
    await pass(2)
    expect((await client.history(id)).body.messages).toEqual([])
    expect((await client.run(runId)).body).toMatchObject({ state: 'succeeded', result: null })
    expect((await client.snapshot(id)).body).toMatchObject({
      messages: [],
      runs: [{ run_id: runId, result: null, result_available: false }],
    })
  })
})
