import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import { createClient, script } from '../../server/test/support/client.ts'
import type { GatewayProcess } from '../../server/test/support/gateway-process.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'
import { debianProgram } from './debian-programs.ts'
import type { Launch, RunningProxy } from './proxy.ts'
import { adapt, CERTIFICATE, KEY, launchNginx, launchProgram, startProxy, trustProxies } from './proxy.ts'

const ATTACHMENT_BYTES = 16 * 1024 * 1024

const PROXIES: readonly { readonly name: string; readonly to: (gateway: URL) => Launch }[] = [
  {
    name: 'nginx',
    to: (gateway) => (folder, port) =>
      launchNginx(
        folder,
        adapt('nginx/conversation-gateway.conf', [
          ['listen 80;', `listen 127.0.0.1:${port + 1};`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
          ['/etc/ssl/gateway/fullchain.pem', CERTIFICATE],
          ['/etc/ssl/gateway/privkey.pem', KEY],
          ['server 127.0.0.1:8787;', `server ${gateway.host};`],
        ]),
      ),
  },
  {
    name: 'Caddy',
    to: (gateway) => (folder, port) => {
      const site = adapt('caddy/Caddyfile', [
        ['gateway.example.com {', `https://127.0.0.1:${port} {\n\ttls ${CERTIFICATE} ${KEY}`],
        ['127.0.0.1:8787', gateway.host],
      ])
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
      const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
      return launchProgram(
        debianProgram('caddy', '/usr/bin/caddy'),
        ['run', '--adapter', 'caddyfile', '--config', file],
        env,
      )
    },
  },
]

let gateway: GatewayProcess
beforeAll(async () => {
  trustProxies()
  gateway = await startGateway({
    GATEWAY_DATA_DIR: mkdtempSync(join(tmpdir(), 'gateway-proxied-')),
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_ADMIN_TOKEN: 'a-token-for-the-operator',
  })
})
afterAll(() => gateway?.stop())

describe.each(PROXIES)('behind $name', ({ to }) => {
  let proxy: RunningProxy
  let baseUrl: string
  beforeAll(async () => {
    proxy = await startProxy(to(new URL(gateway.baseUrl)))
    baseUrl = proxy.baseUrl
  })
  afterAll(() => proxy?.stop())

  test('each event arrives as it happens', async () => {
    const client = createClient({ baseUrl, key: KEYS.all })
    const { conversation_id: id } = (await client.createConversation()).body
    const { run_id: runId } = (await client.send(id, script({ delta: 'the first' }, { hang: true }))).body
    const stream = await client.runEvents(runId)
    // The run does not end, so a delta that the proxy buffers would never arrive.
    await stream.until((events) => events.some((event) => JSON.stringify(event).includes('the first')))
    await client.cancel(runId)
    await stream.until((events) => events.some(({ type }) => type === 'run.cancelled'))
    stream.close()
  })

  test('operator paths are not found, although the gateway serves them', async () => {
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
