import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../src/app/demo/demo.ts'
import { prepareDemo } from '../../src/app/demo/demo.ts'
import { demoInstructions } from '../../src/app/demo/demo-instructions.ts'
import { createApp, getApp, listApps } from '../../src/gateway/admin/apps.ts'
import { listEndpoints } from '../../src/gateway/admin/endpoints.ts'
import { listKeys, revokeKey } from '../../src/gateway/admin/keys.ts'
import { createDemo } from '../../src/gateway/bootstrap/demo.ts'
import { authenticate } from '../support/authenticate.ts'
import { eachDatabase, onPglite, onPostgres } from '../support/databases/databases.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf } from './support.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-demo-'))
})
afterAll(() => rm(folder, { recursive: true }))

eachDatabase('the demo', (database) => {
  test('is created once in an empty database, with an echo and a script service and a working key [BOOT-09]', async () => {
    const clock = createTestClock()
    const context = testContext(database.db, clock)
    const failing = createDemo(context, () => Promise.reject(new Error('disk full')))
    await expect(failing).rejects.toThrow('disk full')
    expect(codeOf(await getApp(context, 'app_demo'))).toBe('NOT_FOUND')

    const dataDir = join(folder, `data of ${database.db.kind}`)
    const demo = await prepareDemo(context, dataDir)
    expect(demo).toEqual({ key: expect.stringMatching(/^gk_/), keptIn: join(dataDir, 'demo-key'), isNew: true })
    const { endpoints } = answerOf(await listEndpoints(context, 'app_demo', { limit: 9 }))
    expect(new Set(endpoints.map(({ endpoint_id, assistant }) => `${endpoint_id} ${assistant.type}`))).toEqual(
      new Set(['ep_demo_echo echo', 'ep_demo_script script']),
    )
    const scopes = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']
    const caller = await authenticate(database.db, clock, demo?.key ?? '')
    expect(caller).toMatchObject({ appId: 'app_demo', scopes: new Set(scopes) })

    // A later start finds the key in its file, which only the owner can read.
    expect(await prepareDemo(context, dataDir)).toEqual({ ...demo, isNew: false })
    expect((await stat(join(dataDir, 'demo-key'))).mode & 0o777).toBe(0o600)
    // A start without a file detects the demo, but does not know its key.
    expect(await prepareDemo(context, null)).toEqual({ key: null, keptIn: null, isNew: false })

    const [key] = answerOf(await listKeys(context, 'app_demo', { limit: 9 })).keys
    await revokeKey(context, 'app_demo', key?.key_id ?? '')
    expect(await prepareDemo(context, dataDir)).toMatchObject({ key: null })
  })
})

onPglite('the demo key file of another database', (database) => {
  test('is replaced, and becomes readable by its owner only', async () => {
    const context = testContext(database.db, createTestClock())
    const file = join(folder, 'demo-key')
    await writeFile(file, 'stale')
    await chmod(file, 0o644)
    const demo = await prepareDemo(context, folder)
    expect(await readFile(file, 'utf8')).toBe(`${demo?.key}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

eachDatabase('a database with applications', (database) => {
  test('gets no demo', async () => {
    const context = testContext(database.db, createTestClock())
    const app = answerOf(await createApp(context, { owner_id: 'owner' }))
    expect(await prepareDemo(context, folder)).toBeNull()
    expect(answerOf(await listApps(context, { limit: 9 })).apps).toEqual([app])
  })
})

onPostgres('several processes that start on an empty database', (database) => {
  test('create one demo', async () => {
    const clock = createTestClock()
    const contexts = Array.from({ length: 4 }, () => testContext(database.openAnother(), clock))
    const demos = await Promise.all(contexts.map((context) => prepareDemo(context, null)))
    expect(demos.filter((demo) => demo?.key !== null)).toHaveLength(1)
    const [context] = contexts
    if (context === undefined) throw new Error('there are four')
    expect(answerOf(await listKeys(context, 'app_demo', { limit: 9 })).keys).toHaveLength(1)
  })
})

test('the instructions contain the key and the address, and name the file of the key', () => {
  const demo: Demo = { key: 'gk_1_2', keptIn: '.data/demo-key', isNew: true }
  expect(demoInstructions(demo, 'http://127.0.0.1:1')).toMatch(/KEY=gk_1_2\n {2}API=http:\/\/127\.0\.0\.1:1\/api\/v1\n/)
  expect(demoInstructions(demo, 'http://127.0.0.1:1')).toContain('.data/demo-key')
  expect(demoInstructions({ ...demo, keptIn: null }, 'http://127.0.0.1:1')).toContain('shown only now')
  expect(demoInstructions({ key: null, keptIn: null, isNew: false }, 'http://127.0.0.1:1')).toContain(
    'http://127.0.0.1:1/admin/v1/apps/app_demo/keys',
  )
})
