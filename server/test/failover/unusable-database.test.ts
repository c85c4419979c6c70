import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUnavailable, type Db, type Statement } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { migrate } from '../../src/store/migrate.ts'
import { ask, finishedRecords, type RecordIds, ROOM_FOR_STREAMS, ROUTES, requestTo } from '../support/api-routes.ts'
import { onPglite } from '../support/databases/databases.ts'
import { startPostgres, type TestPostgres } from '../support/databases/postgres.ts'
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

/** Short, so that blocked statements are abandoned soon; the gateway's default is ten seconds. */
const DEADLINE_MS = 1500

/** Makes every write raise the error of a full disk, with a trigger on every table. */
const FILL = `
create function no_room() returns trigger language plpgsql as $$ begin
  raise exception 'could not extend file "base/5/16385": No space left on device' using errcode = '53100';
end $$;
do $$ declare found record; begin
  for found in select tablename from pg_tables where schemaname = 'public' loop
    execute format('create trigger no_room before insert or update or delete on %I for each statement execute function no_room()', found.tablename);
  end loop;
end $$;`
const FREE = 'drop function no_room() cascade;'

/** The statements lock every table and can deadlock with a transaction of the gateway, so they are repeated. */
const alterTables = (db: Db, statements: string) => untilHolds(() => db.exec(statements))

interface Fault {
  readonly name: string
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  /** The reason in `/readyz`. */
  readonly reason: RegExp
  /** Whether reads are answered: always, until the gateway notices the fault, or never. */
  readonly reads: 'always' | 'at first' | 'never'
}

const survives = (running: () => RunningGateway, { name, begin, end, reason, reads }: Fault): void => {
  describe(`a database that ${name}`, () => {
    let records: RecordIds
    beforeAll(async () => {
      records = await finishedRecords(running().client())
      await begin()
    })
    afterAll(() => end())
    const probe = async (path: string) => {
      const response = await fetch(running().baseUrl + path)
      return { status: response.status, text: await response.text(), wait: response.headers.get('retry-after') }
    }

    test('causes 503 with Retry-After on every route except for reads that still work, and never 500 [OPS-18]', async () => {
      const client = running().client()
      const answers = await Promise.all(
        ROUTES.map(async (route) => ({
          id: route.id,
          method: route.info.method,
          ...(await ask(client, route, requestTo(route, records))),
        })),
      )
      for (const { id, method, status, headers, body } of answers) {
        // An upload of existing content writes nothing.
        if (reads !== 'never' && ['GET', 'PUT'].includes(method) && status === 200) continue
        expect([id, status, body.code]).toEqual([id, 503, 'CAPABILITY_UNAVAILABLE'])
        expect([id, Number(headers.get('retry-after'))]).toEqual([id, 1])
      }
      const { operator } = running()
      for (const answer of [
        await operator.request('GET', '/admin/v1/apps'),
        await operator.post('/admin/v1/apps', { owner_id: 'o' }),
      ])
        expect([200, 503]).toContain(answer.status)
    })

    test('makes the process not ready, with the reason, but alive and with metrics [OPS-15, OPS-16]', async () => {
      await untilHolds(async () => {
        const { status, text, wait } = await probe('/readyz')
        expect({ status, wait, body: JSON.parse(text) }).toMatchObject({
          status: 503,
          wait: '1',
          body: { status: 'unavailable', database: false, reason: expect.stringMatching(reason) },
        })
        expect(JSON.parse(text)).not.toHaveProperty('admission')
      })
      const metrics = await probe('/metrics')
      expect(metrics.status).toBe(200)
      expect(metrics.text).toContain(`gateway_up ${reads === 'always' ? 1 : 0}\n`)
      expect(/^gateway_queue_age_seconds /m.test(metrics.text)).toBe(reads === 'always')
      expect((await probe('/healthz')).status).toBe(200)
    })

    test('is used again without a restart of the gateway when it works [OPS-18]', async () => {
      await end()
      const client = running().client()
      await untilHolds(async () => {
        expect((await client.createConversation()).status).toBe(201)
        expect(JSON.parse((await probe('/readyz')).text)).toMatchObject({ status: 'ready', admission: 'open' })
      })
      await begin()
    })
  })
}

describe('on PostgreSQL', () => {
  let server: TestPostgres
  let db: Db
  let admin: Db
  let running: Awaited<ReturnType<typeof startRunningGateway>>
  beforeAll(async () => {
    server = await startPostgres()
    db = createPgDb({ url: server.url, deadlineMs: DEADLINE_MS, connectTimeoutMs: 500 })
    admin = createPgDb({ url: `${server.url}?target_session_attrs=any` })
    await migrate(db)
    running = await startRunningGateway({ db }, { ...ROOM_FOR_STREAMS, deadlineMs: DEADLINE_MS })
  })
  afterAll(async () => {
    await running.stop()
    await Promise.all([db.close(), admin.close()])
    await server.stop()
  })

  const setReadOnly = async (state: 'on' | 'off') => {
    await admin.exec(`alter system set default_transaction_read_only = ${state}`)
    await admin.exec('select pg_reload_conf()')
    const shown: Statement = {
      name: 'shown',
      access: 'read',
      text: `select current_setting('default_transaction_read_only') as state`,
    }
    await untilHolds(async () => expect(await admin.query(shown, [])).toEqual([{ state }]))
  }
  const gateway = () => running

  survives(gateway, {
    name: 'is stopped',
    begin: () => server.shutDown(),
    end: () => server.start(),
    reason: /ECONNREFUSED|terminated|shut/,
    reads: 'never',
  })
  survives(gateway, {
    name: 'becomes read-only',
    begin: async () => {
      await setReadOnly('on')
      // Each session notices the change at a different time. The first one that does so ends all sessions.
      const touch: Statement = { name: 'test_touch', access: 'write', text: 'update write_proof set proved_at = now()' }
      await untilHolds(() => expect(db.query(touch, [])).rejects.toBeInstanceOf(DatabaseUnavailable))
    },
    end: () => setReadOnly('off'),
    reason: /takes no writes|read-only transaction/,
    reads: 'at first',
  })
  survives(gateway, {
    name: 'does not respond',
    begin: async () => server.pause(),
    end: async () => server.resume(),
    reason: /has not answered|timeout|free in time/,
    reads: 'never',
  })
  survives(gateway, {
    name: 'has no space',
    begin: () => alterTables(admin, FILL),
    end: () => alterTables(admin, FREE),
    reason: /No space left on device/,
    reads: 'always',
  })
})

onPglite('embedded', (database) => {
  let running: Awaited<ReturnType<typeof startRunningGateway>>
  beforeAll(async () => {
    running = await startRunningGateway(database, ROOM_FOR_STREAMS)
  })
  afterAll(() => running.stop())

  survives(() => running, {
    name: 'has no space',
    begin: () => alterTables(database.db, FILL),
    end: () => alterTables(database.db, FREE),
    reason: /No space left on device/,
    reads: 'always',
  })
})
