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
