import { describe, expect, it, vi } from 'vitest'
import { all } from '../../../test/support/all.ts'
import { settle } from '../../../test/support/manual-timing.ts'
import { connectTo } from '../../../test/support/scripted-client.ts'
import { createAnsweringFetch, json, partly, problem, type Reply } from '../../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../../test/support/settings.ts'
import {
  ADMISSION,
  CONVERSATION,
  connect,
  connectHanging,
  delta,
  frames,
  some,
  whole,
} from '../../../test/support/speaking-gateway.ts'

const quiet = partly(200, ': ping\n\n', 'hangs', { 'content-type': 'text/event-stream' })

describe('asking', () => {
  it('sends a message to a conversation in the generation that the caller knows', async () => {
    const { client, requests } = connect([some(5, 'run.completed')])
    const reply = client.ask(CONVERSATION, { data: { order: 1 } }, { idempotencyKey: 'mine' })
    expect(await reply.admission).toEqual(ADMISSION)
    expect(requests[0]?.url).toBe(`${ORIGIN}/api/v1/conversations/conv_1/messages`)
    expect(await requests[0]?.text()).toBe('{"expected_generation":1,"input":{"data":{"order":1}}}')
    expect(requests[0]?.headers.get('idempotency-key')).toBe('mine')
  })

  it('starts a direct run of a service, with the caller’s conversation key if given', async () => {
    const { client, requests } = connect([some(5, 'run.completed')])
    await client.ask({ endpoint_id: 'ep_1' }, 'Hi').admission
    await client.ask({ endpoint_id: 'ep_1', conversation_key: 'order-1' }, 'Hi').admission
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill(`${ORIGIN}/api/v1/agent-endpoints/ep_1/runs`))
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual([
      '{"input":{"text":"Hi"}}',
      '{"input":{"text":"Hi"},"conversation_key":"order-1"}',
    ])
  })

  it('sends once, however often the reply is read, and follows from the admission on [SSE-13]', async () => {
    const { client, requests } = connect([whole(5, 'msg_2', 'Hello'), some(6, 'run.completed')])
    const reply = client.ask(CONVERSATION, 'Hi')
    expect([await all(reply), await all(reply)]).toEqual([['Hello'], ['Hello']])
    expect(await reply.run()).toMatchObject({ state: 'succeeded' })
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(requests[1]?.headers.get('last-event-id')).toBe('4')
  })

  it.each([
    ['run.failed', 'failed'],
    ['run.cancelled', 'cancelled'],
    ['run.interrupted', 'interrupted'],
    ['run.expired', 'expired'],
  ])('rejects with the partial text when the run ends with %s, and the run is %s [RUN-25]', async (type, state) => {
    const error = type === 'run.failed' ? { error: { code: 'MODEL_AWAY', message: 'No answer.', retryable: true } } : {}
    const { client } = connect([delta(5, 'msg_2', 'Hel'), some(6, type, { state, ...error })], state)
    const reply = client.ask(CONVERSATION, 'Hi')
    const texts: string[] = []
    const read = async () => {
      for await (const text of reply) texts.push(text)
    }
    await expect(read()).rejects.toMatchObject({
      name: 'RunFailedError',
      runId: 'run_1',
      state,
      text: 'Hel',
      ...error,
    })
    expect(texts).toEqual(['Hel'])
    expect(await reply.run()).toMatchObject({ state })
    expect(await all(reply.events())).toHaveLength(2)
  })

  /** A finished run. `log` answers for its conversation's stream, `own` for its own. `watermark` is the snapshot's. */
  const connectEnded = (log: (after: string | null) => Reply, own: Reply, watermark = 9) => {
    const result = { error: { code: 'OLD', message: 'Long ago.', retryable: false } }
    const run = { run_id: 'run_1', conversation_id: 'conv_1', state: 'failed', result }
    const { fetch } = createAnsweringFetch((request) => {
      if (request.method === 'POST') return json(202, ADMISSION)(request)
      if (request.url.endsWith('/runs/run_1/events')) return own(request)
      if (request.url.endsWith('/conv_1/events')) return log(request.headers.get('last-event-id'))(request)
      return json(200, request.url.endsWith('/runs/run_1') ? run : { watermark })(request)
    })
    return connectTo(fetch)
  }
  const other = (seq: number) => ({ ...some(seq, 'run.completed'), run_id: 'run_2' })

  it.each<[string, number | null, number, (after: string | null) => Reply]>([
    ['the position is the watermark', 9, 9, () => problem('INTERNAL')],
    ['no event is retained', null, 9, () => problem('CURSOR_EXPIRED')],
    ['the log has no event of the run after the position', 5, 9, () => frames([other(7), other(9)])],
    ['the log has no event of the run', null, 9, () => frames([other(8), other(9)])],
  ])('ends with the run’s state when its last event has certainly passed: %s', async (_, after, watermark, log) => {
    const { client, timing } = connectEnded(log, quiet, watermark)
    const reading = all(client.follow('run_1', { after }))
    await expect(timing.drive(reading)).rejects.toMatchObject({ state: 'failed', error: { code: 'OLD' } })
  })

  it.each<[string, (after: string | null) => Reply]>([
    ['the log has its last event', () => frames([other(6), some(7, 'run.failed')])],
    ['the conversation may not be read', () => problem('PERMISSION_DENIED')],
  ])('rejects as incomplete when the last event does not arrive: %s', async (_, log) => {
    const { client, timing } = connectEnded(log, quiet)
    const reading = all(client.follow('run_1'))
    await expect(timing.drive(reading)).rejects.toThrow('read the run')
  })

  it('rejects in every view when it is refused', async () => {
    const { client } = connect([], 'queued', problem('GENERATION_CONFLICT'))
    const reply = client.ask(CONVERSATION, 'Hi')
    await expect(all(reply)).rejects.toMatchObject({ code: 'GENERATION_CONFLICT' })
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

describe('following', () => {
  const EVENTS = [
    delta(5, 'msg_2', 'Hel'),
    delta(6, 'msg_2', 'lo'),
    whole(7, 'msg_2', 'Hello'),
    whole(8, 'msg_3', 'Bye'),
    some(9, 'run.completed'),
  ]
  /** A gateway that supports resuming. */
  const resume = () => {
    const { fetch, requests } = createAnsweringFetch((request) => {
      if (!request.url.endsWith('/events')) return json(200, { run_id: 'run_1', state: 'succeeded' })(request)
      const after = Number(request.headers.get('last-event-id') ?? 0)
      return frames(EVENTS.filter(({ seq }) => seq > after))(request)
    })
    return { ...connectTo(fetch), requests }
  }

  it.each([
    [undefined, ['Hel', 'lo', 'Bye']],
    [null, ['Hel', 'lo', 'Bye']],
    [5, ['lo', 'Bye']],
    ['5', ['lo', 'Bye']],
    [6, ['Bye']],
    [7, ['Bye']],
    [8, []],
    ['not a seq', ['Hel', 'lo', 'Bye']],
    ['-1', ['Hel', 'lo', 'Bye']],
  ])('after %o yields the rest of the text, and no text twice [EVT-13]', async (after, texts) => {
    expect(await all(resume().client.follow('run_1', { after }))).toEqual(texts)
  })

  it('resumes where another reader stopped: every piece once', async () => {
    const { client } = resume()
    const whole = await all(client.follow('run_1').pieces())
    expect(whole.map(({ seq }) => seq)).toEqual([5, 6, 8])
    for (const [index, { seq }] of whole.entries())
      expect(await all(client.follow('run_1', { after: seq }).pieces())).toEqual(whole.slice(index + 1))
  })

  it('reports its position: past a piece when the next one is requested', async () => {
    const reply = resume().client.follow('run_1', { after: 4 })
    expect(reply.position).toBeNull()
    const positions: (number | null)[] = []
    for await (const _ of reply) positions.push(reply.position)
    expect(positions).toEqual([4, 5, 7])
  })

  it('sends headers and the request ID with every request', async () => {
    const { client, requests } = resume()
    await all(client.follow('run_1', { headers: { traceparent: '00-1' }, requestId: 'req-mine' }))
    expect(requests.length).toBeGreaterThan(1)
    for (const { headers } of requests)
      expect([headers.get('traceparent'), headers.get('x-request-id')]).toEqual(['00-1', 'req-mine'])
  })
})

describe('a reply for a browser', () => {
  const START = 'id: 4\nevent: start\ndata: {"run_id":"run_1"}\n\n'

  it('is server-sent events whose IDs are positions', async () => {
    const { client } = connect([
      delta(5, 'msg_2', 'Grö\n'),
      some(6, 'run.updated'),
      whole(7, 'msg_3', 'ße'),
      some(8, 'run.completed'),
    ])
    const response = await client.ask(CONVERSATION, 'Hi').toResponse({ headers: { 'X-Mine': '1' } })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store, no-transform',
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'x-mine': '1',
    })
    expect(await response.text()).toBe(
      `${START}id: 5\nevent: text\ndata: {"message_id":"msg_2","text":"Grö\\n"}\n\nid: 7\nevent: text\ndata: {"message_id":"msg_3","text":"ße"}\n\nid: 8\nevent: end\ndata: {"state":"succeeded"}\n\n`,
    )
  })

  it('tells the browser why the run failed, but not its result or whether a retry may help', async () => {
    const payload = {
      state: 'failed',
      error: { code: 'MODEL_AWAY', message: 'No answer.', retryable: true },
      result: { text: 'half' },
    }
    const { client } = connect([some(5, 'run.failed', payload)], 'failed')
    const text = await new Response(client.ask(CONVERSATION, 'Hi').toReadableStream()).text()
    expect(text).toBe(
      `${START}id: 5\nevent: end\ndata: {"state":"failed","error":{"code":"MODEL_AWAY","message":"No answer."}}\n\n`,
    )
  })

  it.each([
    [{}, 'no-store, no-transform', 'no'],
    [{ 'Cache-Control': 'private, max-age=0' }, 'private, max-age=0, no-transform', 'no'],
    [{ 'cache-control': 'no-cache, No-Transform', 'X-Accel-Buffering': 'yes' }, 'no-cache, No-Transform', 'yes'],
  ])(
    'keeps the headers %o, and adds headers against transforming and buffering proxies',
    async (headers, caching, buffering) => {
      const { client } = connect([some(5, 'run.completed')])
      const response = await client.ask(CONVERSATION, 'Hi').toResponse({ status: 203, headers })
      expect(response.status).toBe(203)
      expect(response.headers.get('cache-control')).toBe(caching)
      expect(response.headers.get('x-accel-buffering')).toBe(buffering)
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      await response.body?.cancel()
    },
  )

  describe('that reconnects with an expired position', () => {
    const lose = (events: Reply) => {
      const { fetch } = createAnsweringFetch((request) =>
        request.url.endsWith('/events') ? events(request) : json(200, { run_id: 'run_1', state: 'running' })(request),
      )
      return connectTo(fetch)
    }

    it('is refused with 410, so that an EventSource does not reconnect', async () => {
      const { client } = lose(problem('CURSOR_EXPIRED'))
      const answer = client.follow('run_1', { after: '999' }).toResponse()
      await expect(answer).rejects.toMatchObject({ name: 'CursorExpiredError', status: 410 })
    })

    it('ends a started stream with `end` and the code', async () => {
      const { client } = lose(problem('CURSOR_EXPIRED'))
      const text = await new Response(client.follow('run_1', { after: '999' }).toReadableStream()).text()
      expect(text).toMatch(/event: end\ndata: \{"state":null,"error":\{"code":"CURSOR_EXPIRED"/)
    })

    it('is answered as soon as the position is accepted, and also if the gateway is unavailable', async () => {
      for (const events of [quiet, problem('CAPABILITY_UNAVAILABLE')]) {
        const { client, timing } = lose(events)
        const response = await timing.drive(client.follow('run_1', { after: '5' }).toResponse())
        expect(response.status).toBe(200)
        await response.body?.cancel()
        await vi.waitFor(() => expect(timing.pending).toBe(0))
      }
    })
  })

  it('rejects if the message was refused', async () => {
    const { client } = connect([], 'queued', problem('GENERATION_CONFLICT'))
    await expect(client.ask(CONVERSATION, 'Hi').toResponse()).rejects.toMatchObject({ code: 'GENERATION_CONFLICT' })
    const body = new Response(client.ask(CONVERSATION, 'Hi').toReadableStream()).text()
    await expect(body).rejects.toMatchObject({ code: 'GENERATION_CONFLICT' })
  })

  it('is kept alive by pings while idle, and cancelling it closes the connection', async () => {
    const { client, timing, requests } = connectHanging()
    const reader = client.ask(CONVERSATION, 'Hi').toReadableStream().getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toBe(START)
    expect(await read()).toContain('data: {"message_id":"msg_2","text":"Hel"}')
    const next = read()
    await settle()
    timing.advance(5_000)
    expect(await next).toBe(': ping\n\n')
    await reader.cancel()
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    await vi.waitFor(() => expect([requests[1]?.signal.aborted, timing.pending]).toEqual([true, 0]))
  })
})
