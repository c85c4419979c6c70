import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseUnavailable, type Statement } from '../../../src/store/db.ts'
import { createPgliteDb } from '../../../src/store/drivers/pglite.ts'
import { KEYS, writeBootstrap } from '../../support/bootstrap-file.ts'
import { createClient } from '../../support/client.ts'
import { createDatabase, startPostgres } from '../../support/databases/postgres.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/databases/small-disk.ts'
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts'
import { untilHolds } from '../../support/until-holds.ts'

const SECRETS = {
  GATEWAY_ADMIN_TOKEN: randomBytes(32).toString('hex'),
  GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
}

describe('a disk that is full', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = mountSmallDisk()
  })
  afterEach(() => disk.remove())

  /** Fills the disk, checks every answer, frees the disk, and checks that every admitted message exists. */
  const examine = async (gateway: GatewayProcess): Promise<void> => {
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
    const probe = async (path: string) => {
      const response = await fetch(gateway.baseUrl + path)
      return { status: response.status, text: await response.text() }
    }
    const sent = new Map<string, string>()
    const answers = new Map<number, number>()
    const send = async (text: string): Promise<number> => {
      const created = await client.createConversation({ endpoint_id: 'ep_echo' })
      const answer = created.status === 201 ? await client.send(created.body.conversation_id, { text }) : created
      if (answer.status === 202) sent.set(text, created.body.conversation_id)
      else if (answer.status !== 201) {
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
        answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      }
      return answer.status
    }
    expect(await send('before')).toBe(202)
    disk.fill()
    // Some messages still succeed, because the database's files have allocated space that is not used yet.
    const big = 'x'.repeat(60_000)
    await untilHolds(async () => expect(await send(`filling ${answers.size} ${Math.random()} ${big}`)).toBe(503))
    await untilHolds(async () => expect(await probe('/readyz')).toMatchObject({ status: 503 }))
    for (let n = 0; n < 20; n += 1) await send(`full ${n} ${big}`)
    expect([...answers.keys()]).toEqual([503])
    expect((await probe('/healthz')).status).toBe(200)
    disk.free()
    await untilHolds(async () => {
      expect(await send('after')).toBe(202)
      expect((await probe('/readyz')).status).toBe(200)
    })
    for (const [text, id] of sent) {
      const { messages } = (await client.history(id)).body
      expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content.text)).toEqual([text])
    }
  }

  const examined = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const gateway = await startGateway({ ...settings, GATEWAY_BOOTSTRAP: await writeBootstrap() })
    try {
      await examine(gateway)
    } finally {
      await gateway.kill()
    }
  }

  test('under PostgreSQL causes 503 and not ready, until there is space again [OPS-15, OPS-18]', {
    timeout: 240_000,
  }, async () => {
    const data = join(disk.folder, 'data')
    mkdirSync(data)
    chmodSync(data, 0o777)
    const server = await startPostgres({
      durable: true,
      parentFolder: data,
      settings: { max_wal_size: '32MB', min_wal_size: '32MB' },
    })
    try {
      const { url } = await createDatabase(server.url)
      await examined({ ...SECRETS, DATABASE_URL: url })
    } finally {
      await server.stop()
    }
  })

  test('under the embedded database causes 503 and not ready, until there is space again [OPS-12, OPS-15, OPS-18]', {
    timeout: 240_000,
  }, async () => {
    await examined({ ...SECRETS, GATEWAY_DATA_DIR: join(disk.folder, 'data') })
  })

  test('stops the log of the embedded database, which then reopens with all acknowledged rows [OPS-12, OPS-18]', {
    timeout: 240_000,
  }, async () => {
    const db = await createPgliteDb({ folder: join(disk.folder, 'data') })
    await db.exec('create table written (n integer); insert into written select generate_series(1, 1000)')
    const count: Statement = { name: 'count', access: 'read', text: 'select count(*) as n from written' }
    // Writes only to the write-ahead log, so it fails when the log needs another file.
    const log: Statement = {
      name: 'log',
      access: 'read',
      text: `select pg_logical_emit_message(true, 'x', repeat('y', 1000000))`,
    }
    disk.fill()
    await untilHolds(async () => {
      await expect(db.query(log, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    })
    await expect(db.query(count, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.transaction((tx) => tx.query(count, []))).rejects.toBeInstanceOf(DatabaseUnavailable)
    disk.free()
    await untilHolds(async () => expect(await db.query(count, [])).toEqual([{ n: 1000 }]))
    await db.exec('insert into written values (1001)')
    await db.close()
  })
})
