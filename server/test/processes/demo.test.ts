import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AppList } from '@conversation-gateway/openapi/generated/admin-closed'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createClient, ended } from '../support/client.ts'
import type { CreatedDatabase } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/postgres.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

const README = new URL('../../../README.md', import.meta.url)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** Runs a command in a new terminal. */
const SCRIPT = '/usr/bin/script'
const ADMIN_TOKEN = 'the-operator-of-a-gateway-in-production'
const GREETING = ['--greet']

let home: string
const started: GatewayProcess[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-home-'))
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((gateway) => gateway.stop()))
  await rm(home, { recursive: true, force: true })
})

const start = async (settings: Record<string, string> = {}, args: readonly string[] = []): Promise<GatewayProcess> => {
  const gateway = await startGateway({ GATEWAY_LOG_LEVEL: 'info', ...settings }, home, args)
  started.push(gateway)
  return gateway
}
const linesOtherThanJson = ({ log }: GatewayProcess): string[] =>
  log()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"level":"'))
const keptKey = async (): Promise<string> => (await readFile(join(home, '.data', 'demo-key'), 'utf8')).trim()

describe('a gateway without any setting', () => {
  it('keeps its data in .data, and with --greet explains its demo and the limits of its store [BOOT-09, CONF-06, CONF-07, AUTH-05]', async () => {
    const gateway = await start({}, GREETING)
    expect(gateway.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(gateway.output()).toBe(`{"event":"ready","base_url":"${gateway.baseUrl}"}\n`)
    expect(await readdir(join(home, '.data'))).toEqual(expect.arrayContaining(['pglite', 'demo-key', 'admin-token']))
    const text = gateway.log()
    expect(text).toContain('not a power loss')
    expect(await readFile(README, 'utf8')).toContain('not a power loss')
    const shown = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
    expect(shown(/API=(.*)\/api\/v1\n/)).toBe(gateway.baseUrl)
    const client = createClient({ baseUrl: gateway.baseUrl, key: shown(/KEY=(.*)\n/) })
    const conversation = await client.createConversation({ endpoint_id: shown(/"endpoint_id":"([^"]+)"/) })
    const sent = await client.send(conversation.body.conversation_id, { text: 'Hello there' })
    expect(await ended(client, sent.body.run_id)).toMatchObject({
      state: 'succeeded',
      result: { text: 'Hello there' },
    })
    const direct = await client.post<{ run_id: string }>(
      `/api/v1/agent-endpoints/${shown(/endpoints\/([^/]+)\/runs/)}/runs`,
      { input: JSON.parse(shown(/-d '\{"input":(.*)\}'\n/)) },
    )
    expect(await ended(client, direct.body.run_id)).toMatchObject({
      state: 'failed',
      result: { error: { code: 'DEMO' } },
    })
    const key = (await readFile(join(home, '.data', 'admin-token'), 'utf8')).trim()
    const operator = createClient({ baseUrl: gateway.baseUrl, key })
    expect((await operator.request('GET', '/admin/v1/apps')).status).toBe(200)
  })

  it('explains the demo only if --greet is given at the start that creates it, and logs the file of its key, not the key [BOOT-12]', async () => {
    const quiet = await start()
    const key = await keptKey()
    const client = createClient({ baseUrl: quiet.baseUrl, key })
    expect((await client.createConversation({ endpoint_id: 'ep_demo_echo' })).status).toBe(201)
    await quiet.stop()
    expect(linesOtherThanJson(quiet)).toEqual([])
    expect(quiet.log()).not.toContain(key)
    expect(quiet.log()).toMatch(/"key_file":"[^"]*demo-key".*the demo application was created/)
    const later = await start({}, GREETING)
    await later.stop()
    expect(linesOtherThanJson(later)).toEqual([])
  })

  it('creates no demo with GATEWAY_DEMO=0 [BOOT-12]', async () => {
    await start({ GATEWAY_DEMO: '0' }, GREETING)
    expect(existsSync(join(home, '.data', 'demo-key'))).toBe(false)
  })

  // Without this command, no test checks that a gateway recognises a terminal. The tests above still check the text.
  it.skipIf(!existsSync(SCRIPT))(
    `explains the demo at every start in a terminal (needs ${SCRIPT}) [BOOT-12]`,
    async () => {
      for (let round = 0; round < 2; round += 1) {
        const { PATH, HOME } = process.env
        const child = spawn(SCRIPT, ['-qefc', `exec ${process.execPath} ${MAIN}`, '/dev/null'], {
          cwd: home,
          env: { PATH, HOME, GATEWAY_PORT: '0' },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let shown = ''
        for await (const text of child.stdout.setEncoding('utf8')) {
          shown += text
          if (shown.includes('"event":"ready"') && child.exitCode === null) child.kill('SIGTERM')
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        expect(shown).toContain(`KEY=${await keptKey()}`)
      }
    },
  )
})

describe('a gateway in production', () => {
  let database: CreatedDatabase
  beforeAll(async () => {
    const { postgresUrl, template } = inject('databases')
    database = await createDatabase(postgresUrl, template)
  })
  afterAll(() => database.drop())
  const settings = () => ({
    DATABASE_URL: database.url,
    GATEWAY_HOST: '0.0.0.0',
    GATEWAY_BEHIND_PROXY: '1',
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_SECRET_KEY: '6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e',
  })
  const startAndStop = async (...how: Parameters<typeof start>) => {
    const gateway = await start(...how)
    const { port } = new URL(gateway.baseUrl)
    const operator = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: ADMIN_TOKEN })
    const { apps } = (await operator.request<AppList>('GET', '/admin/v1/apps')).body
    await gateway.stop()
    return { gateway, apps: apps.map(({ app_id }) => app_id) }
  }

  it('creates a demo only with GATEWAY_DEMO=1, without logging its key, and logs only JSON lines [BOOT-12, OPS-02]', async () => {
    const [first, second, third] = [
      await startAndStop(settings(), GREETING),
      await startAndStop({ ...settings(), GATEWAY_DEMO: '1' }),
      await startAndStop(settings()),
    ]
    expect([first.apps, second.apps, third.apps]).toEqual([[], ['app_demo'], ['app_demo']])
    for (const { gateway } of [first, second, third]) expect(linesOtherThanJson(gateway)).toEqual([])
    expect(second.gateway.log()).not.toMatch(/gk_[0-9a-f]/)
    expect(third.gateway.log()).toMatch(/"level":"warn".*others can reach the demo application.*--state disabled/)
  })
})
