import { describe, expect, it } from 'vitest'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { createAnsweringFetch, json, problem, type Reply, raw } from '../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import { createClient } from './create-client.ts'

const ADMISSION = {
  conversation_id: 'conv_1',
  run_id: 'run_1',
  message_id: 'msg_1',
  generation: 1,
  state: 'queued',
  event_cursor: 4,
}

const delta = (seq: number, message_id: string, text: string) => ({
  seq,
  type: 'assistant.delta',
  message_id,
  payload: { text },
})
const whole = (seq: number, message_id: string, text: string) => ({
  seq,
  type: 'assistant.message',
  message_id,
  payload: { message: { message_id, content: { text } } },
})
const some = (seq: number, type: string) => ({ seq, type, run_id: 'run_1', payload: {} })

const frames = (events: readonly { seq: number; type: string }[]): Reply =>
  raw(
    200,
    events.map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    { 'content-type': 'text/event-stream' },
  )

/** A gateway whose run ends in the state, after the events. */
const connect = (
  events: readonly { seq: number; type: string }[],
  state = 'succeeded',
  admit: Reply = json(202, ADMISSION),
) => {
  const { fetch, requests } = createAnsweringFetch((request) => {
    if (request.method === 'POST') return admit(request)
    return request.url.endsWith('/events') ? frames(events)(request) : json(200, { run_id: 'run_1', state })(request)
  })
  const timing = createManualTiming()
  const client = createClient({ baseUrl: ORIGIN, apiKey: 'gk_1', subject: 'customer-1', fetch, timing })
  return { client, timing, requests }
}

const CONVERSATION = { conversation_id: 'conv_1', generation: 1 }

const collect = async (texts: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = []
  for await (const text of texts) all.push(text)
  return all
}

describe('asking', () => {
  it('gives the pieces of a streamed reply, and not the whole of it once more [EVT-13]', async () => {
    const { client } = connect([
      delta(5, 'msg_2', 'Hel'),
      delta(6, 'msg_2', 'lo'),
      whole(7, 'msg_2', 'Hello'),
      some(8, 'run.completed'),
    ])
    expect(await collect(client.ask(CONVERSATION, 'Hi'))).toEqual(['Hel', 'lo'])
  })

  it('gives a reply that comes whole as one piece, and each message for itself [EVT-12]', async () => {
    const { client } = connect([
      whole(5, 'msg_2', 'One.'),
      delta(6, 'msg_3', 'Two.'),
      whole(7, 'msg_3', 'Two.'),
      whole(8, 'msg_4', ''),
      some(9, 'run.completed'),
    ])
    expect(await collect(client.ask(CONVERSATION, 'Hi'))).toEqual(['One.', 'Two.'])
  })

  it('passes over events that it does not know [EVT-27]', async () => {
    const { client } = connect([some(5, 'run.annotated'), whole(6, 'msg_2', 'Hello'), some(7, 'run.completed')])
    expect(await collect(client.ask(CONVERSATION, 'Hi'))).toEqual(['Hello'])
  })

  it('sends a message to a conversation in the generation that the caller knows', async () => {
    const { client, requests } = connect([some(5, 'run.completed')])
    const reply = client.ask(CONVERSATION, { data: { order: 1 } }, { idempotencyKey: 'mine' })
    expect(await reply.admission).toEqual(ADMISSION)
    expect(requests[0]?.url).toBe(`${ORIGIN}/api/v1/conversations/conv_1/messages`)
    expect(await requests[0]?.text()).toBe('{"expected_generation":1,"input":{"data":{"order":1}}}')
    expect(requests[0]?.headers.get('idempotency-key')).toBe('mine')
  })

  it('makes a direct run of a service, with the caller’s conversation key if there is one', async () => {
    const { client, requests } = connect([some(5, 'run.completed')])
    await client.ask({ endpoint_id: 'ep_1' }, 'Hi').admission
    await client.ask({ endpoint_id: 'ep_1', conversation_key: 'order-1' }, 'Hi').admission
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill(`${ORIGIN}/api/v1/agent-endpoints/ep_1/runs`))
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual([
      '{"input":{"text":"Hi"}}',
      '{"input":{"text":"Hi"},"conversation_key":"order-1"}',
    ])
  })

  it('sends once, however often the reply is looked at, and follows from the admission on [SSE-13]', async () => {
    const { client, requests } = connect([whole(5, 'msg_2', 'Hello'), some(6, 'run.completed')])
    const reply = client.ask(CONVERSATION, 'Hi')
    expect([await collect(reply), await collect(reply)]).toEqual([['Hello'], ['Hello']])
    expect(await reply.run()).toMatchObject({ state: 'succeeded' })
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(requests[1]?.headers.get('last-event-id')).toBe('4')
  })

  it('takes the admission for no more than that, and the result from the run itself [GEN-11, ERR-17, IDEM-10, SNAP-13]', async () => {
    const replayed = json(202, ADMISSION, { 'idempotency-replayed': 'true' })
    const { client, requests } = connect([some(5, 'run.completed')], 'succeeded', replayed)
    const reply = client.ask(CONVERSATION, 'Hi')
    expect(await reply.admission).toMatchObject({ state: 'queued' })
    expect(await reply.run()).toMatchObject({ state: 'succeeded' })
    expect(requests.at(-1)).toMatchObject({ method: 'GET', url: `${ORIGIN}/api/v1/runs/run_1` })
  })

  it('left in the middle closes the connection and cancels nothing', async () => {
    const { client, requests } = connect([delta(5, 'msg_2', 'Hel'), delta(6, 'msg_2', 'lo'), some(7, 'run.completed')])
    for await (const text of client.ask(CONVERSATION, 'Hi')) {
      expect(text).toBe('Hel')
      break
    }
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(requests[1]?.signal.aborted).toBe(true)
  })

  it.each([
    ['run.failed', 'failed'],
    ['run.cancelled', 'cancelled'],
    ['run.interrupted', 'interrupted'],
    ['run.expired', 'expired'],
  ])(
    'that ends with %s ends the text, and the run says %s: a result, not an exception [RUN-25]',
    async (type, state) => {
      const { client } = connect([delta(5, 'msg_2', 'Hel'), some(6, type)], state)
      const reply = client.ask(CONVERSATION, 'Hi')
      expect(await collect(reply)).toEqual(['Hel'])
      expect(await reply.run()).toMatchObject({ state })
    },
  )

  it('that is refused rejects wherever it is looked at', async () => {
    const { client } = connect([], 'queued', problem('GENERATION_CONFLICT'))
    const reply = client.ask(CONVERSATION, 'Hi')
    await expect(collect(reply)).rejects.toMatchObject({ code: 'GENERATION_CONFLICT' })
    await expect(reply.run()).rejects.toMatchObject({ code: 'GENERATION_CONFLICT' })
    expect(await reply.admission.outcome()).toMatchObject({ kind: 'refused' })
  })

  it('ends with the caller’s signal', async () => {
    const { client } = connect([delta(5, 'msg_2', 'Hel')])
    const caller = new AbortController()
    const texts = client.ask(CONVERSATION, 'Hi', { signal: caller.signal })
    const read = async () => {
      for await (const _ of texts) caller.abort(new Error('left'))
    }
    await expect(read()).rejects.toThrow('left')
  })
})
