import { randomUUID } from 'node:crypto'
import type { CreateKey } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, test } from 'vitest'
import { createApp, getApp, updateApp } from '../../src/gateway/admin/apps.ts'
import { createKey, listKeys, revokeKey } from '../../src/gateway/admin/keys.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import type { Statement } from '../../src/store/db.ts'
import { authenticate } from '../support/authenticate.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf } from './support.ts'

const SCOPES: CreateKey['scopes'] = ['conversations:read', 'runs:read']

eachDatabase('applications and their keys', (database) => {
  const setUp = () => {
    const clock = createTestClock()
    return { clock, context: testContext(database.db, clock) }
  }
  const newApp = async (context: GatewayContext) => answerOf(await createApp(context, { owner_id: 'owner' })).app_id

  test('a new application is active, and has the limits of the gateway unless it sets its own [ADMIN-03]', async () => {
    const { context } = setUp()
    const app = answerOf(await createApp(context, { owner_id: 'owner', name: 'Desk', pending_limit: 3 }))
    expect(app).toEqual({
      app_id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
      owner_id: 'owner',
      name: 'Desk',
      state: 'active',
      pending_limit: 3,
      rate_limit_per_second: null,
      stream_limit: null,
      subject_stream_limit: null,
      limits_in_force: { pending_limit: 3, rate_limit_per_second: 500, stream_limit: 16, subject_stream_limit: 4 },
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect(answerOf(await getApp(context, app.app_id))).toEqual(app)
  })

  test('an existing ID is refused with ALREADY_EXISTS', async () => {
    const { context } = setUp()
    const appId = `app-${randomUUID()}`
    const app = answerOf(await createApp(context, { app_id: appId, owner_id: 'first' }))
    expect(codeOf(await createApp(context, { app_id: appId, owner_id: 'second' }))).toBe('ALREADY_EXISTS')
    expect(answerOf(await getApp(context, appId))).toEqual(app)
  })

  test('a change affects only the given members, and null restores the default of the gateway [ADMIN-03]', async () => {
    const { context } = setUp()
    const body = { owner_id: 'owner', name: 'Desk', stream_limit: 5, rate_limit_per_second: 9 }
    const app = answerOf(await createApp(context, body))
    const changes = { state: 'disabled', stream_limit: null, subject_stream_limit: 2 } as const
    const limits_in_force = { ...app.limits_in_force, stream_limit: 16, subject_stream_limit: 2 }
    const expected = { ...app, ...changes, limits_in_force }
    expect(answerOf(await updateApp(context, app.app_id, changes))).toEqual(expected)
    expect(answerOf(await getApp(context, app.app_id))).toEqual(expected)
  })

  test('every operation on an unknown application is NOT_FOUND', async () => {
    const { context } = setUp()
    const outcomes = [
      await getApp(context, 'app_nobody'),
      await updateApp(context, 'app_nobody', { name: 'x' }),
      await createKey(context, 'app_nobody', { scopes: SCOPES }),
      await listKeys(context, 'app_nobody', { limit: 50 }),
      await revokeKey(context, 'app_nobody', 'key_nothing'),
    ]
    expect(outcomes.map(codeOf)).toEqual(outcomes.map(() => 'NOT_FOUND'))
  })

  test('the database does not contain the secret of a key [AUTH-09]', async () => {
    const { context } = setUp()
    const appId = await newApp(context)
    const { key } = answerOf(await createKey(context, appId, { scopes: SCOPES }))
    const statement: Statement = {
      name: 'test_key_rows',
      access: 'read',
      text: 'select to_json(k)::text as row from api_keys k where app_id = $1',
    }
    const rows = await database.db.query<{ row: string }>(statement, [appId])
    const secret = key.slice(-43)
    expect(rows).toHaveLength(1)
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([])
  })

  test('revoking a revoked key changes nothing [AUTH-14]', async () => {
    const { context, clock } = setUp()
    const appId = await newApp(context)
    const key = answerOf(await createKey(context, appId, { scopes: SCOPES }))
    const revoked = answerOf(await revokeKey(context, appId, key.key_id))
    clock.pass(1000)
    expect(answerOf(await revokeKey(context, appId, key.key_id))).toEqual(revoked)
  })

  test('a key cannot be revoked through another application', async () => {
    const { context } = setUp()
    const [one, two] = [await newApp(context), await newApp(context)]
    const { key_id } = answerOf(await createKey(context, one, { scopes: SCOPES }))
    expect(codeOf(await revokeKey(context, two, key_id))).toBe('NOT_FOUND')
    expect(answerOf(await listKeys(context, one, { limit: 50 })).keys[0]?.revoked_at).toBeNull()
  })

  test('a key is refused from its expiry on, and cannot be created with an expiry in the past [AUTH-13]', async () => {
    const { context, clock } = setUp()
    const appId = await newApp(context)
    const refused = await createKey(context, appId, { scopes: SCOPES, expires_at: '2026-01-01T00:00:00Z' })
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', faults: [{ pointer: '/expires_at' }] })
    const body = { scopes: SCOPES, expires_at: '2026-01-01T01:00:10+01:00' }
    const { key, expires_at } = answerOf(await createKey(context, appId, body))
    expect(expires_at).toBe('2026-01-01T00:00:10.000Z')
    expect(await authenticate(database.db, clock, key)).toMatchObject({ appId })
    clock.pass(10_000)
    expect(await authenticate(database.db, clock, key)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
