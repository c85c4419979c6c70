import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question, refusalOf, signatureOf } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
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
    for (const body of ['not JSON', '', '[]', '"text"', 'null', '7', '{}\ufeff', Buffer.from([0x7b, 0xff, 0x7d])])
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
