import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeSettings } from '../../src/app/settings/config.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { writeBootstrap } from '../support/bootstrap-file.ts'
import type { CreatedDatabase } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/postgres.ts'
import { runGateway, spawnGateway, startGateway } from '../support/gateway-process.ts'
import { listen } from '../support/listen.ts'

const TLS = {
  GATEWAY_TLS_CERT: fileURLToPath(new URL('../support/tls/cert.pem', import.meta.url)),
  GATEWAY_TLS_KEY: fileURLToPath(new URL('../support/tls/key.pem', import.meta.url)),
}
const SECRETS = {
  GATEWAY_ADMIN_TOKEN: 'a-token-for-the-operator',
  GATEWAY_SECRET_KEY: '6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e',
}
/** An address that is reserved for documentation, so no machine has it. */
const UNUSED_ADDRESS = '192.0.2.1'

let database: CreatedDatabase
beforeAll(async () => {
  const { postgresUrl, template } = inject('databases')
  database = await createDatabase(postgresUrl, template)
})
afterAll(() => database.drop())

describe('with a certificate', () => {
  const get = async (url: string, ca: string) => {
    const response: IncomingMessage = (await once(request(url, { ca }).end(), 'response'))[0]
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }

  test('a gateway on PostgreSQL serves only HTTPS [CONF-05, CONF-14, AUTH-04]', async () => {
    const gateway = await startGateway({ ...TLS, ...SECRETS, DATABASE_URL: database.url })
    try {
      expect(gateway.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
      const ready = await get(`${gateway.baseUrl}/readyz`, await readFile(TLS.GATEWAY_TLS_CERT, 'utf8'))
      expect([ready.status, JSON.parse(ready.body).store]).toEqual([200, 'postgresql'])
      expect(ready.headers['strict-transport-security']).toBe('max-age=31536000')
      await expect(fetch(`${gateway.baseUrl.replace('https', 'http')}/healthz`)).rejects.toThrow()
      const settings = { ...TLS, GATEWAY_PORT: new URL(gateway.baseUrl).port }
      expect(await runGateway(settings, ['health', '--ready'])).toEqual({
        code: 0,
        output: `${gateway.baseUrl}/readyz answered 200: the gateway is ready.\n`,
        log: '',
      })
      expect(await runGateway({ GATEWAY_PORT: settings.GATEWAY_PORT }, ['health'])).toMatchObject({
        code: 1,
        output: '',
      })
    } finally {
      await gateway.stop()
    }
  })
})

test('--version prints the version, also for `admin` [OPS-23]', async () => {
  const printed = { code: 0, output: `${VERSION}\n`, log: '' }
  expect(await Promise.all([runGateway({}, ['--version']), runGateway({}, ['admin', '--version'])])).toEqual([
    printed,
    printed,
  ])
})

describe('the health check', () => {
  test('requests the address in the settings, and reports the result', async () => {
    const gateway = await startGateway({
      GATEWAY_HOST: '127.0.0.2',
      GATEWAY_DATA_DIR: await mkdtemp(join(tmpdir(), 'gateway-health-')),
    })
    const settings = { GATEWAY_HOST: '127.0.0.2', GATEWAY_PORT: new URL(gateway.baseUrl).port }
    try {
      expect(await runGateway(settings, ['health'])).toEqual({
        code: 0,
        output: `${gateway.baseUrl}/healthz answered 200: the gateway is alive.\n`,
        log: '',
      })
      expect(await runGateway({}, ['health', '--url', gateway.baseUrl])).toMatchObject({ code: 0 })
    } finally {
      await gateway.stop()
    }
    const away = await runGateway(settings, ['health'])
    expect(away).toMatchObject({ code: 1, output: '' })
    expect(away.log).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/healthz did not answer: connect ECONNREFUSED .*\n$/)
  })

  test.each([
    [['--help'], {}, 0, /^$/],
    [[], { GATEWAY_PORT: '0' }, 1, /^GATEWAY_PORT is 0/],
    [[], { GATEWAY_PORT: 'x' }, 1, /^The settings have faults:\n {2}- GATEWAY_PORT must be/],
    [['--url', 'localhost'], {}, 1, /^--url must be an origin/],
    [['--urgent'], {}, 1, /'--urgent'/],
  ])('with the arguments %j and the settings %j explains the result', async (args, settings, code, log) => {
    const ended = await runGateway(settings, ['health', ...args])
    expect(ended.code).toBe(code)
    expect(ended.log).toMatch(log)
    if (code === 0) expect(ended.output).toContain('Usage: npm start -- health')
  })
})

describe('a signal while a gateway starts', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends it: %s', async (signal) => {
    const silent = createServer()
    const port = await listen(silent)
    const asked = once(silent, 'connection')
    const child = spawnGateway({ ...SECRETS, DATABASE_URL: `postgres://user@127.0.0.1:${port}/gateway` })
    await asked
    child.kill(signal)
    expect(await child.exited).toBe(0)
    silent.close()
  })
})

