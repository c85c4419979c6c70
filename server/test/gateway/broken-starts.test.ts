import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Statement } from '../../src/store/db.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { beforeStatement } from '../support/databases/before-statement.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { intention, sendText } from '../support/gateway-fixture.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { setUpSlots } from './slot-fixture.ts'

const END_SESSION: Statement = {
  name: 'test_end_session',
  access: 'read',
  text: 'select pg_terminate_backend(pg_backend_pid())',
}

onPostgres('a batch that starts what it admits, when its connection breaks', (database) => {
  test.each([
    'lock_free_conversations',
    'count_pending_runs',
    'read_starts',
    'find_idempotency_records',
    'write_conversations',
    'write_pending_runs',
  ])('at %s has started nothing and given its slots back, and starts all when it is asked for again', async (step) => {
    let isArmed = true
    const through = beforeStatement(database.db, ({ name }, tx) => {
      if (!isArmed || !name.startsWith(step)) return
      isArmed = false
      tx.query(END_SESSION, []).catch(() => {})
    })
    const fixture = await setUpSlots(database.db, { through })
    const { context, tenant, settled, states } = fixture
    const ids = [await fixture.newConversation(), await fixture.newConversation()]
    const keys = ids.map(() => randomUUID())
    const sendAll = () =>
      Promise.allSettled(ids.map((id, n) => sendText(context, tenant, id, { request: intention(n, keys[n] ?? '') })))
    for (const outcome of await sendAll())
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    expect(isArmed).toBe(false)
    expect(await Promise.all(ids.map(states))).toEqual([null, null])
    expect(fixture.reserved()).toBe(0)
    expect(settled.filter(({ outcome }) => outcome === 'committed')).toEqual([])
    for (const outcome of await sendAll())
      expect(outcome).toMatchObject({ status: 'fulfilled', value: { kind: 'admitted', replayed: false } })
    expect(await Promise.all(ids.map(states))).toEqual(['running', 'running'])
    expect(settled.flatMap(({ outcome, runs }) => (outcome === 'committed' ? runs : []))).toHaveLength(2)
  })

  let proxy: TcpProxy
  let throughProxy: Db
  beforeAll(async () => {
    proxy = await startTcpProxy(database.url)
    throughProxy = createPgDb({ url: proxy.url, deadlineMs: 1000 })
  })
  afterAll(async () => {
    await throughProxy.close()
    await proxy.close()
  })

  test('at its commit may or may not have started them, and the reservation ends as unknown [IDEM-25]', async () => {
    const fixture = await setUpSlots(database.db, { through: throughProxy })
    const { context, tenant, settled, states } = fixture
    const id = await fixture.newConversation()
    const request = intention('lost')
    proxy.swallowAnswersTo('commit\0', () => {})
    const sent = await sendText(context, tenant, id, { request })
    proxy.swallow(null)
    // Who asked has looked its key up, on another connection.
    expect(sent).toMatchObject({ kind: 'admitted', replayed: true })
    expect(settled).toMatchObject([{ outcome: 'unknown', runs: [{ conversationId: id }] }])
    expect(await states(id)).toBe('running')
  })
})
