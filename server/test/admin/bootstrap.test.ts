import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootstrapFromFile } from '../../src/app/bootstrap.ts'
import { hashToken } from '../../src/domain/api-key.ts'
import { createSecretBox } from '../../src/domain/secret-box.ts'
import { getApp, updateApp } from '../../src/gateway/admin/apps.ts'
import { getEndpoint } from '../../src/gateway/admin/endpoints.ts'
import { listKeys, revokeKey } from '../../src/gateway/admin/keys.ts'
import { getWebhook, updateWebhook } from '../../src/gateway/admin/webhooks.ts'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { openWebhookSecret } from '../../src/gateway/secrets/signing-secret.ts'
import { insertKey } from '../../src/store/admin/keys.ts'
import { findWebhook } from '../../src/store/admin/webhooks.ts'
import type { Statement } from '../../src/store/db.ts'
import { authenticate } from '../support/authenticate.ts'
import { KEYS, TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'
import { answerOf } from './support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-bootstrap-'))
})
afterAll(() => rm(folder, { recursive: true }))

const setUp = ({ db }: TestDatabase) => {
  const clock = createTestClock()
  const context = testContext(db, clock)
  const apply = async (content: unknown) => {
    const path = join(folder, 'bootstrap.json')
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return (await bootstrapFromFile(context, path)).faults
  }
  return { clock, context, apply }
}

const ROWS = ['apps', 'api_keys', 'devices', 'endpoints', 'endpoint_versions'].map(
  (table): Statement => ({
    name: `test_all_${table}`,
    access: 'read',
    text: `select coalesce(json_agg(t order by t::text), '[]')::text as rows from ${table} t`,
  }),
)
const dumpConfiguration = async ({ db }: TestDatabase) => {
  const tables = await Promise.all(ROWS.map((statement) => db.query<{ rows: string }>(statement, [])))
  return tables.map(([table]) => table?.rows)
}

