import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { ask, finishedRecords, ROUTES, type Route, type RouteRequest, requestTo } from '../support/api-routes.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { untilHolds } from '../support/until-holds.ts'

const KEYED = ROUTES.filter(({ info }) => info.idempotent)
/** The bytes with which the database client requests a commit. */
const COMMIT = 'commit\0'

onPostgres('a lost answer of the database', (database) => {
  let proxy: TcpProxy
  let db: Db
  let running: RunningGateway & { stop(): Promise<void> }
  beforeAll(async () => {
    proxy = await startTcpProxy(database.url)
    db = createPgDb({ url: proxy.url, deadlineMs: 1000 })
    // Without workers, only the requests of the tests commit.
    running = await startRunningGateway({ db }, { roles: new Set(['api']), deadlineMs: 2500 })
    await database.db.exec(`update devices set heartbeat_at = now() + interval '1 hour'`)
  })
  afterAll(async () => {
    await running.stop()
    await db.close()
    await proxy.close()
  })

  const requestOf = async (route: Route): Promise<RouteRequest> =>
    requestTo(route, await finishedRecords(running.client()))

  test.each(KEYED.map((route) => [route.id, route] as const))(
    'to the commit of %s causes a 503 with unknown outcome, and its key returns the admission [IDEM-25, IDEM-29, OPS-18]',
    async (_, route) => {
      const [key, request] = [randomUUID(), await requestOf(route)]
      // The database executes the commit, but its answer is lost.
      proxy.swallowAnswersTo(COMMIT, () => {})
      const lost = await ask(running.client(), route, request, key)
      proxy.swallow(null)
      expect(lost).toMatchObject({ status: 503, body: { code: 'CAPABILITY_UNAVAILABLE', outcome: 'unknown' } })
      expect(lost.headers.get('retry-after')).toBe('1')
      await untilHolds(async () => {
        const found = await ask(running.client(), route, request, key)
        expect([found.status, found.headers.get('idempotency-replayed')]).toEqual([route.info.successStatus, 'true'])
      })
    },
  )

  test('to a commit is replaced by a lookup of the key, if a new connection works [IDEM-25]', async () => {
    const route = KEYED.find(({ id }) => id === 'createResource')
    if (route === undefined) throw new Error('no such route')
    const request = await requestOf(route)
    // All connections break after the server has received the commit. New ones work.
    proxy.swallowAnswersTo(COMMIT, () => {
      setTimeout(() => {
        proxy.swallow(null)
        proxy.cut()
      }, 100)
    })
    const answer = await ask(running.client(), route, request, randomUUID())
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  })

  test('to a read, or before a commit, causes a 503 without `outcome`, and the key stays unused [IDEM-20]', async () => {
    const client = running.client()
    const [key, records] = [randomUUID(), await finishedRecords(client)]
    proxy.swallow('answers')
    const [read, created] = await Promise.all([
      client.request<{ outcome?: string }>('GET', `/api/v1/conversations/${records.conversation_id}`),
      client.request<{ outcome?: string }>('POST', '/api/v1/conversations', {
        body: { endpoint_id: 'ep_echo' },
        idempotencyKey: key,
      }),
    ])
    proxy.swallow(null)
    for (const { status, body } of [read, created]) {
      expect(status).toBe(503)
      expect(body).not.toHaveProperty('outcome')
    }
    await untilHolds(async () => {
      const other = await client.request('POST', '/api/v1/conversations', {
        body: { endpoint_id: 'ep_script' },
        idempotencyKey: key,
      })
      expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
    })
  })
})

onPostgres('an operation that takes too long', (database) => {
  test('is answered at its deadline, with an unknown outcome if it writes [OPS-17, IDEM-25]', async () => {
    let isSlow = false
    const slow: Db = {
      ...database.db,
      query: async (statement, params) => {
        if (statement.name === 'find_run') await new Promise((resolve) => setTimeout(resolve, 1000))
        return database.db.query(statement, params)
      },
      transaction: async (work, options) => {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1000))
        return database.db.transaction(work, options)
      },
    }
    const running = await startRunningGateway({ db: slow }, { deadlineMs: 200 })
    const client = running.client()
    const { conversation_id: id } = (await client.createConversation()).body
    const key = randomUUID()
    isSlow = true
    expect(await client.send(id, { text: 'late' }, 1, key)).toMatchObject({
      status: 503,
      body: { outcome: 'unknown' },
    })
    isSlow = false
    const read = await client.request('GET', `/api/v1/runs/run_${'0'.repeat(32)}`)
    expect(read.status).toBe(503)
    expect(read.body).not.toHaveProperty('outcome')
    await untilHolds(async () =>
      expect((await client.history(id)).body.messages.filter(({ role }) => role === 'user')).toHaveLength(1),
    )
    await running.stop()
  })
})
