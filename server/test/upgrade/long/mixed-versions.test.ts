import { randomBytes, randomUUID } from 'node:crypto'
import type { SavedCallback } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../../support/bootstrap-file.ts'
import type { Client } from '../../support/client.ts'
import { completed, createClient, ended, eventually, reached, script } from '../../support/client.ts'
import type { EarlierVersion } from '../../support/databases/earlier-version.ts'
import { checkOutVersion, findEarlierVersion } from '../../support/databases/earlier-version.ts'
import type { TestPostgres } from '../../support/databases/postgres.ts'
import { createDatabase, startPostgres } from '../../support/databases/postgres.ts'
import type { GatewayProcess } from '../../support/gateway-process.ts'
import { runGateway, startGateway } from '../../support/gateway-process.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { untilHolds } from '../../support/until-holds.ts'

// The promises of docs/guides/upgrade.md for two versions that run at the same time. The tests are steps of one
// upgrade, in order.

const ADMIN_TOKEN = 'admin-token-of-an-upgrade'

const found = findEarlierVersion()
if ('reason' in found) process.stderr.write(`Skipped: ${found.reason}\n`)

let earlier: EarlierVersion
let postgres: TestPostgres
let receiver: Receiver
let settings: Readonly<Record<string, string>>
let old: GatewayProcess
let next: GatewayProcess | undefined
/** A run of the earlier version that waits for a decision, and its conversation. */
let waiting: { readonly conversationId: string; readonly runId: string }
const finished = new Set<string>()

const clientOf = (process: GatewayProcess | undefined, key: string = KEYS.all): Client =>
  createClient({ baseUrl: process?.baseUrl ?? '', key })

describe.skipIf('reason' in found)('the version before the newest migration, beside this one', () => {
  beforeAll(async () => {
    if ('commit' in found) earlier = checkOutVersion(found.commit)
    postgres = await startPostgres()
    receiver = await startReceiver()
    const { url } = await createDatabase(postgres.url)
    settings = {
      DATABASE_URL: url,
      GATEWAY_BOOTSTRAP: await writeBootstrap(),
      GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
      GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
      GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
      GATEWAY_HEARTBEAT_MS: '500',
    }
    old = await startGateway(settings, undefined, [], earlier.main)
    await clientOf(old, ADMIN_TOKEN).request<SavedCallback>('POST', '/admin/v1/callbacks', {
      body: {
        app_id: 'app_test',
        endpoint_id: 'ep_script',
        url: `${receiver.origin}/events`,
        events: ['run.completed'],
        enabled: true,
      },
    })
    const client = clientOf(old)
    const conversationId = (await client.createConversation()).body.conversation_id
    const sent = await eventually(
      () => client.send(conversationId, script({ approval: 'Go on?' }, { succeed: { text: 'went on' } })),
      ({ status }) => status === 202,
    )
    waiting = { conversationId, runId: sent.body.run_id }
    await reached(client, waiting.runId, 'waiting_approval')
  })

  afterAll(async () => {
    await next?.stop()
    await receiver.close()
    await postgres.stop()
    earlier.remove()
  })

  test('the new version migrates the schema while the earlier one keeps running', async () => {
    next = await startGateway(settings)
    for (const process of [old, next])
      expect(await clientOf(process).request('GET', '/readyz')).toMatchObject({ status: 200 })
  })

  test('each version continues work that the other has begun', async () => {
    const [before, after] = [clientOf(old), clientOf(next)]
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const id = (await one.createConversation()).body.conversation_id
      for (const client of [one, other, one]) {
        const key = randomUUID()
        const sent = await client.send(id, { text: 'hello you' }, 1, key)
        expect(sent.status).toBe(202)
        const run = await ended(one, sent.body.run_id)
        expect(run).toMatchObject({ state: 'succeeded', result: { text: 'hello you' } })
        finished.add(run.run_id)
        const again = await (client === one ? other : one).send(id, { text: 'hello you' }, 1, key)
        expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
        expect(again.body).toEqual(sent.body)
      }
      const held = await one.send(id, script({ approval: 'Stay?' }))
      await reached(one, held.body.run_id, 'waiting_approval')
      const { body: control } = await other.cancel(held.body.run_id)
      expect(await completed(one, control.operation_id)).toMatchObject({ state: 'succeeded' })
      expect((await other.reset(id, 1)).status).toBe(202)
      await eventually(
        () => one.snapshot(id),
        ({ body }) => body.generation === 2,
      )
      const [mine, others] = await Promise.all([one.history(id), other.history(id)])
      expect(mine.body).toEqual(others.body)
    }
  })

  test('a run that waited before the upgrade continues after a decision in the new version', async () => {
    const operator = clientOf(next, ADMIN_TOKEN)
    const { body } = await operator.request<{ approvals: { approval_id: string; run_id: string }[] }>(
      'GET',
      '/admin/v1/approvals',
    )
    const approval = body.approvals.find(({ run_id }) => run_id === waiting.runId)
    const decided = await operator.request('POST', `/admin/v1/approvals/${approval?.approval_id}/decision`, {
      body: { decision: 'approve' },
    })
    expect(decided.status).toBe(200)
    expect(await ended(clientOf(next), waiting.runId)).toMatchObject({
      state: 'succeeded',
      result: { text: 'went on' },
    })
    finished.add(waiting.runId)
  })

  test('callbacks arrive for every run, whichever version executed it', async () => {
    const reported = () => new Set(receiver.at('/events').map(({ body }) => JSON.parse(body.toString()).run_id))
    await untilHolds(() => expect(reported()).toEqual(finished))
  })

  test('the earlier version refuses to start again, and explains why', async () => {
    const { code, log } = await runGateway(settings, [], earlier.main)
    expect(code).toBe(1)
    expect(log).toContain('The database is newer than this gateway')
    expect(log).toContain(earlier.newestMigration)
  })

  test('the earlier version stops, the new one continues alone, and neither has logged an error', async () => {
    expect(await old.stop()).toBe(0)
    const client = clientOf(next)
    const sent = await client.send(waiting.conversationId, { text: 'alone now' })
    expect(await ended(client, sent.body.run_id)).toMatchObject({ state: 'succeeded' })
    for (const process of [old, next]) expect(process?.log()).not.toContain('"level":"error"')
  })
})
