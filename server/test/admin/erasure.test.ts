import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Erasure } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceErasures } from '../../src/gateway/erase.ts'
import { createLogger } from '../../src/runtime/log.ts'
import type { Db, Statement, Tx } from '../../src/store/db.ts'
import { newCallback, sendingTo } from '../callbacks/support.ts'
import { ended, eventually, script } from '../support/client.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { dumpTables } from '../support/databases/dump-tables.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts'
import { uploadAttachment } from '../support/upload-attachment.ts'
import { createIntegration, deliver, question } from '../support/webhook-sender.ts'

const CREATE = '/api/v1/conversations'
const RUNS = '/api/v1/agent-endpoints/ep_script/runs'

eachDatabase('an erasure', (database) => {
  let receiver: Receiver
  let running: RunningGateway & { stop(): Promise<void> }
  let log = ''
  beforeAll(async () => {
    receiver = await startReceiver()
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        log += chunk.toString()
        done()
      },
    })
    const logging = { log: createLogger({ level: 'trace', destination }) }
    running = await startRunningGateway(database, { ...sendingTo(receiver), ...logging, pingMs: 200 })
  })
  afterAll(async () => {
    await running.stop()
    await receiver.close()
  })

  const erase = async (path: string): Promise<Erasure> => {
    const { status, body } = await running.operator.request<Erasure>('DELETE', `/admin/v1/${path}`)
    expect(status).toBe(202)
    return body
  }
  const eraseSubject = (subject: string) => erase(`apps/app_test/subjects/${encodeURIComponent(subject)}`)
  const erasure = async (id: string) =>
    (await running.operator.request<Erasure>('GET', `/admin/v1/erasures/${id}`)).body
  const completed = (id: string): Promise<Erasure> =>
    eventually(
      async () => {
        await running.passTime(0)
        return erasure(id)
      },
      ({ state }) => state === 'succeeded',
    )
  const placesOf = async (marker: string): Promise<string[]> =>
    [...(await dumpTables(running.gateway.context.db))].flatMap(([table, text]) => (text.includes(marker) ? table : []))

  test('of a subject removes its text from all tables and answers except webhook integrations; no log contains it, and its records are 404 [ERASE-01, ERASE-02, ERASE-04, ERASE-05]', async () => {
    const marker = `marker-${randomUUID()}`
    const subject = `Zoë ${marker}/1`
    const client = running.client({ subject: Buffer.from(subject).toString('latin1') })
    const callback = await newCallback(running, receiver)
    receiver.answer(callback.path, (response, { body }) => void response.writeHead(400).end(body))
    const integration = await createIntegration(running, { subject })

    const resourceId = await uploadAttachment(client, { filename: `${marker}.txt`, content: `content ${marker}` })
    const created = await client.createConversation(
      { endpoint_id: 'ep_script', conversation_key: `order ${marker}` },
      `create-${marker}`,
    )
    const { conversation_id: id } = created.body
    const steps = script(
      { delta: `delta ${marker}` },
      { message: `message ${marker}` },
      { succeed: { text: `result ${marker}` } },
    )
    const sent = await client.send(id, {
      text: `text ${marker}`,
      data: { ...Object(steps.data), note: marker },
      resource_ids: [resourceId],
    })
    await ended(client, sent.body.run_id)
    const failing = await client.send(id, script({ fail: { code: 'BROKEN', message: `failed ${marker}` } }))
    await ended(client, failing.body.run_id)
    const direct = await client.post<{ conversation_id: string }>(
      RUNS,
      { input: script({ delta: marker }) },
      `direct-${marker}`,
    )
    const asking = await client.send(id, script({ approval: `May I ${marker}?` }))
    await eventually(
      () => client.run(asking.body.run_id),
      ({ body }) => body.state === 'waiting_approval',
    )
    const event = question(`question ${marker}`, `web order ${marker}`)
    const webhookId = `event-${marker}`
    const received = await deliver(running, integration, event, { id: webhookId })
    expect(received.status).toBe(202)
    await eventually(
      () => placesOf(marker),
      (places) => places.includes('delivery_attempts'),
    )
    const stream = await client.events(id)
    expect(stream.status).toBe(200)
    expect((await placesOf(marker)).length).toBeGreaterThan(8)

    const begun = await eraseSubject(subject)
    expect(begun).toMatchObject({ app_id: 'app_test', conversation_id: null, state: 'pending', completed_at: null })
    expect(await eraseSubject(subject)).toMatchObject({ erasure_id: begun.erasure_id })
    const receipt = await completed(begun.erasure_id)
    expect(receipt.erased).toMatchObject({ conversations: 3, runs: 5, resources: 1 })
    for (const count of Object.values(receipt.erased)) expect(count).toBeGreaterThan(0)
    await stream.ended

    // The integration belongs to the operator, and keeps the subject in its settings.
    expect(await placesOf(marker)).toEqual(['webhooks'])
    expect(log).toContain('request')
    expect(log).not.toContain(marker)

    const gone = [
      `${CREATE}/${id}`,
      `${CREATE}/${id}/messages`,
      `${CREATE}/${id}/events`,
      `${CREATE}/${direct.body.conversation_id}`,
      `/api/v1/runs/${sent.body.run_id}`,
      `/api/v1/runs/${sent.body.run_id}/events`,
      `/api/v1/resources/${resourceId}`,
      `/api/v1/resources/${resourceId}/content`,
    ]
    for (const path of gone) {
      const headers = path.endsWith('events') ? { accept: 'text/event-stream' } : {}
      expect([path, (await client.request('GET', path, { headers })).status]).toEqual([path, 404])
    }
    expect((await client.request('GET', `${CREATE}?endpoint_id=ep_script`)).body).toMatchObject({ conversations: [] })
    for (const path of ['approvals', 'deliveries', 'webhooks', `erasures/${begun.erasure_id}`]) {
      const { status, body } = await running.operator.request('GET', `/admin/v1/${path}`)
      expect([path, status]).toEqual([path, 200])
      if (path !== 'webhooks') expect(JSON.stringify(body)).not.toContain(marker)
    }

    // Repeats of earlier requests are refused; a request with a new key creates a new conversation.
    const again = { endpoint_id: 'ep_script', conversation_key: `order ${marker}` }
    expect((await client.createConversation(again, `create-${marker}`)).status).toBe(404)
    expect((await client.post(RUNS, { input: script({ delta: marker }) }, `direct-${marker}`)).status).toBe(404)
    expect((await deliver(running, integration, event, { id: webhookId })).status).toBe(404)
    const anew = await client.createConversation(again)
    expect(anew.status).toBe(201)
    expect((await client.snapshot(anew.body.conversation_id)).status).toBe(200)
  })

  test('of a conversation hides it at once, keeps the shared attachments, and can be repeated [ERASE-01, ERASE-05]', async () => {
    const client = running.client({ subject: 'somebody' })
    const [only, shared] = [await uploadAttachment(client), await uploadAttachment(client)]
    const [doomed, kept] = [await client.createConversation(), await client.createConversation()]
    const [id, other] = [doomed.body.conversation_id, kept.body.conversation_id]
    const first = await client.send(id, { ...script({ delta: 'a' }), resource_ids: [only, shared] })
    const second = await client.send(other, { ...script({ delta: 'b' }), resource_ids: [shared] })
    for (const { body } of [first, second]) await ended(client, body.run_id)
    const stream = await client.events(id)

    const begun = await erase(`conversations/${id}`)
    expect(begun).toMatchObject({ conversation_id: id, state: 'pending' })
    expect((await client.snapshot(id)).status).toBe(404)
    expect((await client.run(first.body.run_id)).status).toBe(404)
    await stream.ended
    const receipt = await completed(begun.erasure_id)
    expect(receipt.erased).toMatchObject({ conversations: 1, runs: 1, messages: 2, resources: 1 })
    expect(await erase(`conversations/${id}`)).toEqual(receipt)

    expect((await client.history(other)).body.messages).toHaveLength(2)
    const statusOf = async (resource: string) =>
      (await client.request('GET', `/api/v1/resources/${resource}/content`)).status
    expect([await statusOf(only), await statusOf(shared)]).toEqual([404, 200])
  })

  test('requests executing runs to stop, and waits for them no longer than the stop window [ERASE-03]', async () => {
    const client = running.client({ subject: 'stopping' })
    const start = async (...steps: readonly Record<string, unknown>[]) => {
      const { conversation_id: id } = (await client.createConversation()).body
      const { run_id: runId } = (await client.send(id, script(...steps))).body
      await client.send(id, script({ delta: 'behind' }))
      await eventually(
        () => client.run(runId),
        ({ body }) => body.state === 'running',
      )
      return id
    }
    const [stoppable, unstoppable] = [await start({ hang: true }), await start({ ignore_stop: true }, { hang: true })]
    const [soon, late] = [await erase(`conversations/${stoppable}`), await erase(`conversations/${unstoppable}`)]
    expect((await completed(soon.erasure_id)).erased.runs).toBe(2)
    expect(await erasure(late.erasure_id)).toMatchObject({ state: 'pending' })
    await running.passTime(SETTINGS.stopMs)
    expect((await completed(late.erasure_id)).erased.runs).toBe(2)
    const pending: Statement = {
      name: 'test_pending',
      access: 'read',
      text: 'select sum(unfinished)::integer as unfinished from pending_runs',
    }
    await eventually(
      () => running.gateway.context.db.query<{ unfinished: number }>(pending, []),
      ([row]) => row?.unfinished === 0,
    )
  })

  test('continues after a crash in the middle [ERASE-03]', async () => {
    const client = running.client({ subject: 'left behind' })
    for (let n = 0; n < 45; n += 1) {
      const { conversation_id: id } = (await client.createConversation()).body
      expect((await client.send(id, script({ delta: 'x' }))).status).toBe(202)
    }
    const begun = await eraseSubject('left behind')
    const { context } = running.gateway
    let transactions = 0
    // Every third transaction fails, as if the process had crashed.
    const db: Db = Object.assign(Object.create(context.db), {
      transaction: (work: (tx: Tx) => Promise<unknown>, options?: object) =>
        context.db.transaction(async (tx) => {
          const result = await work(tx)
          transactions += 1
          if (transactions % 3 === 0) throw new Error('crash')
          return result
        }, options),
    })
    const { signal } = new AbortController()
    await eventually(
      async () => {
        await advanceErasures({ ...context, db }, signal).catch(() => {})
        return erasure(begun.erasure_id)
      },
      ({ state }) => state === 'succeeded',
    )
    expect(transactions).toBeGreaterThan(6)
    expect((await erasure(begun.erasure_id)).erased).toMatchObject({ conversations: 45, runs: 45, replays: 90 })
  })

  test('is 404 for unknown applications, conversations and erasures, and 400 for an invalid subject [ERASE-01]', async () => {
    const { operator } = running
    const answers = await Promise.all(
      [
        ['DELETE', 'apps/app_nobody/subjects/somebody'],
        ['DELETE', `conversations/conv_${'0'.repeat(32)}`],
        ['DELETE', 'conversations/what%20is%20this'],
        ['GET', `erasures/ers_${'0'.repeat(32)}`],
        ['DELETE', 'apps/app_test/subjects/%20erased'],
        ['DELETE', `apps/app_test/subjects/${'x'.repeat(257)}`],
        ['DELETE', 'apps/app_test/subjects/%00'],
        ['DELETE', `apps/app_test/subjects/${encodeURIComponent('ü'.repeat(256))}`],
      ].map(async ([method = '', path = '']) => (await operator.request(method, `/admin/v1/${path}`)).status),
    )
    expect(answers).toEqual([404, 404, 404, 404, 400, 400, 400, 202])
  })
})
