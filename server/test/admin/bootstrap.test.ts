import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootstrapFromFile } from '../../src/bootstrap.ts'
import { getApp, updateApp } from '../../src/gateway/admin/apps.ts'
import { getDevice } from '../../src/gateway/admin/devices.ts'
import { getEndpoint } from '../../src/gateway/admin/endpoints.ts'
import { listKeys, revokeKey } from '../../src/gateway/admin/keys.ts'
import { createAuthenticator } from '../../src/gateway/authenticate.ts'
import type { Bootstrap } from '../../src/generated/bootstrap.ts'
import { KEYS, TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
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
    return bootstrapFromFile(context, path)
  }
  return { clock, context, apply }
}

const ROWS = ['apps', 'api_keys', 'devices', 'endpoints', 'endpoint_versions'].map((table) => ({
  name: `test_all_${table}`,
  text: `select coalesce(json_agg(t order by t::text), '[]')::text as rows from ${table} t`,
}))
const everything = async ({ db }: TestDatabase) => {
  const tables = await Promise.all(ROWS.map((statement) => db.query<{ rows: string }>(statement, [])))
  return tables.map(([table]) => table?.rows)
}

eachDatabase('a bootstrap file', (database) => {
  test('brings its applications, keys, devices and services into being [BOOT-01, BOOT-04, BOOT-05, BOOT-06]', async () => {
    const { context, clock, apply } = setUp(database)
    expect(await apply(TEST_BOOTSTRAP)).toEqual([])
    const caller = await createAuthenticator(database.db, clock).authenticate(`Bearer ${KEYS.only['runs:read']}`)
    expect(caller).toMatchObject({ appId: 'app_test', scopes: new Set(['runs:read']) })
    expect(answerOf(await getApp(context, 'app_other'))).toMatchObject({ owner_id: 'owner_other', state: 'active' })
    expect(answerOf(await getDevice(context, 'dev_second'))).toMatchObject({ state: 'active', online: false })
    expect(answerOf(await getEndpoint(context, 'app_test', 'ep_script'))).toMatchObject({
      device_id: 'dev_test',
      binding_version: 1,
      assistant: { type: 'script' },
      accepts: ['text/*'],
    })
  })

  test('applied again changes nothing, also later and with members in another order [BOOT-02]', async () => {
    const { clock, apply } = setUp(database)
    await apply(TEST_BOOTSTRAP)
    const before = await everything(database)
    clock.pass(60_000)
    expect(await apply({ ...TEST_BOOTSTRAP, endpoints: [...TEST_BOOTSTRAP.endpoints].reverse() })).toEqual([])
    expect(await everything(database)).toEqual(before)
  })

  test('accepts keys of any form, and gives each the scopes that the file has now [BOOT-04]', async () => {
    const { clock, apply } = setUp(database)
    const file = (scopes: string[]) => ({
      apps: [{ app_id: 'app_plain', owner_id: 'owner', keys: [{ key: 'local-development', scopes }] }],
    })
    expect(await apply(file(['runs:read']))).toEqual([])
    expect(await apply(file(['runs:read', 'runs:write']))).toEqual([])
    const caller = await createAuthenticator(database.db, clock).authenticate('Bearer local-development')
    expect(caller).toMatchObject({ appId: 'app_plain', scopes: new Set(['runs:read', 'runs:write']) })
  })

  test('does not bring a revoked key back', async () => {
    const { context, clock, apply } = setUp(database)
    const file = {
      apps: [{ app_id: 'app_revoked', owner_id: 'owner', keys: [{ key: 'old-key', scopes: ['runs:read'] }] }],
    }
    await apply(file)
    const [key] = answerOf(await listKeys(context, 'app_revoked', { limit: 1 })).keys
    await revokeKey(context, 'app_revoked', key?.key_id ?? '')
    await apply(file)
    const caller = await createAuthenticator(database.db, clock).authenticate('Bearer old-key')
    expect(caller).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('changes what an entry names and leaves alone what an operator changed besides', async () => {
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

  test('publishes a changed assistant or changed types as the next compatible version, and nothing for the same', async () => {
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
    ] as const
    for (const [endpoint, version] of steps) {
      expect(await apply(file(endpoint))).toEqual([])
      const published = answerOf(await getEndpoint(context, 'app_service', 'ep'))
      expect([endpoint, published.binding_version]).toEqual([endpoint, version])
      expect(published.compatibility).toBe('compatible')
    }
    expect(answerOf(await getEndpoint(context, 'app_service', 'ep'))).toMatchObject({
      name: 'Named',
      device_id: 'dev_other',
    })
  })

  test('that is not JSON is refused as a whole [BOOT-03]', async () => {
    const { apply } = setUp(database)
    expect(await apply('{ "apps": [')).toEqual([{ pointer: '', message: 'is not valid JSON' }])
    const app = { app_id: 'app_nul', owner_id: '\0' }
    expect(await apply({ apps: [app] })).toMatchObject([{ pointer: '/apps/0/owner_id' }])
  })

  test('that breaks the schema is refused with all of its faults, each at its place [BOOT-03]', async () => {
    const { apply } = setUp(database)
    const before = await everything(database)
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
    expect(await everything(database)).toEqual(before)
  })

  test('that contradicts itself or the database is refused with all of its faults, and nothing of it is applied', async () => {
    const { apply } = setUp(database)
    await apply(TEST_BOOTSTRAP)
    const before = await everything(database)
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
    ])
    expect(await everything(database)).toEqual(before)
  })

  test('with webhooks or callbacks is refused until there are some, but its entries are checked all the same', async () => {
    const { apply } = setUp(database)
    const callback = {
      callback_id: 'cb',
      endpoint_id: 'ep_script',
      url: 'https://example.com/events',
      events: ['run.completed'],
      secret: 'secret',
    }
    expect(await apply({ callbacks: [callback], webhooks: [] })).toEqual([
      { pointer: '/callbacks', message: 'is not supported by this version of the gateway' },
    ])
    const faults = await apply({ callbacks: [{ ...callback, events: [] }] })
    expect(faults).toMatchObject([{ pointer: '/callbacks/0/events' }])
  })
})

onPostgres('a bootstrap file of two processes that start at once', (database) => {
  test('is applied by one after the other', async () => {
    const { context, apply } = setUp(database)
    const path = join(folder, 'shared.json')
    await writeFile(path, JSON.stringify(TEST_BOOTSTRAP))
    const others = Array.from({ length: 4 }, () => testContext(database.openAnother(), context.clock))
    const outcomes = await Promise.all(others.map((other) => bootstrapFromFile(other, path)))
    expect(outcomes).toEqual(others.map(() => []))
    const before = await everything(database)
    await apply(TEST_BOOTSTRAP)
    expect(await everything(database)).toEqual(before)
  })
})
