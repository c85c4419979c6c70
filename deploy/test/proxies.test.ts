import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import { createClient, eventually, script } from '../../server/test/support/client.ts'
import type { GatewayProcess } from '../../server/test/support/gateway-process.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'
import { debianProgram } from './debian-programs.ts'

const DEPLOY = join(import.meta.dirname, '..')
const TLS = join(DEPLOY, '../server/test/support/tls')
const CERTIFICATE = join(TLS, 'cert.pem')
const KEY = join(TLS, 'key.pem')
const ATTACHMENT_BYTES = 16 * 1024 * 1024

const PROXIES = [
  {
    name: 'nginx',
    start: (folder: string, from: number, to: URL): ChildProcess => {
      const site = adapt('nginx/conversation-gateway.conf', [
        ['listen 80;', `listen 127.0.0.1:${from + 1};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${from} ssl http2;`],
        ['/etc/ssl/gateway/fullchain.pem', CERTIFICATE],
        ['/etc/ssl/gateway/privkey.pem', KEY],
        ['server 127.0.0.1:8787;', `server ${to.host};`],
      ])
      writeFileSync(join(folder, 'site.conf'), site)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      )
      const main = `pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`
      writeFileSync(join(folder, 'nginx.conf'), main)
      const program = debianProgram('nginx', '/usr/sbin/nginx')
      return spawn(program, ['-e', 'stderr', '-g', 'daemon off;', '-c', join(folder, 'nginx.conf')], { stdio: OUTPUT })
    },
  },
  {
    name: 'Caddy',
    start: (folder: string, from: number, to: URL): ChildProcess => {
      const site = adapt('caddy/Caddyfile', [
        ['gateway.example.com {', `https://127.0.0.1:${from} {\n\ttls ${CERTIFICATE} ${KEY}`],
        ['127.0.0.1:8787', to.host],
      ])
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
      const program = debianProgram('caddy', '/usr/bin/caddy')
      const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
      return spawn(program, ['run', '--adapter', 'caddyfile', '--config', file], { stdio: OUTPUT, env })
    },
  },
] as const
const OUTPUT: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']

/** The file as it is published, but for addresses and certificate. */
const adapt = (path: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(DEPLOY, path), 'utf8'),
  )

let gateway: GatewayProcess
beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')])
  gateway = await startGateway({
    GATEWAY_DATA_DIR: mkdtempSync(join(tmpdir(), 'gateway-proxied-')),
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_ADMIN_TOKEN: 'a-token-for-the-operator',
  })
})
afterAll(() => gateway?.stop())

describe.each(PROXIES)('behind $name', ({ start }) => {
  let folder: string
  let baseUrl: string
  let proxy: ChildProcess
  let log = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-proxy-'))
    // Workers of nginx are somebody else.
    chmodSync(folder, 0o755)
    const port = await freePort()
    proxy = start(folder, port, new URL(gateway.baseUrl))
    proxy.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    baseUrl = `https://127.0.0.1:${port}`
    const reached = () =>
      fetch(`${baseUrl}/healthz`).then(
        ({ status }) => status,
        (error: Error) => String(error.cause),
      )
    await eventually(reached, (status) => status === 200).catch((error: unknown) => {
      throw new Error(`the proxy does not serve: ${log}`, { cause: error })
    })
  })
  afterAll(async () => {
    if (proxy?.exitCode === null) {
      const ending = once(proxy, 'exit')
      proxy.kill('SIGTERM')
      await ending
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('each event arrives as it happens', async () => {
    const client = createClient({ baseUrl, key: KEYS.all })
    const { conversation_id: id } = (await client.createConversation()).body
    const { run_id: runId } = (await client.send(id, script({ delta: 'the first' }, { hang: true }))).body
    const stream = await client.runEvents(runId)
    // The run goes on after it: whatever the proxy held back would stay there.
    await stream.until((events) => events.some((event) => JSON.stringify(event).includes('the first')))
    await client.cancel(runId)
    await stream.until((events) => events.some(({ type }) => type === 'run.cancelled'))
    stream.close()
  })

  test('what is for operators is not there, though the gateway has it', async () => {
    for (const path of ['/metrics', '/admin/openapi.json', '/admin/v1/apps', '/admin', '/console', '/console/']) {
      const behind = await fetch(baseUrl + path, { redirect: 'manual' })
      expect([path, behind.status, behind.headers.get('x-request-id')]).toEqual([path, 404, null])
    }
    expect((await fetch(`${gateway.baseUrl}/metrics`)).status).toBe(200)
    expect((await fetch(`${gateway.baseUrl}/admin/openapi.json`)).status).toBe(200)
    for (const path of ['/docs/', '/openapi.json', '/readyz'])
      expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200])
  })

  test('an attachment of the largest size passes, byte for byte', async () => {
    const client = createClient({ baseUrl, key: KEYS.all })
    const bytes = randomBytes(ATTACHMENT_BYTES)
    const declared = await client.post<{ resource_id: string }>(
      '/api/v1/resources',
      { filename: 'largest.bin', content_type: 'application/octet-stream', size: bytes.length },
      randomUUID(),
    )
    expect(declared.status).toBe(201)
    const path = `/api/v1/resources/${declared.body.resource_id}/content`
    expect((await client.request('PUT', path, { rawBody: bytes })).status).toBe(200)
    const headers = { authorization: `Bearer ${KEYS.all}`, 'x-service-subject': 'subject-1' }
    const content = Buffer.from(await (await fetch(baseUrl + path, { headers })).arrayBuffer())
    expect(content.equals(bytes)).toBe(true)
  })
})

/** Below the ports that operating systems give away, so that nobody takes it before the proxy does. */
const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : freePort()
}