eachDatabase('a bootstrap file', (database) => {
  test('changes nothing if it is applied again, even later or with its members in another order [BOOT-02]', async () => {
    const { clock, apply } = setUp(database)
    await apply(TEST_BOOTSTRAP)
    const before = await dumpConfiguration(database)
    clock.pass(60_000)
    expect(await apply({ ...TEST_BOOTSTRAP, endpoints: [...TEST_BOOTSTRAP.endpoints].reverse() })).toEqual([])
    expect(await dumpConfiguration(database)).toEqual(before)
  })

  test('accepts keys of any form, and updates their scopes [BOOT-04]', async () => {
    const { clock, apply } = setUp(database)
    const file = (scopes: string[]) => ({
      apps: [{ app_id: 'app_plain', owner_id: 'owner', keys: [{ key: 'local-development', scopes }] }],
    })
    expect(await apply(file(['runs:read']))).toEqual([])
    expect(await apply(file(['runs:read', 'runs:write']))).toEqual([])
    const caller = await authenticate(database.db, clock, 'local-development')
    expect(caller).toMatchObject({ appId: 'app_plain', scopes: new Set(['runs:read', 'runs:write']) })
  })

  test('gives a key that contains no ID a random one, and keeps the ID of an existing key [AUTH-24, BOOT-04]', async () => {
    const { context, clock, apply } = setUp(database)
    const keys = ['chosen-now', 'chosen-before'].map((key) => ({ key, scopes: ['runs:read'] }))
    const hash = hashToken('chosen-before')
    const oldId = `key_${hash.toString('hex', 0, 16)}`
    await apply({ apps: [{ app_id: 'app_chosen', owner_id: 'owner' }] })
    const old = { keyId: oldId, appId: 'app_chosen', name: null, createdAt: clock.now(), expiresAt: null, prefix: null }
    await insertKey(database.db, { ...old, scopes: ['runs:write'], secretHash: hash })
    expect(await apply({ apps: [{ app_id: 'app_chosen', owner_id: 'owner', keys }] })).toEqual([])
    const listed = answerOf(await listKeys(context, 'app_chosen', { limit: 10 })).keys
    expect(listed.map(({ scopes }) => scopes)).toEqual([['runs:read'], ['runs:read']])
    const [newId, ...others] = listed.map(({ key_id }) => key_id).filter((id) => id !== oldId)
    expect(others).toEqual([])
    expect(newId).not.toContain(hashToken('chosen-now').toString('hex', 0, 4))
    for (const { key } of keys)
      expect(await authenticate(database.db, clock, key)).toMatchObject({ appId: 'app_chosen' })
  })

  const withWebhook = (entry: object = {}) => ({
    ...TEST_BOOTSTRAP,
    webhooks: [{ ...MESSAGE_BY_KEY, integration_id: 'wh_orders', secret: 'whsec_first', ...entry }],
  })
  const secretOf = async (context: GatewayContext) => {
    const { integrationId, sealedSecret } = (await findWebhook(context.db, 'wh_orders')) ?? {}
    if (integrationId === undefined || sealedSecret === undefined || context.secrets === null) return null
    return openWebhookSecret(context.secrets, integrationId, sealedSecret)
  }

  test('creates its webhook integrations, and updates the members that it specifies [BOOT-07, BOOT-02]', async () => {
    const { context, clock, apply } = setUp(database)
    expect(await apply(withWebhook())).toEqual([])
    const created = answerOf(await getWebhook(context, 'wh_orders'))
    expect(created).toMatchObject({ ...MESSAGE_BY_KEY, enabled: true })
    expect(await secretOf(context)).toBe('whsec_first')
    clock.pass(1000)
    await updateWebhook(context, 'wh_orders', { enabled: false, data_field: 'order' })
    const changed = answerOf(await getWebhook(context, 'wh_orders'))
    clock.pass(1000)
    expect(await apply(withWebhook())).toEqual([])
    expect(answerOf(await getWebhook(context, 'wh_orders'))).toEqual(changed)
    expect(await apply(withWebhook({ secret: 'whsec_second', enabled: true, subject: 'another' }))).toEqual([])
    const { updated_at: _, ...rest } = changed
    const last = answerOf(await getWebhook(context, 'wh_orders'))
    expect(last).toMatchObject({ ...rest, subject: 'another', enabled: true })
    expect(await secretOf(context)).toBe('whsec_second')
    // A gateway that has lost its secret key can apply the file, which contains the secret.
    const other = { ...context, secrets: createSecretBox(Buffer.alloc(32, 9)) }
    expect((await applyBootstrap(other, withWebhook({ secret: 'whsec_second' }))).faults).toEqual([])
    expect(await secretOf(other)).toBe('whsec_second')
  })

  test('is refused if a webhook is invalid, a duplicate or of another application, or if the gateway has no secret key', async () => {
    const { context, apply } = setUp(database)
    const [entry] = withWebhook({ integration_id: 'wh_one' }).webhooks
    const faulty = async (webhooks: object[]) =>
      (await apply({ ...TEST_BOOTSTRAP, webhooks })).map(({ pointer }) => pointer)
    expect(await faulty([{ ...entry, app_id: 'app_nobody' }])).toEqual(['/webhooks/0/app_id'])
    expect(await faulty([{ ...entry, endpoint_id: 'ep_other' }])).toEqual(['/webhooks/0/endpoint_id'])
    expect(await faulty([{ ...entry }, { ...entry }])).toEqual(['/webhooks/1/integration_id'])
    expect(await faulty([{ ...entry, action: 'cancel' }])).toContain('/webhooks/0/run_id_field')
    expect(await faulty([{ ...entry }])).toEqual([])
    const foreign = { ...entry, app_id: 'app_other', endpoint_id: 'ep_other' }
    expect(await faulty([foreign])).toEqual(['/webhooks/0/integration_id'])
    const { faults } = await applyBootstrap({ ...context, secrets: null }, withWebhook())
    expect(faults).toEqual([{ pointer: '/webhooks', message: expect.stringContaining('GATEWAY_SECRET_KEY') }])
  })

  test('does not restore a revoked key', async () => {
    const { context, clock, apply } = setUp(database)
    const keys = [{ key: 'old-key', scopes: ['runs:read'] }]
    const file = { apps: [{ app_id: 'app_revoked', owner_id: 'owner', keys }] }
    await apply(file)
    const [key] = answerOf(await listKeys(context, 'app_revoked', { limit: 1 })).keys
    await revokeKey(context, 'app_revoked', key?.key_id ?? '')
    await apply(file)
    const caller = await authenticate(database.db, clock, 'old-key')
    expect(caller).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('changes only the members in the file, and keeps other changes by operators', async () => {
    const { context, apply } = setUp(database)
    const file = (app: object) => ({ apps: [{ app_id: 'app_changed', owner_id: 'owner', ...app }] })
    await apply(file({ name: 'Desk', stream_limit: 3 }))
    await updateApp(context, 'app_changed', { pending_limit: 7, state: 'disabled' })
    await apply(file({ name: 'Order desk' }))
    expect(answerOf(await getApp(context, 'app_changed'))).toMatchObject({
      name: 'Order desk',
      stream_limit: 3,
      pending_limit: 7,
      state: 'disabled',
    })
  })

  test('publishes a compatible version if the assistant, the accepted types or the time limit change', async () => {
    const { context, apply } = setUp(database)
    const file = (endpoint: object): Bootstrap => ({
      apps: [{ app_id: 'app_service', owner_id: 'owner' }],
      devices: [{ device_id: 'dev_service' }, { device_id: 'dev_other' }],
      endpoints: [{ endpoint_id: 'ep', app_id: 'app_service', device_id: 'dev_service', ...endpoint }],
    })
    const openai = { type: 'openai', base_url: 'http://127.0.0.1:1/v1', model: 'small' }
    const steps = [
      [{}, 1],
      [{ assistant: { type: 'echo' }, accepts: [] }, 1],
      [{ accepts: ['text/*'] }, 2],
      [{ assistant: openai, accepts: ['text/*'] }, 3],
      [{ assistant: { model: 'small', base_url: openai.base_url, type: 'openai' }, accepts: ['text/*'] }, 3],
      [{ assistant: openai, accepts: ['text/*'], name: 'Named', device_id: 'dev_other' }, 3],
      [{ assistant: openai, accepts: ['text/*'], max_run_seconds: 3600 }, 3],
      [{ assistant: openai, accepts: ['text/*'], max_run_seconds: 60 }, 4],
      [{ assistant: openai, accepts: ['text/*'] }, 4],
    ] as const
    for (const [endpoint, version] of steps) {
      expect(await apply(file(endpoint))).toEqual([])
      const published = answerOf(await getEndpoint(context, 'app_service', 'ep'))
      expect([endpoint, published.binding_version]).toEqual([endpoint, version])
      expect(published.compatibility).toBe('compatible')
    }
    expect(answerOf(await getEndpoint(context, 'app_service', 'ep'))).toMatchObject({
      name: 'Named',
      device_id: 'dev_service',
      max_run_seconds: 60,
    })
  })

  test('is refused if it is not JSON, is empty or contains a NUL character [BOOT-03]', async () => {
    const { apply } = setUp(database)
    expect(await apply('{ "apps": [')).toEqual([{ pointer: '', message: 'is not valid JSON' }])
    expect(await apply('\ufeff\n')).toEqual([{ pointer: '', message: 'is empty' }])
    expect(await apply({ apps: [{ owner_id: '\0' }] })).toMatchObject([{ pointer: '/apps/0/owner_id' }])
  })

  test('is refused with all faults and their pointers if it breaks the schema [BOOT-03]', async () => {
    const { apply } = setUp(database)
    const before = await dumpConfiguration(database)
    const faults = await apply({
      apps: [
        { app_id: 'app with spaces', owner_id: 'owner', keys: [{ key: 'k', scopes: ['all'] }] },
        { app_id: 'app_1' },
      ],
      devices: [{ device_id: 'dev_1', color: 'red' }],
      endpoints: [
        { endpoint_id: 'ep_1', app_id: 'app_1', device_id: 'dev_1', assistant: { type: 'openai', model: 'm' } },
        { endpoint_id: 'ep_2', app_id: 'app_1', device_id: 'dev_1', assistant: { type: 'oracle' } },
      ],
      servers: [],
    })
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual([
      '/apps/0/app_id',
      '/apps/0/keys/0/scopes/0',
      '/apps/1/owner_id',
      '/devices/0/color',
      '/endpoints/0/assistant/base_url',
      '/endpoints/1/assistant/type',
      '/servers',
    ])
    expect(await dumpConfiguration(database)).toEqual(before)
  })

  test('is refused with all faults if it contradicts itself or the database', async () => {
    const { apply } = setUp(database)
    await apply(TEST_BOOTSTRAP)
    const before = await dumpConfiguration(database)
    const key = { key: 'twice', scopes: ['runs:read'] }
    const faults = await apply({
      apps: [
        { app_id: 'app_new', owner_id: 'owner', keys: [key, { key: KEYS.all, scopes: ['runs:read'] }] },
        { app_id: 'app_new', owner_id: 'owner', keys: [key] },
      ],
      devices: [{ device_id: 'dev_new' }, { device_id: 'dev_new' }],
      endpoints: [
        { endpoint_id: 'ep', app_id: 'app_test', device_id: 'dev_nobody' },
        { endpoint_id: 'ep', app_id: 'app_nobody', device_id: 'dev_new' },
        { endpoint_id: 'ep', app_id: 'app_test', device_id: 'dev_test' },
        {
          endpoint_id: 'ep_model',
          app_id: 'app_test',
          device_id: 'dev_test',
          assistant: { type: 'openai', base_url: 'https://x.example', model: 'm', api_key_env: 'GATEWAY_SECRET_KEY' },
        },
      ],
    })
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual([
      '/apps/0/keys/1/key',
      '/apps/1/app_id',
      '/apps/1/keys/0/key',
      '/devices/1/device_id',
      '/endpoints/0/device_id',
      '/endpoints/1/app_id',
      '/endpoints/2/endpoint_id',
      '/endpoints/3/assistant/api_key_env',
    ])
    expect(await dumpConfiguration(database)).toEqual(before)
  })
})

onPostgres('a bootstrap file of processes that start at the same time', (database) => {
  test('is applied by one process after the other', async () => {
    const { context, apply } = setUp(database)
    const path = join(folder, 'shared.json')
    await writeFile(path, JSON.stringify(TEST_BOOTSTRAP))
    const others = Array.from({ length: 4 }, () => testContext(database.openAnother(), context.clock))
    const outcomes = await Promise.all(others.map((other) => bootstrapFromFile(other, path)))
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
    expect(outcomes.filter(({ changes }) => changes.length > 0)).toHaveLength(1)
    const before = await dumpConfiguration(database)
    await apply(TEST_BOOTSTRAP)
    expect(await dumpConfiguration(database)).toEqual(before)
  })
})
