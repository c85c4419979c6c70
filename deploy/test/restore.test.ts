import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import { createClient, ended } from '../../server/test/support/client.ts'
import type { TestPostgres } from '../../server/test/support/databases/postgres.ts'
import { createDatabase, startPostgres } from '../../server/test/support/databases/postgres.ts'
import { debianPostgres } from '../../server/test/support/debian-packages.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'

/** Runs the commands of the guide “Back up and restore”. */

const TOKEN = 'a-token-for-the-operator'
let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  postgres = await startPostgres({ binaries: debianPostgres() })
  folder = mkdtempSync(join(tmpdir(), 'gateway-restore-'))
})
afterAll(async () => {
  await postgres?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test('a restored gateway has the state of the backup: keys revoked later work again, and earlier readers reload', async () => {
  const start = async (url: string) =>
    startGateway({ DATABASE_URL: url, GATEWAY_ADMIN_TOKEN: TOKEN, GATEWAY_BOOTSTRAP: await writeBootstrap() })
  const before = await createDatabase(postgres.url)
  const after = await createDatabase(postgres.url)
  const gateway = await start(before.url)
  const operate = async (
    method: string,
    path: string,
    body?: object,
    { baseUrl } = gateway,
  ): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${baseUrl}/admin/v1${path}`, { method, headers, ...sent })
    expect(answer.status).toBeLessThan(300)
    return answer.json()
  }
  const scopes = ['conversations:read', 'conversations:write', 'runs:read']
  const { key = '', key_id: keyId } = await operate('POST', '/apps/app_test/keys', { scopes })
  const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
  const { conversation_id: kept } = (await client.createConversation()).body
  await ended(client, (await client.send(kept, { text: 'before' })).body.run_id)

  const dump = join(folder, 'gateway.dump')
  run('pg_dump', '--format=custom', `--file=${dump}`, before.url)

  await operate('POST', `/apps/app_test/keys/${keyId}/revoke`)
  await ended(client, (await client.send(kept, { text: 'after' })).body.run_id)
  const { watermark: position } = (await client.snapshot(kept)).body
  const { conversation_id: lost } = (await client.createConversation()).body
  expect(await gateway.stop()).toBe(0)

  run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${after.url}`, dump)
  const restored = await start(after.url)
  try {
    const withRevoked = createClient({ baseUrl: restored.baseUrl, key })
    expect((await withRevoked.snapshot(kept)).status).toBe(200)
    expect((await withRevoked.snapshot(lost)).status).toBe(404)
    const again = createClient({ baseUrl: restored.baseUrl, key: KEYS.all })
    expect((await again.snapshot(kept)).body.watermark).toBeLessThan(position)
    await operate('POST', '/mark-restored', undefined, restored)
    expect((await ended(again, (await again.send(kept, { text: 'again' })).body.run_id)).state).toBe('succeeded')
    expect((await again.events(kept, { lastEventId: position })).status).toBe(410)
  } finally {
    expect(await restored.stop()).toBe(0)
  }
}, 180_000)

const run = (program: string, ...args: string[]): void => {
  execFileSync(join(debianPostgres(), program), args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
