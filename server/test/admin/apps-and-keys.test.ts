import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApp, getApp, listApps, updateApp } from '../../src/gateway/admin/apps.ts'
import { createKey, listKeys, revokeKey } from '../../src/gateway/admin/keys.ts'
import type { Statement } from '../../src/store/db.ts'
import { authenticate } from '../support/authenticate.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf } from './support.ts'

const SCOPES = ['conversations:read', 'runs:read'] as const

eachDatabase('applications and their keys', (database) => {
  const setUp = () => {
    const clock = createTestClock()
    return { clock, context: testContext(database.db, clock) }
  }
  const newApp = async ({ context }: ReturnType<typeof setUp>) =>
    answerOf(await createApp(context, { owner_id: 'owner' })).app_id

  test('an application is active and has the limits of the gateway unless it is given its own [ADMIN-03]', async () => {
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

  test('a chosen ID that is taken is refused with ALREADY_EXISTS and changes nothing', async () => {
    const { context } = setUp()
    const appId = `app-${randomUUID()}`
    const app = answerOf(await createApp(context, { app_id: appId, owner_id: 'first' }))
    expect(codeOf(await createApp(context, { app_id: appId, owner_id: 'second' }))).toBe('ALREADY_EXISTS')
    expect(answerOf(await getApp(context, appId))).toEqual(app)
  })

  test('a change touches what it names; null goes back to the default of the gateway [ADMIN-03]', async () => {
    const { context } = setUp()
    const body = { owner_id: 'owner', name: 'Desk', stream_limit: 5, rate_limit_per_second: 9 }
    const app = answerOf(await createApp(context, body))
    const changes = { state: 'disabled', stream_limit: null, subject_stream_limit: 2 } as const
    const limits_in_force = { ...app.limits_in_force, stream_limit: 16, subject_stream_limit: 2 }
    const expected = { ...app, ...changes, limits_in_force }
    expect(answerOf(await updateApp(context, app.app_id, changes))).toEqual(expected)
    expect(answerOf(await getApp(context, app.app_id))).toEqual(expected)
  })

  test('pages follow each other from the newest application to the oldest, none twice and none left out', async () => {
    const { context, clock } = setUp()
    clock.pass(1000)
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) {
      // Some of them in the same millisecond.
      if (count % 2 === 0) clock.pass(1)
      made.push(answerOf(await createApp(context, { owner_id: 'owner' })).app_id)
    }
    const listed: string[] = []
    let before: string | undefined
    while (listed.length < made.length) {
      const { apps } = answerOf(await listApps(context, { limit: 2, ...(before === undefined ? {} : { before }) }))
      const moments = apps.map(({ created_at }) => created_at)
      expect(moments).toEqual([...moments].sort().reverse())
      before = apps.at(-1)?.app_id
      listed.push(...apps.map(({ app_id }) => app_id))
    }
    expect(listed.slice(0, 5).sort()).toEqual([...made].sort())
    const [oldest] = answerOf(await listApps(context, { limit: 200 })).apps.slice(-1)
    expect(answerOf(await listApps(context, { limit: 200, before: oldest?.app_id ?? '' })).apps).toEqual([])
    expect(codeOf(await listApps(context, { limit: 2, before: 'app_nobody' }))).toBe('NOT_FOUND')
  })

  test('unknown applications are NOT_FOUND everywhere', async () => {
    const { context } = setUp()
    const outcomes = [
      await getApp(context, 'app_nobody'),
      await updateApp(context, 'app_nobody', { name: 'x' }),
      await createKey(context, 'app_nobody', { scopes: [...SCOPES] }),
      await listKeys(context, 'app_nobody', { limit: 50 }),
      await revokeKey(context, 'app_nobody', 'key_nothing'),
    ]
    expect(outcomes.map(codeOf)).toEqual(outcomes.map(() => 'NOT_FOUND'))
  })

  test('the secret of a key is nowhere in the database [AUTH-09]', async () => {
    const { context, clock } = setUp()
    const appId = await newApp({ context, clock })
    const { key } = answerOf(await createKey(context, appId, { scopes: [...SCOPES] }))
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

  test('revoking a key a second time changes nothing [AUTH-14]', async () => {
    const { context, clock } = setUp()
    const appId = await newApp({ context, clock })
    const key = answerOf(await createKey(context, appId, { scopes: [...SCOPES] }))
    const revoked = answerOf(await revokeKey(context, appId, key.key_id))
    clock.pass(1000)
    expect(answerOf(await revokeKey(context, appId, key.key_id))).toEqual(revoked)
  })

  test('a key of another application cannot be revoked through this one', async () => {
    const { context, clock } = setUp()
    const [one, two] = [await newApp({ context, clock }), await newApp({ context, clock })]
    const { key_id } = answerOf(await createKey(context, one, { scopes: [...SCOPES] }))
    expect(codeOf(await revokeKey(context, two, key_id))).toBe('NOT_FOUND')
    expect(answerOf(await listKeys(context, one, { limit: 50 })).keys[0]?.revoked_at).toBeNull()
  })

  test('a key expires when it was told to, and an expiry that has passed already is refused [AUTH-13]', async () => {
    const { context, clock } = setUp()
    const appId = await newApp({ context, clock })
    const refused = await createKey(context, appId, { scopes: [...SCOPES], expires_at: '2026-01-01T00:00:00Z' })
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', faults: [{ pointer: '/expires_at' }] })
    const body = { scopes: [...SCOPES], expires_at: '2026-01-01T01:00:10+01:00' }
    const { key, expires_at } = answerOf(await createKey(context, appId, body))
    expect(expires_at).toBe('2026-01-01T00:00:10.000Z')
    expect(await authenticate(database.db, clock, key)).toMatchObject({ appId })
    clock.pass(10_000)
    expect(await authenticate(database.db, clock, key)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