describe('a gateway does not start', () => {
  test('with an unknown argument, and shows the help', async () => {
    const [help, unknown] = await Promise.all([runGateway({}, ['--help']), runGateway({}, ['--port', '80'])])
    expect(help).toMatchObject({ code: 0, log: '' })
    for (const { name, default: fallback, description } of describeSettings()) {
      expect(help.output).toContain(
        `  ${name}${fallback === undefined ? '' : ` (${fallback})`}\n      ${description}\n`,
      )
    }
    expect([unknown.code, unknown.output]).toEqual([1, ''])
    expect(unknown.log).toContain("'--port'")
    expect(unknown.log).toContain(help.output)
  })

  test('if its clock differs much from that of the database, unless GATEWAY_CLOCK is `process` [OPS-20]', {
    timeout: 120_000,
  }, async () => {
    const ahead = `--import=data:text/javascript,${encodeURIComponent(
      'const Real = Date; globalThis.Date = class extends Real { constructor(...it) { it.length ? super(...it) : super(Real.now() + 60_000) } static now() { return Real.now() + 60_000 } }',
    )}`
    const settings = { ...SECRETS, DATABASE_URL: database.url, NODE_OPTIONS: ahead }
    const { code, log } = await runGateway({ ...settings, GATEWAY_LOG_LEVEL: 'silent' })
    expect([code, log]).toEqual([
      1,
      expect.stringMatching(
        /^The clock of this machine is (59|60)\.\d s ahead of that of the database, .*synchronise both/,
      ),
    ])
    const gateway = await startGateway({ ...settings, GATEWAY_CLOCK: 'process' })
    expect(gateway.log()).toContain('"clock_offset_seconds":')
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text()
    const [, offset] = /^gateway_clock_offset_seconds ([\d.]+)$/m.exec(metrics) ?? []
    expect(Number(offset)).toBeGreaterThan(59)
    expect(await gateway.stop()).toBe(0)
  })

  test('with an unusable database, bootstrap file or address, and names the setting [CONF-01, CONF-02, CONF-03, CONF-09, CONF-15, BOOT-03]', {
    timeout: 120_000,
  }, async () => {
    const occupied = createServer()
    const port = await listen(occupied)
    const onPostgres = { ...SECRETS, DATABASE_URL: database.url }
    const cases = [
      {
        settings: { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/gateway' },
        says: /^DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
      },
      {
        settings: { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1,127.0.0.1:2/gateway' },
        says: /^DATABASE_URL: 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1; 127\.0\.0\.1:2: connect ECONNREFUSED .*\n$/,
      },
      {
        settings: { DATABASE_URL: database.url.replace('/test_', '/no_such_') },
        says: /^DATABASE_URL: database "no_such_\w+" does not exist\n$/,
      },
      {
        settings: { DATABASE_URL: `${database.url}?options=-c%20search_path%3Dnowhere` },
        says: /^DATABASE_URL: no schema of the search path \(nowhere\) exists in the database \w+\. Create one, .*\n$/,
      },
      {
        settings: { DATABASE_URL: `${database.url}?sslmode=require` },
        says: /^DATABASE_URL: The server does not support SSL connections\n$/,
      },
      {
        settings: { GATEWAY_DATA_DIR: join(TLS.GATEWAY_TLS_CERT, 'data') },
        says: /^GATEWAY_DATA_DIR: ENOTDIR: .*cert\.pem.*\n$/,
      },
      {
        settings: { ...onPostgres, GATEWAY_BOOTSTRAP: await writeBootstrap({ apps: [{ app_id: 'app_1' }] }) },
        says: /^GATEWAY_BOOTSTRAP: .*bootstrap\.json was not applied:\n {2}- \/apps\/0\/owner_id is required\n$/,
      },
      {
        settings: { ...onPostgres, GATEWAY_BOOTSTRAP: '/no/such/file.json' },
        says: /^GATEWAY_BOOTSTRAP: \/no\/such\/file\.json cannot be read: ENOENT.*\n$/,
      },
      {
        settings: { ...onPostgres, GATEWAY_PORT: String(port), GATEWAY_BOOTSTRAP: await writeBootstrap() },
        says: new RegExp(`^127\\.0\\.0\\.1:${port} is in use\\. .*GATEWAY_PORT\\.\n$`),
      },
      {
        // With this setting, a gateway may listen on a public address, so the address itself causes the error.
        settings: { ...onPostgres, GATEWAY_HOST: UNUSED_ADDRESS, GATEWAY_BEHIND_PROXY: '1' },
        says: /^192\.0\.2\.1 is not an address of this machine \(EADDRNOTAVAIL\)\. Set GATEWAY_HOST to one that is\.\n$/,
      },
      {
        settings: { ...onPostgres, GATEWAY_HOST: 'no-such-name.invalid', GATEWAY_BEHIND_PROXY: '1' },
        says: /^no-such-name\.invalid is not an address of this machine \((ENOTFOUND|EAI_AGAIN)\)\. Set GATEWAY_HOST to one that is\.\n$/,
      },
    ]
    for (const { settings, says } of cases) {
      const { code, output, log } = await runGateway({ ...settings, GATEWAY_LOG_LEVEL: 'silent' })
      expect([code, output]).toEqual([1, ''])
      expect(log).toMatch(says)
      expect(log).not.toContain('hunter2')
    }
    occupied.close()
  })
})
