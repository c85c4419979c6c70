import type { EventEnvelope } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { ended, eventually, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const isEnd = ({ type }: EventEnvelope): boolean => type === 'run.completed'

onGateways('event streams', (running) => {
  const begin = async (subject: string) => {
    const client = running.client({ subject })
    const { conversation_id: id } = (await client.createConversation()).body
    return { client, id }
  }

  test('are opened for whoever accepts them and refused with 406 to others [SSE-01, SSE-24, ERR-29]', async () => {
    const { client, id } = await begin('accepting')
    const { run_id } = (await client.send(id, { text: 'hello' })).body
    for (const path of [`/api/v1/conversations/${id}/events`, `/api/v1/runs/${run_id}/events`]) {
      const stream = await client.stream(path)
      expect(stream.status).toBe(200)
      expect(stream.headers.get('content-type')).toBe('text/event-stream')
      await stream.until((events) => events.some(isEnd))
      stream.close()
      for (const accept of ['application/json', 'text/event-stream;q=0, */*', 'text/html, image/*']) {
        const refused = await client.request('GET', path, { headers: { accept } })
        expect(refused).toMatchObject({ status: 406, body: { code: 'NOT_ACCEPTABLE' } })
      }
    }
  })

  test('have no HEAD [SSE-35]', async () => {
    const { client, id } = await begin('looking')
    const { run_id } = (await client.send(id, { text: 'hello' })).body
    for (const path of [`/api/v1/conversations/${id}/events`, `/api/v1/runs/${run_id}/events`]) {
      const { status, headers } = await client.request('HEAD', path)
      expect([status, headers.get('allow')]).toEqual([405, 'GET'])
    }
  })

  test('can be closed at any time without an effect on what executes [SSE-18]', async () => {
    const { client, id } = await begin('leaving')
    const { run_id } = (await client.send(id, script({ delta: 'a' }, { approval: 'Go on?' }, { delta: 'b' }))).body
    const streams = [await client.events(id), await client.runEvents(run_id)]
    for (const stream of streams) {
      await stream.until((events) => events.some(({ type }) => type === 'approval.required'))
      stream.close()
    }
    // The gateway has noticed as soon as their places are free.
    await eventually(
      () => client.request('GET', '/metrics'),
      ({ body }) => /^gateway_open_streams 0$/m.test(String(body)),
    )
    expect((await client.run(run_id)).body.state).toBe('waiting_approval')
    const pending = await running.operator.request<{ approvals: { approval_id: string; run_id: string }[] }>(
      'GET',
      '/admin/v1/approvals?state=pending',
    )
    const approval = pending.body.approvals.find((each) => each.run_id === run_id)
    await running.operator.post(`/admin/v1/approvals/${approval?.approval_id}/decision`, { decision: 'approve' })
    expect(await ended(client, run_id)).toMatchObject({ state: 'succeeded', result: { text: 'ab' } })
  })

  test('give a reader who is cut off after every event each event once, in order [SSE-36, SSE-03]', async () => {
    const { client, id } = await begin('reconnecting')
    const steps = Array.from({ length: 8 }, (_, index) => [{ delta: `${index} ` }, { sleep_ms: 10 }]).flat()
    await client.send(id, script(...steps))
    const seen: EventEnvelope[] = []
    while (!seen.some(isEnd)) {
      const position = seen.at(-1)?.seq
      const stream = await eventually(
        () => client.events(id, position === undefined ? {} : { lastEventId: position }),
        ({ status }) => status !== 429,
      )
      const [next] = await stream.until((events) => events.length > 0)
      stream.close()
      if (next !== undefined) seen.push(next)
    }
    const whole = await client.events(id)
    expect(seen).toEqual(await whole.until((events) => events.some(isEnd)))
    whole.close()
    expect(seen.filter(({ type }) => type === 'assistant.delta')).toHaveLength(8)
  })

  test('begin right after every position that there is, by header and by query [SSE-04, SSE-06, SSE-36]', async () => {
    const { client, id } = await begin('resuming')
    const { run_id } = (await client.send(id, { text: 'one two three' })).body
    await ended(client, run_id)
    const whole = await client.events(id)
    const events = [...(await whole.until((all) => all.some(isEnd)))]
    whole.close()
    for (let position = 0; position < events.length; position += 1) {
      for (const options of [{ after: position }, { lastEventId: position }]) {
        const stream = await eventually(
          () => client.events(id, options),
          ({ status }) => status !== 429,
        )
        expect(await stream.until((rest) => rest.some(isEnd))).toEqual(events.slice(position))
        stream.close()
      }
    }
  })
})
