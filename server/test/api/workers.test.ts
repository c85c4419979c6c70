import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { endInterruptedWork } from '../../src/gateway/interrupted-work.ts'
import type { Statement } from '../../src/store/db.ts'
import { ended } from '../support/client.ts'
import type { PlayedWorker } from '../support/played-worker.ts'
import { createDeviceKey, createWorkerDevice, openWorker } from '../support/played-worker.ts'
import { onGateways } from '../support/running-gateway.ts'

const COMMITS: Statement = {
  name: 'test_commits_of_run',
  access: 'read',
  text: `select count(distinct xmin::text)::integer as commits, string_agg(type, ' ' order by seq) as types
    from events where run_id = $1`,
}

onGateways('the worker API', (running) => {
  let device: Awaited<ReturnType<typeof createWorkerDevice>>
  let other: Awaited<ReturnType<typeof createWorkerDevice>>
  let worker: PlayedWorker
  beforeAll(async () => {
    device = await createWorkerDevice(running, 'worker')
    other = await createWorkerDevice(running, 'other')
    worker = await openWorker(running.baseUrl, device.key)
  })

  const client = () => running.client()
  const converse = async () =>
    (await client().createConversation({ endpoint_id: device.endpointId })).body.conversation_id
  const admit = async (input: object = { text: 'hello' }): Promise<string> =>
    (await client().send(await converse(), input)).body.run_id
  const begin = async (input?: object) => {
    const runId = await admit(input)
    const run = await worker.take()
    expect(run.run_id).toBe(runId)
    return run
  }
  const pass = async (ms: number) => {
    running.clock.pass(ms)
    while ((await advanceDueWork(running.gateway.context)) > 0);
  }
  const textOf = async (runId: string) => (await client().run(runId)).body.result?.text
  const finish = (runId: string, index = 0) => worker.end(runId, index, { state: 'succeeded' })

  test('a worker claims a run, streams its answer and ends it', async () => {
    const run = await begin({ text: 'Where?', data: { 2: 'b', 1: 'a' } })
    expect(run).toMatchObject({
      app_id: 'app_test',
      subject: 'subject-1',
      endpoint_id: device.endpointId,
      generation: 1,
      assistant: { type: 'worker' },
      input: { text: 'Where?', data: { 1: 'a', 2: 'b' }, resource_ids: [] },
    })
    expect(Date.parse(run.deadline)).toBe(running.clock.now().getTime() + 3600_000)
    const taken = await worker.steps(run.run_id, 0, [{ delta: 'On ' }, { delta: '' }, { message: 'aside' }])
    expect(taken).toMatchObject({ status: 200, body: { index: 3, stop: false, approval_id: null } })
    expect(await worker.end(run.run_id, 3, { state: 'succeeded' }, [{ delta: 'its way' }])).toMatchObject({
      status: 200,
      body: { state: 'succeeded' },
    })
    expect(await textOf(run.run_id)).toBe('On its way')
    const { body } = await client().history(run.conversation_id)
    expect(body.messages.map(({ role, content }) => [role, content.text])).toEqual([
      ['user', 'Where?'],
      ['assistant', 'On its way'],
      ['assistant', 'aside'],
    ])
    expect(body.messages[1]?.message_id).toBe(run.reply_message_id)
  })

  test('repeated steps change nothing, an overlap adds only the new steps, and a gap is refused [WORK-03]', async () => {
    const { run_id: runId } = await begin()
    const first = [{ delta: 'a' }, { delta: 'b' }]
    for (const _ of [1, 2]) expect((await worker.steps(runId, 0, first)).body.index).toBe(2)
    expect((await worker.steps(runId, 1, [{ delta: 'b' }, { delta: 'c' }])).body.index).toBe(3)
    const gap = await worker.steps(runId, 4, [{ delta: 'e' }])
    expect(gap).toMatchObject({ status: 409, body: { code: 'STEPS_OUT_OF_ORDER' } })
    expect(gap.body.detail).toContain('has 3 steps')
    expect(await worker.end(runId, 4, { state: 'succeeded' })).toMatchObject({ body: { code: 'STEPS_OUT_OF_ORDER' } })
    await finish(runId, 3)
    expect(await textOf(runId)).toBe('abc')
  })

  test('repeating an end changes nothing, and a different end does not replace it [WORK-04]', async () => {
    const { run_id: runId } = await begin()
    const failed = { state: 'failed', error: { code: 'NO_MODEL', message: 'away', retryable: true } }
    for (const _ of [1, 2])
      expect(await worker.end(runId, 0, failed)).toMatchObject({ status: 200, body: { state: 'failed' } })
    expect(await finish(runId)).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    expect(await worker.steps(runId, 0, [{ delta: 'late' }])).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    expect((await client().run(runId)).body.result).toEqual({ error: failed.error })
  })

  test('repeating a claim whose answer was lost returns the same run, and no other session gets it [WORK-05]', async () => {
    const runId = await admit()
    expect((await worker.take()).run_id).toBe(runId)
    expect((await worker.take()).run_id).toBe(runId)
    expect((await worker.claim([], { limit: 0 })).body.runs.map(({ run_id }) => run_id)).toEqual([runId])
    expect((await worker.claim([runId])).body.runs).toEqual([])
    const second = await openWorker(running.baseUrl, device.key)
    expect((await second.claim()).body.runs).toEqual([])
    for (const refused of [
      await second.steps(runId, 0, [{ delta: 'x' }]),
      await second.end(runId, 0, { state: 'succeeded' }),
    ])
      expect(refused).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    expect((await second.beat([{ run_id: runId }])).body.lost).toEqual([runId])
    await finish(runId)
  })

  test('a waiting claim starts a run in the commit that admits it', async () => {
    for (let commits = 0; commits !== 1; ) {
      // If the message is admitted before the claim arrives, the run is claimed in another commit; then try again.
      const taking = worker.take()
      const runId = await admit()
      expect((await taking).run_id).toBe(runId)
      const [row] = await running.gateway.context.db.query<{ commits: number; types: string }>(COMMITS, [runId])
      expect(row?.types).toBe('run.updated run.started')
      commits = row?.commits ?? 0
      await finish(runId)
    }
  })

  test('a claim waits for a run, ends when a newer claim arrives, and never exceeds the slots [WORK-06]', async () => {
    const single = await openWorker(running.baseUrl, other.key, 1)
    // The claims may arrive in either order; the second ends the first.
    const claims = [single.claim([], { wait_ms: 25_000 }), single.claim([], { wait_ms: 25_000 })]
    expect((await Promise.race(claims)).body.runs).toEqual([])
    const { body } = await client().createConversation({ endpoint_id: other.endpointId })
    const { run_id: runId } = (await client().send(body.conversation_id, { text: 'a' })).body
    const answers = (await Promise.all(claims)).map((answer) => answer.body.runs.length)
    expect(answers.toSorted()).toEqual([0, 1])
    const next = (await client().createConversation({ endpoint_id: other.endpointId })).body.conversation_id
    await client().send(next, { text: 'b' })
    expect((await single.claim([runId])).body.runs).toEqual([])
    expect(await single.claim([runId], { limit: 2 })).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect((await single.end(runId, 0, { state: 'succeeded' })).status).toBe(200)
    const second = await single.take()
    await single.end(second.run_id, 0, { state: 'succeeded' })
  })

  test('a waiting heartbeat reports a stop immediately and once, and the worker confirms it [WORK-07]', async () => {
    const { run_id: runId } = await begin()
    const waiting = worker.beat([{ run_id: runId }], 25_000)
    await client().cancel(runId)
    expect((await waiting).body).toMatchObject({ stop: [{ run_id: runId, reason: 'requested' }], lost: [] })
    expect((await worker.beat([{ run_id: runId, stopping: true }])).body.stop).toEqual([])
    expect((await worker.steps(runId, 0, [{ delta: 'half' }])).body.stop).toBe(true)
    expect((await worker.end(runId, 1, { state: 'cancelled' })).body).toEqual({ state: 'cancelled' })
    expect((await client().run(runId)).body).toMatchObject({ state: 'cancelled', result: { text: 'half' } })
  })

  test('a cancelled end without a requested stop is an interruption', async () => {
    const { run_id: runId } = await begin()
    for (const _ of [1, 2])
      expect((await worker.end(runId, 0, { state: 'cancelled' })).body).toEqual({ state: 'interrupted' })
  })

  test('repeated requests create one approval, and a heartbeat delivers its decision [WORK-07, WORK-08]', async () => {
    const { run_id: runId } = await begin()
    const [first, again] = [
      await worker.steps(runId, 0, [{ delta: 'a' }, { approval: 'Refund?' }]),
      await worker.steps(runId, 0, [{ delta: 'a' }, { approval: 'Refund?' }]),
    ]
    const approvalId = first.body.approval_id
    expect(again.body).toEqual(first.body)
    expect((await client().run(runId)).body.state).toBe('waiting_approval')
    const waiting = worker.beat([{ run_id: runId, approval_id: approvalId }], 25_000)
    await running.operator.request('POST', `/admin/v1/approvals/${approvalId}/decision`, {
      body: { decision: 'approve' },
    })
    expect((await waiting).body.decisions).toEqual([{ run_id: runId, approval_id: approvalId, decision: 'approved' }])
    expect((await finish(runId, 2)).body).toEqual({ state: 'succeeded' })
  })

  test('an approval must be the last step of its request', async () => {
    const { run_id: runId } = await begin()
    const misplaced = [{ approval: 'Now?' }, { delta: 'a' }]
    expect(await worker.steps(runId, 0, misplaced)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect(await worker.end(runId, 0, { state: 'succeeded' }, [{ approval: 'Now?' }])).toMatchObject({ status: 400 })
    await finish(runId)
  })

  test('a run with more output than allowed fails', async () => {
    const { run_id: runId } = await begin()
    const half = 'x'.repeat(600 * 1024)
    expect((await worker.steps(runId, 0, [{ delta: half }])).status).toBe(200)
    expect(await worker.steps(runId, 1, [{ delta: half }])).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    expect((await client().run(runId)).body).toMatchObject({
      state: 'failed',
      result: { error: { code: 'OUTPUT_TOO_LARGE' } },
    })
  })

  test('activities are stored once, in the order of the steps, and within their limits', async () => {
    const call = { activity_id: 'call_1', kind: 'tool', name: 'find' }
    const run = await begin()
    const steps = [{ activity: call }, { delta: 'a' }, { activity: { activity_id: 'call_1', state: 'succeeded' } }]
    for (const _ of [1, 2]) expect((await worker.steps(run.run_id, 0, steps)).body.index).toBe(3)
    const end = { state: 'succeeded', data: { a: 1 }, usage: { total_tokens: 7 } }
    const last = [{ activity: { activity_id: 'call_1', output: 'x' } }]
    for (const _ of [1, 2])
      expect(await worker.end(run.run_id, 3, end, last)).toMatchObject({ status: 200, body: { state: 'succeeded' } })
    const { result } = (await client().run(run.run_id)).body
    expect(result).toEqual({ text: 'a', data: end.data, usage: end.usage })
    const [, answer] = (await client().history(run.conversation_id)).body.messages
    expect(answer?.content).toMatchObject({
      data: end.data,
      activities: [{ ...call, state: 'succeeded', output: 'x' }],
    })

    const { run_id: runId } = await begin()
    const unknown = await worker.steps(runId, 0, [{ activity: { ...call, state: 'done' } }])
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/steps/0/activity/state' }] } })
    const large = { activity: { ...call, output: 'x'.repeat(70_000) } }
    expect(await worker.steps(runId, 0, [{ delta: 'lost' }, large])).toMatchObject({ status: 409 })
    expect((await client().run(runId)).body.result).toMatchObject({ error: { code: 'OUTPUT_LIMIT' } })
    expect((await client().run(runId)).body.result?.text).toBeUndefined()
  })

  test('a worker reads the context of its run, and reads and creates attachments of it, until the run ends', async () => {
    const conversationId = await converse()
    const earlier = (await client().send(conversationId, { text: 'first' })).body.run_id
    await worker.take()
    await worker.end(earlier, 0, { state: 'succeeded', text: 'answer' })
    const runId = (await client().send(conversationId, { text: 'second' })).body.run_id
    await worker.take()
    const at = `/worker/v1/runs/${runId}`
    const session = `session_id=${worker.sessionId}`
    expect((await worker.client.request('GET', `${at}/context?${session}`)).body).toEqual({
      messages: [
        { role: 'user', text: 'first', data: null, resource_ids: [] },
        { role: 'assistant', text: 'answer', data: null, resource_ids: [] },
      ],
    })
    const resourceId = `res_${randomBytes(16).toString('hex')}`
    const put = () =>
      worker.client.request('PUT', `${at}/resources/${resourceId}?${session}&filename=a.txt&content_type=text/plain`, {
        rawBody: 'content',
      })
    const record = { resource_id: resourceId, filename: 'a.txt', content_type: 'text/plain', size: 7 }
    for (const _ of [1, 2]) expect(await put()).toMatchObject({ status: 200, body: record })
    expect((await worker.client.request('GET', `${at}/resources/${resourceId}?${session}`)).body).toEqual(record)
    const content = await worker.client.request('GET', `${at}/resources/${resourceId}/content?${session}`)
    expect([content.body, content.headers.get('content-type')]).toEqual(['content', 'text/plain'])
    const unknown = await worker.client.request('GET', `${at}/resources/res_0?${session}`)
    expect(unknown.status).toBe(404)
    await worker.end(runId, 0, { state: 'succeeded', resource_ids: [resourceId] })
    expect((await client().run(runId)).body.result).toMatchObject({ resource_ids: [resourceId] })
    expect((await worker.client.request('GET', `${at}/context?${session}`)).status).toBe(409)
  })

  test('a key of another device, of an application or of a worker has no access elsewhere [WORK-02]', async () => {
    const { run_id: runId } = await begin()
    const foreign = await openWorker(running.baseUrl, other.key)
    const at = `/worker/v1/sessions/${worker.sessionId}`
    for (const [method, path, body] of [
      ['DELETE', at, undefined],
      ['POST', `${at}/heartbeats`, { runs: [] }],
      ['POST', `${at}/claims`, { limit: 1, runs: [] }],
      ['POST', `/worker/v1/runs/${runId}/steps`, { session_id: worker.sessionId, index: 0, steps: [{ delta: 'x' }] }],
      ['POST', `/worker/v1/runs/${runId}/end`, { session_id: worker.sessionId, index: 0, end: { state: 'succeeded' } }],
      ['GET', `/worker/v1/runs/${runId}/context?session_id=${worker.sessionId}`, undefined],
    ] as const)
      expect((await foreign.client.request(method, path, { body })).status).toBe(404)
    const applications = client()
    expect((await applications.request('POST', `${at}/heartbeats`, { body: { runs: [] } })).status).toBe(401)
    expect((await worker.client.request('GET', '/admin/v1/devices')).status).toBe(401)
    expect((await worker.client.request('GET', '/api/v1/conversations?endpoint_id=ep_echo')).status).toBe(401)
    await finish(runId)
  })

  test('a revoked key and its sessions stop working at once in the process that revokes it; other keys keep working [WORK-01]', async () => {
    const { key, keyId } = await createDeviceKey(running.operator, device.deviceId)
    const doomed = await openWorker(running.baseUrl, key)
    const runId = await admit()
    await doomed.take()
    await running.operator.request('POST', `/admin/v1/devices/${device.deviceId}/keys/${keyId}/revoke`)
    expect((await doomed.beat()).status).toBe(401)
    expect((await worker.beat()).status).toBe(200)
    await pass(0)
    expect((await client().run(runId)).body.state).toBe('reconciling')
    await pass(60_000)
    expect((await client().run(runId)).body.state).toBe('interrupted')
    worker = await openWorker(running.baseUrl, device.key)
  })

  test('an expired session loses its runs, and cannot write [WORK-09]', async () => {
    const connected = async () =>
      Number(/^gateway_workers (\d+)$/m.exec(await (await fetch(`${running.baseUrl}/metrics`)).text())?.[1])
    expect(await connected()).toBeGreaterThan(0)
    const runId = await admit()
    await worker.take()
    running.clock.pass(worker.leaseMs - 1)
    expect((await worker.beat([{ run_id: runId }])).body.lost).toEqual([])
    running.clock.pass(worker.leaseMs)
    expect(await connected()).toBe(0)
    expect(await worker.beat([{ run_id: runId }])).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await worker.steps(runId, 0, [{ delta: 'late' }])).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    expect(await finish(runId)).toMatchObject({ status: 409, body: { code: 'RUN_LOST' } })
    await pass(0)
    await pass(60_000)
    expect((await client().run(runId)).body.state).toBe('interrupted')
    worker = await openWorker(running.baseUrl, device.key)
  })

  test('a restart of the gateway does not end the runs of workers', async () => {
    const { run_id: runId } = await begin()
    await endInterruptedWork(running.gateway.context, { info: () => {}, error: () => {} })
    expect((await worker.beat([{ run_id: runId }])).body.lost).toEqual([])
    expect((await finish(runId)).body).toEqual({ state: 'succeeded' })
  })

  test('a closed session is unknown [WORK-09]', async () => {
    const leaving = await openWorker(running.baseUrl, device.key)
    const close = () => leaving.client.request('DELETE', `/worker/v1/sessions/${leaving.sessionId}`)
    expect((await close()).status).toBe(204)
    expect((await close()).status).toBe(404)
    expect((await leaving.claim()).status).toBe(404)
  })

  test('operators see keys without secrets, and the number of runs of each session [WORK-01]', async () => {
    const { run_id: runId } = await begin()
    const at = `/admin/v1/devices/${device.deviceId}`
    const keys = await running.operator.request<{ keys: object[] }>('GET', `${at}/keys`)
    expect(JSON.stringify(keys.body)).not.toContain(device.key)
    expect(keys.body.keys).toContainEqual(
      expect.objectContaining({ key_id: device.keyId, prefix: device.key.slice(0, 35), revoked_at: null }),
    )
    const sessions = await running.operator.request<{ sessions: object[] }>('GET', `${at}/sessions`)
    expect(sessions.body.sessions).toContainEqual(
      expect.objectContaining({ session_id: worker.sessionId, name: 'test', version: '1', slots: 4, runs: 1 }),
    )
    await finish(runId)
    await ended(client(), runId)
  })
})
