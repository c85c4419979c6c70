import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sharesSessions } from '../../../src/store/drivers/pooler.ts'
import { KEYS, writeBootstrap } from '../../support/bootstrap-file.ts'
import { createClient, ended } from '../../support/client.ts'
import { createDatabase, startPostgres, type TestPostgres } from '../../support/databases/postgres.ts'
import { findUser } from '../../support/databases/postgres-binaries.ts'
import { debianPgBouncer, debianPostgres } from '../../support/debian-packages.ts'
import { findFreePort } from '../../support/free-port.ts'
import { runGateway, startGateway } from '../../support/gateway-process.ts'
import { untilHolds } from '../../support/until-holds.ts'

const SECRETS = {
  GATEWAY_ADMIN_TOKEN: randomBytes(32).toString('hex'),
  GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
}

describe('a connection pooler', () => {
  let server: TestPostgres
  let url: string
  let pooler: ChildProcess | null = null
  let folder: string
  beforeAll(async () => {
    server = await startPostgres({ binaries: debianPostgres() })
    url = (await createDatabase(server.url)).url
    folder = mkdtempSync(join(tmpdir(), 'gateway-pgbouncer-'))
    chmodSync(folder, 0o755)
  })
  afterEach(async () => {
    const ending = pooler
    pooler = null
    if (ending === null) return
    const over = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGQUIT')
    await over
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts PgBouncer; returns the URL of the database through it. */
  const startPooler = async (mode: 'session' | 'transaction' | 'statement', poolSize = 40): Promise<string> => {
    const target = new URL(url)
    const port = await findFreePort()
    const configuration = join(folder, 'pgbouncer.ini')
    writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
    writeFileSync(
      configuration,
      `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
    )
    pooler = spawn(debianPgBouncer(), [configuration], { ...findUser(), stdio: 'ignore' })
    target.port = String(port)
    await untilHolds(async () => {
      const client = new Client(target.href)
      await client.connect()
      await client.end()
    })
    return target.href
  }

  test('is not reported for a direct connection or an unreachable server', async () => {
    expect(await sharesSessions(url)).toBe(false)
    expect(await sharesSessions('postgres://postgres@127.0.0.1:1/nowhere')).toBe(false)
  })

  test.each([1, 2, 40])('in transaction mode is detected, with %d connections to the server', async (poolSize) => {
    expect(await sharesSessions(await startPooler('transaction', poolSize))).toBe(true)
  })

  test('in transaction mode is refused at start with a message that explains the fix [CONF-01]', async () => {
    const { code, log } = await runGateway({
      ...SECRETS,
      DATABASE_URL: await startPooler('transaction'),
      GATEWAY_LOG_LEVEL: 'silent',
    })
    expect([code, log]).toEqual([
      1,
      expect.stringMatching(/^DATABASE_URL: the server is a connection pooler in transaction mode\. .*pool_mode.*\n$/),
    ])
  })

  test('in session mode works [CONF-02]', async () => {
    const through = await startPooler('session')
    expect(await sharesSessions(through)).toBe(false)
    const gateway = await startGateway({ ...SECRETS, DATABASE_URL: through, GATEWAY_BOOTSTRAP: await writeBootstrap() })
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: 'ep_echo' })).body
    const sent = await Promise.all(Array.from({ length: 15 }, (_, n) => client.send(id, { text: `number ${n}` })))
    for (const { body } of sent) expect(await ended(client, body.run_id)).toMatchObject({ state: 'succeeded' })
    expect(await gateway.stop()).toBe(0)
  })
})
