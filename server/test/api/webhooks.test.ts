import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import type { Client } from '../support/client.ts'
import { completed, ended, script } from '../support/client.ts'
import { countRows } from '../support/row-counts.ts'
import { onGateways } from '../support/running-gateway.ts'
import type { Received } from '../support/webhook-sender.ts'
import { createIntegration, deliver, question, signatureOf } from '../support/webhook-sender.ts'

const refusalOf = ({ status, body }: Received) => [status, body.code]
const pointersOf = ({ body }: Received) => (body.errors ?? []).map(({ pointer }) => pointer)

onGateways('an incoming webhook', (running) => {
  const subject = () => running.client({ subject: 'order-system' })
  const attach = async (client: Client, contentType = 'text/plain') => {
    const declared = { filename: 'a', content_type: contentType, size: 5 }
    const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
    await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: 'hello' })
    return id
  }

  test('admits a message of its conversation, found or created by business key [HOOK-03, HOOK-04, HOOK-10, HOOK-14, HOOK-20, HOOK-28, HOOK-29, HOOK-45, HOOK-63, GEN-01]', async () => {
    const integration = await createIntegration(running)
    const first = await deliver(running, integration, question('one', 'order-1'))
    expect(first.status).toBe(202)
    expect(first.body).toEqual({
      conversation_id: expect.stringMatching(/^conv_/),
      generation: 1,
      message_id: expect.stringMatching(/^msg_/),
      run_id: expect.stringMatching(/^run_/),
      state: 'queued',
      event_cursor: 1,
    })
    const second = await deliver(running, integration, question('two', 'order-1'))
    const other = await deliver(running, integration, question('three', 'order-2'))
    expect(second.body.conversation_id).toBe(first.body.conversation_id)
    expect(other.body.conversation_id).not.toBe(first.body.conversation_id)
    expect(await ended(subject(), second.body.run_id)).toMatchObject({ state: 'succeeded', result: { text: 'two' } })
    expect(
      (await subject().snapshot(first.body.conversation_id)).body.messages.map(({ content }) => content.text),
    ).toEqual(expect.arrayContaining(['one', 'two']))
  })

  test('new creates a conversation with each event, whatever keys and IDs it carries [HOOK-09, HOOK-18, HOOK-19, HOOK-11, HOOK-12]', async () => {
    const integration = await createIntegration(running, {
      action: 'new',
      data_field: 'order',
      resource_ids_field: 'files',
      conversation_id_field: 'conversation_id',
    })
    const file = await attach(subject())
    const event = { ...question('hi', 'order-1'), files: [file], conversation_id: 'conv_1' }
    const [one, two] = [await deliver(running, integration, event), await deliver(running, integration, event)]
    expect([one.status, two.status]).toEqual([202, 202])
    expect(one.body.conversation_id).not.toBe(two.body.conversation_id)
    const { messages } = (await subject().history(one.body.conversation_id)).body
    expect(messages[0]?.content).toEqual({ text: 'hi', data: { id: 'order-1' }, resource_ids: [file] })
    const list = await subject().request<{ conversations: object[] }>(
      'GET',
      '/api/v1/conversations?endpoint_id=ep_script',
    )
    expect(
      list.body.conversations.find((each) => 'business_key' in each && each.business_key === 'conv_1'),
    ).toBeUndefined()
  })

  test('message by ID continues a conversation at its current generation and no other [HOOK-13, HOOK-21, HOOK-22, HOOK-64, HOOK-42]', async () => {
    const integration = await createIntegration(running, {
      match: 'id',
      conversation_id_field: 'conversation.id',
      generation_field: 'conversation.generation',
    })
    const { conversation_id: id } = (await subject().createConversation()).body
    const event = (conversation: object) => ({ ...question('hello'), conversation })
    const accepted = await deliver(running, integration, event({ id, generation: 1 }))
    expect(accepted).toMatchObject({ status: 202, body: { conversation_id: id, generation: 1, state: 'queued' } })
    expect(refusalOf(await deliver(running, integration, event({ id, generation: 2 })))).toEqual([
      409,
      'GENERATION_CONFLICT',
    ])
    for (const generation of ['1', 1.5, 0, null, undefined, true, [1]]) {
      const answer = await deliver(running, integration, event({ id, generation }))
      expect([generation, ...refusalOf(answer), ...pointersOf(answer)]).toEqual([
        generation,
        400,
        'INVALID_REQUEST',
        '/conversation/generation',
      ])
    }
    const foreign = (await running.client().createConversation()).body.conversation_id
    const otherService = (await subject().createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id
    for (const unknown of [foreign, otherService, `conv_${'0'.repeat(32)}`, 'x y', ''])
      expect(refusalOf(await deliver(running, integration, event({ id: unknown, generation: 1 })))).toEqual([
        404,
        'NOT_FOUND',
      ])
  })

  test('reset resets a conversation by its busy policy, and its operation can be queried [HOOK-23, HOOK-24, HOOK-65, HOOK-42]', async () => {
    const configuration = { action: 'reset', conversation_id_field: 'id', generation_field: 'generation' }
    const careful = await createIntegration(running, configuration)
    const firm = await createIntegration(running, { ...configuration, busy_policy: 'cancel_and_reset' })
    const { conversation_id: id } = (await subject().createConversation()).body
    await subject().send(id, script({ hang: true }))
    const event = { type: 'order.question', id, generation: 1 }
    expect(refusalOf(await deliver(running, careful, event))).toEqual([409, 'BUSY'])
    const accepted = await deliver(running, firm, event)
    expect(accepted).toMatchObject({
      status: 202,
      body: { operation_id: expect.stringMatching(/^op_/), ref: { conversation_id: id } },
    })
    expect(await completed(subject(), accepted.body.operation_id)).toMatchObject({
      state: 'succeeded',
      ref: { generation: 2 },
    })
    expect(refusalOf(await deliver(running, firm, event))).toEqual([409, 'GENERATION_CONFLICT'])
    const otherService = (await subject().createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id
    expect(refusalOf(await deliver(running, firm, { ...event, id: otherService }))).toEqual([404, 'NOT_FOUND'])
  })

  test('cancel reaches the runs of its service and subject and no others [HOOK-25, HOOK-65, HOOK-66]', async () => {
    const integration = await createIntegration(running, { action: 'cancel', run_id_field: 'run' })
    const start = async (client: Client, endpointId = 'ep_script') => {
      const { conversation_id: id } = (await client.createConversation({ endpoint_id: endpointId })).body
      return (await client.send(id, script({ hang: true }))).body.run_id
    }
    const run = await start(subject())
    const accepted = await deliver(running, integration, { type: 'order.question', run })
    expect(accepted).toMatchObject({ status: 202, body: { operation_id: expect.stringMatching(/^op_/) } })
    expect((await ended(subject(), run)).state).toBe('cancelled')
    const others = [await start(running.client()), await start(subject(), 'ep_second'), `run_${'0'.repeat(32)}`]
    for (const other of others)
      expect(refusalOf(await deliver(running, integration, { type: 'order.question', run: other }))).toEqual([
        404,
        'NOT_FOUND',
      ])
    expect((await running.client().run(others[0] ?? '')).body.state).toBe('running')
    await running.client().cancel(others[0] ?? '')
    await subject().cancel(others[1] ?? '')
  })

  test('acts for the subject of its configuration and for no subject in the body [HOOK-08, HOOK-27, HOOK-37]', async () => {
    const integration = await createIntegration(running, { subject: 'fixed-subject' })
    const event = {
      ...question(),
      subject: 'subject-1',
      model: 'big',
      cwd: '/',
      permissions: ['*'],
      input: { text: 'other' },
    }
    const { status, body } = await deliver(running, integration, event, {
      headers: { 'x-service-subject': 'subject-1' },
    })
    expect(status).toBe(202)
    expect((await running.client().run(body.run_id)).status).toBe(404)
    const fixed = running.client({ subject: 'fixed-subject' })
    expect((await fixed.history(body.conversation_id)).body.messages[0]?.content).toEqual({
      text: 'Where is my order?',
    })
  })

  test('has to start within five minutes [HOOK-61]', async () => {
    const integration = await createIntegration(running, { endpoint_id: 'ep_second' })
    const { body } = await deliver(running, integration, question())
    const read = {
      name: 'test_start_before',
      text: `select extract(epoch from start_before - created_at)::integer as seconds from runs where run_id = $1`,
    }
    expect(await running.gateway.context.db.query(read, [body.run_id])).toEqual([{ seconds: 300 }])
  })

  test('repeated under its webhook-id gets the original answer, and nothing happens again [HOOK-30, HOOK-54, HOOK-58, SIG-18]', async () => {
    const integration = await createIntegration(running)
    const event = question()
    const id = randomUUID()
    const first = await deliver(running, integration, event, { id })
    const before = await countRows(running.gateway.context.db)
    running.clock.pass(20_000)
    await ended(subject(), first.body.run_id)
    const again = await deliver(running, integration, event, { id })
    expect([again.status, again.body]).toEqual([202, first.body])
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    const after = await countRows(running.gateway.context.db)
    expect([after.messages >= before.messages, after.runs, after.idempotency]).toEqual([
      true,
      before.runs,
      before.idempotency,
    ])
  })

  test('with another body under the same webhook-id is a conflict, even if it means the same [ERR-36, HOOK-31, HOOK-41, HOOK-54, SIG-19]', async () => {
    const integration = await createIntegration(running)
    const event = question()
    const id = randomUUID()
    expect((await deliver(running, integration, event, { id })).status).toBe(202)
    for (const other of [question('another'), JSON.stringify(event, null, 1), `${JSON.stringify(event)}\n`])
      expect(refusalOf(await deliver(running, integration, other, { id }))).toEqual([409, 'WEBHOOK_CONFLICT'])
  })

  test('of 50 equal deliveries at once is admitted once, and all get the one answer [HOOK-30, HOOK-54]', async () => {
    const configurations = [{}, { action: 'new' }, { action: 'cancel', run_id_field: 'run' }]
    for (const configuration of configurations) {
      const integration = await createIntegration(running, configuration)
      const { conversation_id } = (await subject().createConversation()).body
      const { run_id: run } = (await subject().send(conversation_id, script({ hang: true }))).body
      const event = { ...question(), run }
      const id = randomUUID()
      const before = await countRows(running.gateway.context.db)
      const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(running, integration, event, { id })))
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
      expect(answers[0]?.status).toBe(202)
      expect(answers.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
      const after = await countRows(running.gateway.context.db)
      const admitted = 'run_id_field' in configuration ? 0 : 1
      expect([after.runs - before.runs, after.idempotency - before.idempotency]).toEqual([admitted, 1])
      await subject().cancel(run)
    }
  })

  test('is remembered for its integration alone, whatever is changed of it, for 7 days [HOOK-55, HOOK-56, HOOK-57]', async () => {
    const [one, two] = [await createIntegration(running), await createIntegration(running)]
    const id = randomUUID()
    const event = question()
    const first = await deliver(running, one, event, { id })
    const elsewhere = await deliver(running, two, event, { id })
    expect(elsewhere.status).toBe(202)
    expect(elsewhere.body.run_id).not.toBe(first.body.run_id)
    const path = `/admin/v1/webhooks/${one.integration_id}`
    const changes = { subject: 'somebody-else', event_types: ['other'], action: 'new' }
    expect((await running.operator.request('PATCH', path, { body: changes })).status).toBe(200)
    expect((await deliver(running, one, event, { id })).body).toEqual(first.body)
    expect(refusalOf(await deliver(running, one, question('x'), { id }))).toEqual([409, 'WEBHOOK_CONFLICT'])

    const sweep = async () => {
      for (const each of createSweeps(running.gateway.context)) await each.run(new AbortController().signal)
    }
    running.clock.pass(7 * 24 * 3_600_000 - 60_000)
    await sweep()
    expect((await deliver(running, two, event, { id })).headers.get('idempotency-replayed')).toBe('true')
    running.clock.pass(120_000)
    await sweep()
    await expect.poll(async () => (await deliver(running, two, event, { id })).status).toBe(202)
    expect((await deliver(running, two, event, { id })).body.run_id).not.toBe(elsewhere.body.run_id)
  })

  test('that was refused leaves its webhook-id unused [HOOK-55]', async () => {
    const integration = await createIntegration(running)
    const id = randomUUID()
    expect((await deliver(running, integration, { type: 'order.question' }, { id })).status).toBe(400)
    expect((await deliver(running, integration, { ...question(), type: 'other' }, { id })).status).toBe(403)
    expect((await deliver(running, integration, question(), { id })).status).toBe(202)
  })

  test('is refused with 401 for its signature headers, its timestamp or its secret [SIG-01, SIG-02, SIG-03, SIG-07, SIG-08, SIG-12, SIG-24, SIG-26, SIG-27, HOOK-38, LIMIT-07, LIMIT-17]', async () => {
    const integration = await createIntegration(running)
    const at = (seconds: number) => String(Math.floor(running.clock.now().getTime() / 1000) + seconds)
    const accepted = [{}, { timestamp: at(-300) }, { timestamp: at(300) }, { id: '!'.repeat(128) }, { id: '!' }]
    for (const given of accepted) expect((await deliver(running, integration, question(), given)).status).toBe(202)
    const good = signatureOf('id-1', at(0), Buffer.from(JSON.stringify(question('x', 'y'))), integration.secret)
    const refused = [
      { timestamp: at(-301) },
      { timestamp: at(301) },
      { timestamp: `+${at(0)}` },
      { timestamp: `${at(0)}.0` },
      { timestamp: '' },
      { id: 'x'.repeat(129) },
      { id: 'two words' },
      { id: '' },
      { secret: 'whsec_wrong' },
      { secret: Buffer.from(integration.secret.slice(6), 'hex').toString('latin1') },
      { signature: good.toUpperCase() },
      { signature: good.replace('v1,', 'v2,') },
      { signature: good.slice(3) },
      { signature: `${good},${good}` },
      { signature: '' },
    ]
    for (const given of refused) {
      const answer = await deliver(running, integration, question('x', 'y'), { id: 'id-1', ...given })
      expect([given, ...refusalOf(answer)]).toEqual([given, 401, 'UNAUTHENTICATED'])
      expect(JSON.stringify(answer.body)).not.toContain(integration.secret)
    }
  })

  test('is refused with 401 when a signature header is missing or comes twice [SIG-25, HOOK-38]', async () => {
    const integration = await createIntegration(running)
    const body = JSON.stringify(question())
    const timestamp = String(Math.floor(running.clock.now().getTime() / 1000))
    const headers: readonly [string, string][] = [
      ['webhook-id', 'id-1'],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signatureOf('id-1', timestamp, Buffer.from(body), integration.secret)],
    ]
    const send = (sent: readonly [string, string][]): Promise<number> =>
      new Promise((resolve, reject) => {
        const all = [
          ...sent,
          ['host', 'x'],
          ['content-type', 'application/json'],
          ['content-length', String(body.length)],
        ]
        const sending = request(`${running.baseUrl}/api/v1/webhooks/${integration.integration_id}`, {
          method: 'POST',
          headers: all.flat(),
        })
        sending.on('response', (response) => {
          text(response).then(() => resolve(response.statusCode ?? 0), reject)
        })
        sending.on('error', reject)
        sending.end(body)
      })
    for (const [index, header] of headers.entries()) {
      expect(await send(headers.toSpliced(index, 1))).toBe(401)
      expect(await send([...headers, header])).toBe(401)
    }
    expect(await send(headers)).toBe(202)
  })

  test('is judged in the order of the rules, each fault before the next [HOOK-01, HOOK-02, HOOK-39, HOOK-40, HOOK-43, HOOK-44, HOOK-46, HOOK-47, HOOK-48, HOOK-49, HOOK-50, HOOK-51, HOOK-52, HOOK-53, SIG-04]', async () => {
    const integration = await createIntegration(running, { enabled: false })
    const path = `/admin/v1/webhooks/${integration.integration_id}`
    const huge = Buffer.alloc(1024 * 1024 + 1, 'x')
    const badly = { signature: `v1,${'0'.repeat(64)}`, contentType: 'text/plain' }
    const answerTo = async (...given: [event: unknown, options?: Parameters<typeof deliver>[3]]) =>
      refusalOf(await deliver(running, integration, ...given))
    const nobody = { ...integration, integration_id: 'wh_nobody' }
    for (const unknown of [nobody, { ...integration, integration_id: 'ep_script' }])
      expect(refusalOf(await deliver(running, unknown, huge, badly))).toEqual([404, 'NOT_FOUND'])
    expect(await answerTo(huge, badly)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await answerTo('not JSON', badly)).toEqual([401, 'UNAUTHENTICATED'])
    expect(await answerTo('not JSON', { contentType: 'text/plain' })).toEqual([403, 'PERMISSION_DENIED'])
    expect((await running.operator.request('PATCH', path, { body: { enabled: true } })).status).toBe(200)
    for (const contentType of ['text/plain', 'no type', null, 'application/json; charset=latin1'])
      expect(await answerTo('not JSON', { contentType })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(await answerTo('{}', { headers: { 'content-encoding': 'gzip' } })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const id = randomUUID()
    expect((await deliver(running, integration, question(), { id })).status).toBe(202)
    for (const body of ['not JSON', '', '[]', '"text"', 'null', '7', '\ufeff{}', Buffer.from([0x7b, 0xff, 0x7d])])
      expect(await answerTo(body, { id })).toEqual([400, 'INVALID_REQUEST'])
    expect(await answerTo({ type: 'other' }, { id })).toEqual([409, 'WEBHOOK_CONFLICT'])
    expect(await answerTo({ type: 'other' })).toEqual([403, 'PERMISSION_DENIED'])
    expect(await answerTo({ type: 'order.question' })).toEqual([400, 'INVALID_REQUEST'])
  })

  test('may be of exactly 1 MiB [HOOK-02, LIMIT-02]', async () => {
    const integration = await createIntegration(running)
    const event = JSON.stringify(question())
    const padded = event + ' '.repeat(1024 * 1024 - event.length)
    expect((await deliver(running, integration, padded)).status).toBe(202)
    expect((await deliver(running, integration, `${padded} `)).status).toBe(413)
  })

  test('is refused with 403 while its application is disabled or its device is [HOOK-39]', async () => {
    const integration = await createIntegration(running, { app_id: 'app_other', endpoint_id: 'ep_other' })
    const set = (state: string) => running.operator.request('PATCH', '/admin/v1/apps/app_other', { body: { state } })
    await set('disabled')
    expect(refusalOf(await deliver(running, integration, 'not JSON'))).toEqual([403, 'PERMISSION_DENIED'])
    await set('active')
    expect((await deliver(running, integration, question())).status).toBe(202)
    const { device_id } = (
      await running.operator.request<{ device_id: string }>('POST', '/admin/v1/devices', { body: {} })
    ).body
    const service = await running.operator.request<{ endpoint_id: string }>(
      'POST',
      '/admin/v1/apps/app_test/endpoints',
      {
        body: { device_id },
      },
    )
    const idle = await createIntegration(running, { endpoint_id: service.body.endpoint_id })
    await running.operator.request('POST', `/admin/v1/devices/${device_id}/disable`)
    expect(refusalOf(await deliver(running, idle, question()))).toEqual([403, 'PERMISSION_DENIED'])
  })

  test('accepts its event types exactly as they are, texts only [HOOK-06, HOOK-07]', async () => {
    const integration = await createIntegration(running, { event_type_field: 'meta.type', event_types: ['7', 'a.b'] })
    const typed = (type: unknown) => deliver(running, integration, { ...question(), meta: { type } })
    for (const type of ['7', 'a.b']) expect((await typed(type)).status).toBe(202)
    for (const type of [7, 'A.B', 'a.b ', ['a.b'], null, undefined, true, {}])
      expect([type, ...refusalOf(await typed(type))]).toEqual([type, 403, 'PERMISSION_DENIED'])
    expect(refusalOf(await deliver(running, integration, { ...question(), meta: 'a.b' }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  })

  test('needs at least one input that is not empty, and null is nothing [HOOK-26, HOOK-43, HOOK-59]', async () => {
    const integration = await createIntegration(running, {
      action: 'new',
      data_field: 'order.data',
      resource_ids_field: 'files',
    })
    const event = (message: unknown, data?: unknown, files?: unknown) => ({
      type: 'order.question',
      customer: { message },
      order: { data },
      files,
    })
    for (const empty of [event(null), event(''), event(undefined, {}, []), { type: 'order.question', customer: null }])
      expect(refusalOf(await deliver(running, integration, empty))).toEqual([400, 'INVALID_REQUEST'])
    for (const enough of [event('x'), event(null, { a: 1 }), event('', { a: 1 }, null), { ...event('x'), order: null }])
      expect((await deliver(running, integration, enough)).status).toBe(202)
  })

  test('is refused at the place of each value of a wrong type or beyond a limit, and nothing is coerced [HOOK-43, HOOK-60, HOOK-16, HOOK-17, RES-19]', async () => {
    const integration = await createIntegration(running, {
      data_field: 'order.data',
      resource_ids_field: 'order.files',
    })
    const file = await attach(subject(), 'image/png')
    const cases: [change: object, pointers: string[]][] = [
      [{ customer: { message: 7 } }, ['/customer/message']],
      [{ customer: { message: ['x'] } }, ['/customer/message']],
      [{ customer: { message: 'x'.repeat(65_537) } }, ['/customer/message']],
      [{ customer: 'x' }, ['/customer']],
      [{ customer: [{ message: 'x' }] }, ['/customer']],
      [{ order: { id: 7 } }, ['/order/id']],
      [{ order: { id: '' } }, ['/order/id']],
      [{ order: { id: ' x' } }, ['/order/id']],
      [{ order: { id: 'x'.repeat(257) } }, ['/order/id']],
      [{ order: {} }, ['/order/id']],
      [{ order: { id: null } }, ['/order/id']],
      [{ order: { id: 'a', data: [] } }, ['/order/data']],
      [{ order: { id: 'a', data: 'x' } }, ['/order/data']],
      [{ order: { id: 'a', files: 'res_1' } }, ['/order/files']],
      [{ order: { id: 'a', files: [7] } }, ['/order/files/0']],
      [{ order: { id: 'a', files: ['r', 'r'] } }, ['/order/files/1']],
      [{ order: { id: 'a', files: ['1', '2', '3', '4', '5', '6'] } }, ['/order/files']],
      [{ order: { id: 'a', files: ['res_nobody', file] } }, ['/order/files/0', '/order/files/1']],
    ]
    for (const [change, pointers] of cases) {
      const answer = await deliver(running, integration, { ...question(), ...change })
      expect([change, ...refusalOf(answer), [...new Set(pointersOf(answer))]]).toEqual([
        change,
        400,
        'INVALID_REQUEST',
        pointers,
      ])
    }
  })

  test('does the same work for an integration that does not exist as for a bad signature [HOOK-62]', async () => {
    const integration = await createIntegration(running)
    const { secrets } = running.gateway.context
    if (secrets === null) throw new Error('the gateway has a secret key')
    const { open } = secrets
    const opened: number[][] = []
    Object.assign(secrets, {
      open: (sealed: Uint8Array, context: string) => {
        opened.at(-1)?.push(sealed.byteLength)
        return open(sealed, context)
      },
    })
    try {
      const badly = { signature: `v1,${'0'.repeat(64)}` }
      for (const integration_id of [integration.integration_id, 'wh_nobody']) {
        opened.push([])
        await deliver(running, { ...integration, integration_id }, question(), badly)
      }
    } finally {
      Object.assign(secrets, { open })
    }
    expect(opened[0]).not.toEqual([])
    expect(opened[0]).toEqual(opened[1])
  })
})
