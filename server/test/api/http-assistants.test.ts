import type { EndpointTrial, SavedEndpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { createClient, ended } from '../support/client.ts'
import type { HttpService, Respond } from '../support/http-service.ts'
import { ndjson, startHttpService, verifyRun } from '../support/http-service.ts'
import { onGateways } from '../support/running-gateway.ts'

const SUCCEEDED = { end: { state: 'succeeded' } }
const STORED: Statement = {
  name: 'test_stored_assistants',
  access: 'read',
  text: `select assistant::text as assistant from endpoint_versions`,
}

onGateways('http assistants', (running) => {
  let service: HttpService
  let respond: Respond = ndjson(SUCCEEDED)
  beforeAll(async () => {
    service = await startHttpService((response, run) => respond(response, run))
  })
  afterAll(() => service.close())

  const ENDPOINTS = '/admin/v1/apps/app_test/endpoints'
  const ask = <Body = SavedEndpoint & { code?: string }>(method: string, path: string, body?: object) =>
    running.operator.request<Body>(method, path, { body })
  const publish = async (assistant: object = { type: 'http', url: service.url }) => {
    const { status, body } = await ask('POST', ENDPOINTS, { device_id: 'dev_test', accepts: ['*/*'], assistant })
    expect([status, body]).toMatchObject([201, {}])
    return { endpointId: body.endpoint_id, secret: body.secret ?? '', body }
  }
  const send = async (endpointId: string, input: object = { text: 'hello' }): Promise<string> => {
    const client = running.client()
    const { body } = await client.createConversation({ endpoint_id: endpointId })
    return (await client.send(body.conversation_id, input)).body.run_id
  }
  const execute = async (endpointId: string) => ended(running.client(), await send(endpointId))
  const posted = () => {
    const run = service.runs.at(-1)
    if (run === undefined) throw new Error('nothing was posted')
    return run
  }
  const isSignedWith = (secret: string) => verifyRun(posted(), secret, running.clock.now()).ok

  test('the query of the URL is stored encrypted and sent, and runs are signed with the secret of the service', async () => {
    const { endpointId, secret, body } = await publish({ type: 'http', url: service.url, first_byte_seconds: 5 })
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    const shown = { type: 'http', url: service.url.replace('token=very-secret', '***'), first_byte_seconds: 5 }
    expect(body.assistant).toEqual(shown)
    const stored = await running.gateway.context.db.query<{ assistant: string }>(STORED, [])
    expect(JSON.stringify(stored)).not.toContain('very-secret')

    respond = ndjson(SUCCEEDED)
    await execute(endpointId)
    expect(posted().path).toBe('/run?token=very-secret')
    expect(isSignedWith(secret)).toBe(true)
    expect(JSON.parse(posted().body.toString())).toMatchObject({
      endpoint_id: endpointId,
      binding_version: 1,
      input: { text: 'hello', data: null, resource_ids: [] },
      context: [],
      deadline: new Date(running.clock.now().getTime() + 3600_000).toISOString(),
    })
  })

  test('the next version of a service keeps the secret, and keeps the query if the request contains the shown URL', async () => {
    const { endpointId, secret, body } = await publish()
    respond = ndjson(SUCCEEDED)
    const next = await ask('POST', `${ENDPOINTS}/${endpointId}/versions`, { assistant: body.assistant })
    expect(next).toMatchObject({ status: 201, body: { binding_version: 2, assistant: body.assistant } })
    expect(next.body.secret).toBeUndefined()
    await execute(endpointId)
    expect([posted().path, isSignedWith(secret)]).toEqual(['/run?token=very-secret', true])
  })

  test('a service gets its secret with its first http assistant', async () => {
    const { endpointId, secret } = await publish({ type: 'echo' })
    expect(secret).toBe('')
    const assistant = { type: 'http', url: service.url }
    const { body } = await ask('POST', `${ENDPOINTS}/${endpointId}/versions`, { assistant })
    expect(body.secret).toMatch(/^whsec_/)
  })

  test('the old secret signs until the end of the overlap, or until a rotation without overlap', async () => {
    const { endpointId, secret: first } = await publish()
    const rotate = async (query = '') => (await ask('POST', `${ENDPOINTS}/${endpointId}/rotate-secret${query}`)).body
    respond = ndjson(SUCCEEDED)
    const second = await rotate('?overlap_seconds=60')
    expect(Date.parse(second.previous_secret_expires_at ?? '')).toBe(running.clock.now().getTime() + 60_000)
    await execute(endpointId)
    expect([first, second.secret ?? ''].map(isSignedWith)).toEqual([true, false])
    await running.passTime(60_000)
    await execute(endpointId)
    expect([first, second.secret ?? ''].map(isSignedWith)).toEqual([false, true])
    const third = await rotate()
    expect(third.previous_secret_expires_at).toBeNull()
    await execute(endpointId)
    expect(isSignedWith(third.secret ?? '')).toBe(true)
  })

  test('the token of a run gives access to its context and its attachments until the run ends', async () => {
    const { endpointId } = await publish()
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<{ run_id: string; run_token: string }>()
    respond = async (response, run) => {
      arrived.resolve(JSON.parse(run.body.toString()))
      await released.promise
      const resourceId = `res_${'0'.repeat(31)}1`
      return ndjson({ end: { state: 'succeeded', resource_ids: [resourceId] } })(response, run)
    }
    const runId = await send(endpointId)
    const { run_token: token } = await arrived.promise
    expect(token).toMatch(/^gr_/)
    const assistant = createClient({ baseUrl: running.baseUrl, key: token })
    const at = `/worker/v1/runs/${runId}`
    const resource = `${at}/resources/res_${'0'.repeat(31)}1`
    expect(await assistant.request('GET', `${at}/context`)).toMatchObject({ status: 200, body: { messages: [] } })
    expect(
      await assistant.request('PUT', `${resource}?filename=a.txt&content_type=text%2Fplain`, { rawBody: 'hello' }),
    ).toMatchObject({ status: 200, body: { filename: 'a.txt', size: 5 } })
    expect(await assistant.request('GET', `${resource}/content`)).toMatchObject({ status: 200, body: 'hello' })

    const other = await assistant.request('GET', '/worker/v1/runs/run_0199d3a1c0e37b55c6d7e8f901122334/context')
    expect(other.status).toBe(404)
    for (const [path, body] of [
      ['/worker/v1/sessions', { name: 'x', slots: 1 }],
      [`${at}/end`, { session_id: 'ws_1', index: 0, end: { state: 'succeeded' } }],
    ] as const)
      expect((await assistant.request('POST', path, { body })).status).toBe(401)
    const changed = createClient({ baseUrl: running.baseUrl, key: `${token.slice(0, -2)}AA` })
    expect((await changed.request('GET', `${at}/context`)).status).toBe(401)

    released.resolve()
    const { result } = await ended(running.client(), runId)
    expect(result?.resource_ids).toEqual([`res_${'0'.repeat(31)}1`])
    expect((await assistant.request('GET', `${at}/context`)).status).toBe(401)
  })

  test('a stop closes the connection, and the run is cancelled', async () => {
    const { endpointId } = await publish()
    const arrived = Promise.withResolvers<void>()
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
      arrived.resolve()
    }
    const runId = await send(endpointId)
    await arrived.promise
    await running.client().cancel(runId)
    await posted().closed
    expect(await ended(running.client(), runId)).toMatchObject({ state: 'cancelled' })
  })

  test('a trial by an operator checks the answer and the refusal of a forged signature, and creates no run', async () => {
    const { endpointId, secret } = await publish()
    const tried = async (answered: Respond) => {
      respond = answered
      return (await ask<EndpointTrial>('POST', `${ENDPOINTS}/${endpointId}/try`, { text: 'Where?' })).body
    }
    const verified =
      (answered: Respond): Respond =>
      (response, run) =>
        verifyRun(run, secret, running.clock.now()).ok ? answered(response, run) : response.writeHead(401).end()
    const valid = ndjson({ delta: 'a' }, { delta: 'b' }, SUCCEEDED)
    const trial = { ok: true, faults: [], code: null, ended: 'succeeded', steps: 2, text: 'ab' }
    expect(await tried(verified(valid))).toMatchObject(trial)
    const body = JSON.parse(posted().body.toString())
    expect(body).toMatchObject({ rehearsal: true, input: { text: 'Where?' }, endpoint_id: endpointId })
    const assistant = createClient({ baseUrl: running.baseUrl, key: body.run_token })
    expect((await assistant.request('GET', `/worker/v1/runs/${body.run_id}/context`)).status).toBe(401)
    expect((await ask('GET', `/admin/v1/runs/${body.run_id}`)).status).toBe(404)

    const forged = expect.stringContaining('forged webhook-signature')
    expect(await tried(valid)).toMatchObject({ ...trial, ok: false, faults: [forged] })
    expect(await tried(verified(ndjson({ approval: 'May I?' })))).toMatchObject({ ok: true, ended: 'approval' })
    expect(await tried(verified(ndjson({ delta: 'a' }, { think: 'b' })))).toMatchObject({
      ok: false,
      faults: [expect.stringContaining('/think is not a known member')],
      code: 'ASSISTANT_ERROR',
      ended: null,
      steps: 1,
      text: 'a',
    })
    const echo = await publish({ type: 'echo' })
    expect((await ask('POST', `${ENDPOINTS}/${echo.endpointId}/try`, {})).status).toBe(400)
  })

  test('URLs with a password, masked query, fragment or other scheme, and a rotation without a secret, are refused', async () => {
    for (const url of [
      service.url.replace('//', '//me:pw@'),
      'http://127.0.0.1/?***',
      'http://127.0.0.1/#a',
      'ftp://a/',
    ])
      expect(await ask('POST', ENDPOINTS, { device_id: 'dev_test', assistant: { type: 'http', url } })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      })
    const { endpointId } = await publish({ type: 'echo' })
    expect((await ask('POST', `${ENDPOINTS}/${endpointId}/rotate-secret`)).status).toBe(400)
    expect((await ask('POST', `${ENDPOINTS}/ep_nobody/rotate-secret`)).status).toBe(404)
  })
})

onGateways(
  'a gateway without GATEWAY_SECRET_KEY',
  (running) => {
    test('refuses to publish an http assistant, and names the missing setting', async () => {
      const { status, body } = await running.operator.request<{ code: string; detail: string }>(
        'POST',
        '/admin/v1/apps/app_test/endpoints',
        { body: { device_id: 'dev_test', assistant: { type: 'http', url: 'http://127.0.0.1:1/' } } },
      )
      expect([status, body.code]).toEqual([503, 'CAPABILITY_UNAVAILABLE'])
      expect(body.detail).toContain('GATEWAY_SECRET_KEY')
    })
  },
  { secretKeys: null },
)
