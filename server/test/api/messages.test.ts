import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Answer, Client } from '../support/client.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const MINUTE_MS = 60_000

onGateways(
  'sending a message',
  (running) => {
    const device = playDevice(running)
    const begin = async (endpointId = 'ep_script') => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id }
    }
    const post = (client: Client, id: string, body: unknown) =>
      client.post<Admission>(`/api/v1/conversations/${id}/messages`, body)
    const message = { expected_generation: 1, input: { text: 'hello' } }
    const problem = (status: number, code: string) => ({ status, body: { code } })
    /** Held against what the conversation showed before the refusal. */
    const refusedWithoutEffect = async (client: Client, id: string, send: () => Promise<Answer>, expected: object) => {
      const before = (await client.snapshot(id)).body
      const answer = await send()
      expect(answer).toMatchObject(expected)
      expect((await client.snapshot(id)).body).toEqual(before)
      return answer
    }
    const waits = {
      headers: expect.toSatisfy((headers: Headers) => /^[1-9]\d*$/.test(headers.get('retry-after') ?? '')),
    }

    test('answers 202 with the admission, queued, at the event sequence of that moment [MSG-01, MSG-26, MSG-27, MSG-28, MSG-05]', async () => {
      const { client, id } = await begin()
      for (const eventCursor of [1, 2]) {
        const { status, body } = await client.send(id, { text: 'hello' })
        expect(status).toBe(202)
        expect(body).toEqual({
          conversation_id: id,
          generation: 1,
          message_id: expect.stringMatching(/^msg_/),
          run_id: expect.stringMatching(/^run_/),
          state: 'queued',
          event_cursor: eventCursor,
        })
        expect((await client.snapshot(id)).body.watermark).toBe(eventCursor)
      }
      await device.takeAll()
      const stream = await client.events(id, { after: 2 })
      const [next] = await stream.until(({ length }) => length === 1)
      stream.close()
      expect(next).toMatchObject({ seq: 3, type: 'run.started' })
    })

    test('refuses what is unknown, missing or of the wrong kind, and admits nothing of it [MSG-02, MSG-03, MSG-04, MSG-06, MSG-07, MSG-10, MSG-18, MSG-29, MSG-30]', async () => {
      const { client, id } = await begin()
      const { expected_generation, input } = message
      const unknown = [
        ...['model', 'working_directory', 'tool_permissions', 'busy_policy', 'x'].map((name) => ({
          ...message,
          [name]: 'reject',
        })),
        { expected_generation, input: { ...input, model: 'x' } },
      ]
      const invalid = [
        { input },
        ...['1', 1.5, 0, -1, null, true].map((given) => ({ expected_generation: given, input })),
        { expected_generation },
        ...[null, 'hello', 7, ['hello'], {}].map((given) => ({ expected_generation, input: given })),
        ...[{ text: '' }, { data: {} }, { resource_ids: [] }, { text: '', data: {}, resource_ids: [] }].map(
          (empty) => ({
            expected_generation,
            input: empty,
          }),
        ),
        ...[[], 'x', 7, true, null].map((data) => ({ expected_generation, input: { text: 'x', data } })),
      ]
      const before = (await client.snapshot(id)).body
      for (const body of unknown) expect(await post(client, id, body)).toMatchObject(problem(400, 'UNKNOWN_FIELD'))
      for (const body of invalid) expect(await post(client, id, body)).toMatchObject(problem(400, 'INVALID_REQUEST'))
      expect((await client.snapshot(id)).body).toEqual(before)
      for (const given of [{ text: 'x' }, { data: { a: null } }, { text: '', data: { a: 0 } }])
        expect((await client.send(id, given)).status).toBe(202)
    })

    test('takes 64 KiB of text, counted in bytes of UTF-8 [MSG-08, MSG-31, LIMIT-03]', async () => {
      const { client, id } = await begin()
      for (const text of ['x'.repeat(65_536), 'é'.repeat(32_768)])
        expect((await client.send(id, { text })).status).toBe(202)
      for (const text of ['x'.repeat(65_537), 'é'.repeat(32_769)])
        expect(await client.send(id, { text })).toMatchObject(problem(400, 'INVALID_REQUEST'))
    })

    test('takes a request of 1 MiB, and of no byte more [MSG-19, LIMIT-01]', async () => {
      const { client, id } = await begin()
      const sized = (bytes: number) => {
        const body = (filling: string) => JSON.stringify({ expected_generation: 1, input: { data: { filling } } })
        return body('x'.repeat(bytes - body('').length))
      }
      const send = (rawBody: string, idempotencyKey: string) =>
        client.request('POST', `/api/v1/conversations/${id}/messages`, { rawBody, idempotencyKey })
      expect((await send(sized(1_048_576), 'whole')).status).toBe(202)
      await refusedWithoutEffect(client, id, () => send(sized(1_048_577), 'more'), problem(413, 'PAYLOAD_TOO_LARGE'))
    })

    test('takes a list of at most 5 different attachments [MSG-11, LIMIT-04]', async () => {
      const { client, id } = await begin()
      const pointers = async (resourceIds: unknown) => {
        const { status, body } = await client.post<{ errors: { pointer: string }[] }>(
          `/api/v1/conversations/${id}/messages`,
          { expected_generation: 1, input: { text: 'x', resource_ids: resourceIds } },
        )
        expect(status).toBe(400)
        return body.errors.map(({ pointer }) => pointer)
      }
      const five = [1, 2, 3, 4, 5].map((n) => `res_${n}`)
      expect(await pointers([...five, 'res_6'])).toEqual(['/input/resource_ids'])
      expect(await pointers(['res_1', 'res_2', 'res_1'])).toEqual(['/input/resource_ids/2'])
      for (const given of ['res_1', { 0: 'res_1' }, null])
        expect(await pointers(given)).toEqual(['/input/resource_ids'])
      // Five are a list as it should be: what is wrong is that each of them does not exist.
      expect(await pointers(five)).toEqual(five.map((_, index) => `/input/resource_ids/${index}`))
    })

    test('treats an omitted text like an empty one [MSG-09]', async () => {
      const { client, id } = await begin()
      for (const input of [{ data: { a: 1 } }, { text: '', data: { a: 1 } }]) {
        const { run_id: runId, message_id: messageId } = (await client.send(id, input)).body
        const run = await device.take(runId)
        expect([run.text ?? '', run.data]).toEqual(['', '{"a":1}'])
        const { messages } = (await client.history(id)).body
        expect(messages.find(({ message_id }) => message_id === messageId)?.content.text ?? '').toBe('')
        await device.report(run, { state: 'succeeded' })
      }
    })

    test('refuses lone surrogates and NUL in any string [MSG-32]', async () => {
      const { client, id } = await begin()
      const send = (input: string) =>
        client.request('POST', `/api/v1/conversations/${id}/messages`, {
          rawBody: `{"expected_generation":1,"input":${input}}`,
          idempotencyKey: 'odd-text',
        })
      for (const text of ['\\ud800', '\\udc00x', '\\u0000'])
        for (const input of [
          `{"text":"${text}"}`,
          `{"data":{"a":["${text}"]}}`,
          `{"data":{"${text}":1}}`,
          `{"resource_ids":["${text}"]}`,
        ])
          expect(await send(input)).toMatchObject(problem(400, 'INVALID_REQUEST'))
      const keyed = await client.request('POST', '/api/v1/conversations', {
        rawBody: '{"endpoint_id":"ep_script","conversation_key":"\\ud800"}',
        idempotencyKey: 'odd-key',
      })
      expect(keyed).toMatchObject(problem(400, 'INVALID_REQUEST'))
      expect(await send('{"text":"\\ud83d\\ude00"}')).toMatchObject({ status: 202 })
    })

    test('keeps data as it was sent: history, snapshot, worker and replay show its members in their order', async () => {
      const { client, id } = await begin()
      const data = '{ "10": 1.0, "b": {"2":"\\u0041","1":[1e2]}, "9": null, "a": "é" }'
      const rawBody = `{"expected_generation":1,"input":{"data":${data}}}`
      const send = (body: string) =>
        client.request<Admission>('POST', `/api/v1/conversations/${id}/messages`, {
          rawBody: body,
          idempotencyKey: 'order',
        })
      const { body } = await send(rawBody)
      for (const path of [`/api/v1/conversations/${id}/messages`, `/api/v1/conversations/${id}`]) {
        const answer = await fetch(`${running.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${KEYS.all}`, 'x-service-subject': 'subject-1' },
        })
        expect(await answer.text()).toContain(`"content":{"data":${data}}`)
      }
      expect((await device.take(body.run_id)).data).toBe(data)
      // The same content in another order is the same intention.
      const reordered =
        '{"expected_generation":1,"input":{"data":{"a":"\\u00e9","9":null,"b":{"1":[100],"2":"A"},"10":1}}}'
      expect((await send(reordered)).body).toEqual(body)
      expect(await send(rawBody.replace('1e2', '1e3'))).toMatchObject(problem(409, 'IDEMPOTENCY_CONFLICT'))
    })

    test('takes a start_before with a timezone, later than now and within 5 minutes [MSG-14, MSG-15, MSG-16, LIMIT-09]', async () => {
      const { client, id } = await begin()
      const now = running.clock.now().getTime()
      const utc = (ms: number) => new Date(now + ms).toISOString()
      const send = (startBefore: string) => post(client, id, { ...message, start_before: startBefore })
      const east = utc(MINUTE_MS + 2 * 60 * MINUTE_MS).replace('Z', '+02:00')
      for (const given of [utc(1), utc(5 * MINUTE_MS), east]) expect((await send(given)).status).toBe(202)
      const faulty = { status: 400, body: { code: 'INVALID_REQUEST', errors: [{ pointer: '/start_before' }] } }
      for (const given of [
        utc(MINUTE_MS).replace('Z', ''),
        ...['+0200', '+02', '+2:00', '+02:0', '+02:00:00', '02:00'].map((offset) => east.replace('+02:00', offset)),
        utc(MINUTE_MS).slice(0, 10),
        'soon',
        utc(0),
        utc(-1),
        utc(5 * MINUTE_MS + 1),
      ])
        await refusedWithoutEffect(client, id, () => send(given), faulty)
    })

    test('without start_before waits for its start for 5 minutes [MSG-17]', async () => {
      const { client, id } = await begin()
      const { run_id: runId } = (await client.send(id, { text: 'x' })).body
      await running.passTime(5 * MINUTE_MS - 1)
      expect((await client.run(runId)).body.state).toBe('queued')
      await running.passTime(1)
      expect((await client.run(runId)).body.state).toBe('expired')
    })

    test('is 409 GENERATION_CONFLICT under any generation but the current one [MSG-05, MSG-20]', async () => {
      const { client, id } = await begin()
      const conflict = problem(409, 'GENERATION_CONFLICT')
      await refusedWithoutEffect(client, id, () => client.send(id, { text: 'x' }, 2), conflict)
      await client.reset(id, 1)
      await refusedWithoutEffect(client, id, () => client.send(id, { text: 'x' }, 1), conflict)
      expect((await client.send(id, { text: 'x' }, 2)).body.generation).toBe(2)
    })

    test('is 409 BUSY while the conversation is resetting [MSG-21, CONV-22, ERR-09]', async () => {
      const { client, id } = await begin()
      await device.take((await client.send(id, { text: 'x' })).body.run_id)
      expect((await client.reset(id, 1, 'cancel_and_reset')).body.state).toBe('stopping')
      await refusedWithoutEffect(client, id, () => client.send(id, { text: 'x' }), problem(409, 'BUSY'))
    })

    test('is 429 with Retry-After when 20 runs of the conversation are queued; one that executes does not count [MSG-22, LIMIT-11, ERR-13, ERR-14, ERR-32]', async () => {
      const { client, id } = await begin()
      await device.take((await client.send(id, { text: 'x' })).body.run_id)
      for (let queued = 0; queued < 20; queued += 1) expect((await client.send(id, { text: 'x' })).status).toBe(202)
      const expected = { ...problem(429, 'QUEUE_FULL'), ...waits }
      await refusedWithoutEffect(client, id, () => client.send(id, { text: 'x' }), expected)
    })

    test('is 429 with Retry-After at the pending limit of the application and of the device [MSG-23, LIMIT-24, ERR-13, ERR-33]', async () => {
      for (const [ofApp, ofDevice] of [
        [2, null],
        [null, 2],
      ]) {
        const { operator } = running
        const create = async (path: string, body: object) =>
          Object((await operator.request('POST', `/admin/v1/${path}`, { body })).body)
        const { device_id } = await create('devices', { pending_limit: ofDevice })
        const { app_id } = await create('apps', { owner_id: 'owner_limited', pending_limit: ofApp })
        const { endpoint_id } = await create(`apps/${app_id}/endpoints`, { device_id })
        const scopes = ['conversations:read', 'conversations:write']
        const client = running.client({ key: (await create(`apps/${app_id}/keys`, { scopes })).key })
        const id = (await client.createConversation({ endpoint_id })).body.conversation_id
        await playDevice(running, device_id).beat()
        for (let sent = 0; sent < 2; sent += 1) expect((await client.send(id, { text: 'x' })).status).toBe(202)
        const expected = { ...problem(429, 'PENDING_LIMIT'), ...waits }
        await refusedWithoutEffect(client, id, () => client.send(id, { text: 'x' }), expected)
      }
    })
  },
  WITHOUT_WORKER,
)
