import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import type { Client } from '../../server/test/support/client.ts'
import { createClient, ended, eventually, script } from '../../server/test/support/client.ts'
import type { GatewayProcess } from '../../server/test/support/gateway-process.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'
import { openWorker } from '../../server/test/support/played-worker.ts'
import type { Receiver } from '../../server/test/support/receiver.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import { signatureOf } from '../../server/test/support/webhook-sender.ts'
import { debianLibraries, debianProgram } from './debian-programs.ts'
import type { RunningProxy } from './proxy.ts'
import { adapt, CERTIFICATE, freePort, KEY, launchNginx, launchProgram, startProxy, trustProxies } from './proxy.ts'

/** The files of deploy/cells: two gateways with a database each, behind one name. */

const ADMIN_TOKEN = 'a-token-for-the-operator'
const ATTACHMENT_BYTES = 16 * 1024 * 1024
const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']
const CELLS = ['orders', 'support'] as const
type CellName = (typeof CELLS)[number]

interface Cell {
  readonly port: number
  readonly folder: string
  gateway: GatewayProcess
  readonly operator: Client
  readonly key: string
  readonly deviceKey: string
}

let receiver: Receiver
let cells: Record<CellName, Cell>
/** Integrations whose names differ only in case, and some whose names are keywords of nginx. */
const INTEGRATIONS: Record<CellName, readonly string[]> = {
  orders: ['wh_orders', 'WH_orders', 'default', 'hostnames'],
  support: ['wh_support', 'WH_support', 'include', 'volatile'],
}
const keysOf = (name: CellName) => ({
  chosen: `gk_${name}_${'0'.repeat(43)}`,
  integration: `whsec_in_${name.padEnd(43, '0')}`,
  callback: `whsec_out_${name.padEnd(43, '0')}`,
})

const start = async (name: CellName, folder: string, port: number): Promise<GatewayProcess> =>
  startGateway({
    GATEWAY_DATA_DIR: folder,
    GATEWAY_PORT: String(port),
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_BEHIND_PROXY: '1',
    GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
    GATEWAY_BOOTSTRAP: await writeBootstrap({
      apps: [{ app_id: `app_${name}`, owner_id: 'owner', keys: [{ key: keysOf(name).chosen, scopes: SCOPES }] }],
      devices: [{ device_id: 'dev_own' }, { device_id: 'dev_elsewhere' }],
      endpoints: [
        {
          endpoint_id: 'ep_script',
          app_id: `app_${name}`,
          device_id: 'dev_own',
          assistant: { type: 'script' },
          accepts: ['text/*'],
        },
        {
          endpoint_id: 'ep_worker',
          app_id: `app_${name}`,
          device_id: 'dev_elsewhere',
          assistant: { type: 'worker' },
          accepts: ['text/*'],
        },
      ],
      webhooks: INTEGRATIONS[name].map((id) => ({
        integration_id: id,
        app_id: `app_${name}`,
        endpoint_id: 'ep_script',
        secret: keysOf(name).integration,
        subject: 'subject-1',
        event_type_field: 'type',
        event_types: ['question'],
        action: 'message',
        message_field: 'text',
        conversation_key_field: 'about',
      })),
      callbacks: [
        {
          callback_id: `cb_${name}`,
          endpoint_id: 'ep_script',
          url: `${receiver.origin}/${name}`,
          events: ['run.completed'],
          secret: keysOf(name).callback,
        },
      ],
    }),
  })

const startCell = async (name: CellName): Promise<Cell> => {
  const [folder, port] = [mkdtempSync(join(tmpdir(), `gateway-cell-${name}-`)), await freePort()]
  const gateway = await start(name, folder, port)
  const operator = createClient({ baseUrl: gateway.baseUrl, key: ADMIN_TOKEN })
  const createKey = async (path: string, body: object): Promise<string> =>
    (await operator.request<{ key: string }>('POST', `/admin/v1/${path}/keys`, { body })).body.key
  return {
    port,
    folder,
    gateway,
    operator,
    key: await createKey(`apps/app_${name}`, { scopes: SCOPES }),
    deviceKey: await createKey('devices/dev_elsewhere', {}),
  }
}

beforeAll(async () => {
  trustProxies()
  receiver = await startReceiver()
  const [orders, support] = await Promise.all([startCell('orders'), startCell('support')])
  cells = { orders, support }
})
afterAll(async () => {
  for (const { gateway, folder } of Object.values(cells ?? {})) {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await receiver?.close()
})

/** The map of a cell, created as its operator would. */
const listCell = async (name: CellName, proxy: string): Promise<string> => {
  const program = join(import.meta.dirname, '../cells/list-cell.mjs')
  const env = { ...process.env, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN }
  return (await promisify(execFile)(process.execPath, [program, name, cells[name].gateway.baseUrl, proxy], { env }))
    .stdout
}

interface CellProxy {
  readonly name: string
  readonly reload: NodeJS.Signals
  writeMaps(folder: string, maps: Readonly<Record<CellName | 'chosen', string>>): void
  launch(folder: string, port: number): ChildProcess
}

const PROXIES: readonly CellProxy[] = [
  {
    name: 'nginx',
    reload: 'SIGHUP',
    writeMaps: (folder, maps) => {
      mkdirSync(join(folder, 'cells'), { recursive: true })
      for (const [name, lines] of Object.entries(maps)) writeFileSync(join(folder, `cells/${name}.map`), lines)
    },
    launch: (folder, port) =>
      launchNginx(
        folder,
        adapt('cells/nginx.conf', [
          ['listen 80;', `listen 127.0.0.1:${port + 1};`],
          ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
          ['/etc/ssl/gateway/fullchain.pem', CERTIFICATE],
          ['/etc/ssl/gateway/privkey.pem', KEY],
          ['/etc/nginx/cells', join(folder, 'cells')],
          ['10.0.1.1:8787', `127.0.0.1:${cells.orders.port}`],
          ['10.0.2.1:8787', `127.0.0.1:${cells.support.port}`],
        ]),
      ),
  },
  {
    name: 'HAProxy',
    reload: 'SIGUSR2',
    writeMaps: (folder, maps) => writeFileSync(join(folder, 'cells.map'), maps.orders + maps.support + maps.chosen),
    launch: (folder, port) => {
      writeFileSync(join(folder, 'combined.pem'), readFileSync(CERTIFICATE, 'utf8') + readFileSync(KEY, 'utf8'))
      const configuration = adapt('cells/haproxy.cfg', [
        ['  log /dev/log local0\n  user haproxy\n  group haproxy\n', ''],
        ['  log global\n', ''],
        ['bind :80', `bind 127.0.0.1:${port + 1}`],
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/ssl/gateway', folder],
        ['/etc/haproxy', folder],
        ['10.0.1.1:8787', `127.0.0.1:${cells.orders.port}`],
        ['10.0.2.1:8787', `127.0.0.1:${cells.support.port}`],
      ])
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, configuration)
      return launchProgram(
        debianProgram('haproxy', '/usr/sbin/haproxy'),
        ['-W', '-f', file],
        debianLibraries('haproxy'),
      )
    },
  },
]

describe.each(PROXIES)('behind $name', ({ name: program, reload, writeMaps, launch }) => {
  let proxy: RunningProxy
  let folder: string
  const clientOf = (key: string): Client => createClient({ baseUrl: proxy.baseUrl, key })
  /** Requests a record that does not exist: 404 from the cell of the key, 401 from the other one. */
  const lookWith = (key: string) => clientOf(key).request('GET', '/api/v1/agent-endpoints/ep_none')
  const reloadUntilKnown = async (...keys: readonly string[]): Promise<void> => {
    const list = (name: CellName) => listCell(name, program.toLowerCase())
    const end = program === 'nginx' ? ';' : ''
    const chosen = CELLS.map((name) => `gk_${name} ${name}${end}\n`).join('')
    writeMaps(folder, { orders: await list('orders'), support: await list('support'), chosen })
    proxy.signal(reload)
    for (const key of keys)
      await eventually(
        // A proxy that reloads closes connections that are idle.
        () => lookWith(key).catch(() => null),
        (answer) => answer?.status === 404,
      )
  }

  beforeAll(async () => {
    proxy = await startProxy((own, port) => {
      folder = own
      writeMaps(folder, { orders: '', support: '', chosen: '' })
      return launch(folder, port)
    })
    await reloadUntilKnown(cells.orders.key, cells.support.key, keysOf('orders').chosen, keysOf('support').chosen)
  })
  afterAll(() => proxy?.stop())

  test.each([
    ['orders', 'support'],
    ['support', 'orders'],
  ] as const)('the cell %s serves its application, and sends the callbacks of that application', async (own, other) => {
    const client = clientOf(cells[own].key)
    const { conversation_id: id } = (await client.createConversation()).body
    const { run_id: runId } = (await client.send(id, script({ message: 'here' }))).body
    expect((await ended(client, runId)).state).toBe('succeeded')
    expect((await cells[own].operator.request('GET', `/admin/v1/runs/${runId}`)).status).toBe(200)
    expect((await cells[other].operator.request('GET', `/admin/v1/runs/${runId}`)).status).toBe(404)

    const ofRun = () => receiver.at(`/${own}`).filter(({ body }) => body.includes(runId))
    const [callback] = await eventually(
      async () => ofRun(),
      (found) => found.length > 0,
    )
    const {
      'webhook-id': webhookId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = callback?.headers ?? {}
    expect(signature).toBe(
      signatureOf(String(webhookId), String(timestamp), callback?.body ?? Buffer.of(), keysOf(own).callback),
    )
    expect(receiver.at(`/${other}`).filter(({ body }) => body.includes(runId))).toEqual([])
  })

  test('an attachment of the largest size passes, byte for byte', async () => {
    const client = clientOf(cells.support.key)
    const bytes = randomBytes(ATTACHMENT_BYTES)
    const declared = await client.post<{ resource_id: string }>('/api/v1/resources', {
      filename: 'largest.bin',
      content_type: 'application/octet-stream',
      size: bytes.length,
    })
    const path = `/api/v1/resources/${declared.body.resource_id}/content`
    expect((await client.request('PUT', path, { rawBody: bytes })).status).toBe(200)
    const headers = { authorization: `Bearer ${cells.support.key}`, 'x-service-subject': 'subject-1' }
    const content = Buffer.from(await (await fetch(proxy.baseUrl + path, { headers })).arrayBuffer())
    expect(content.equals(bytes)).toBe(true)
  })

  test('each piece of a stream arrives as it happens, and a stream resumes', async () => {
    const client = clientOf(cells.support.key)
    const { conversation_id: id } = (await client.createConversation()).body
    const { run_id: runId } = (await client.send(id, script({ delta: 'the first' }, { hang: true }))).body
    const stream = await client.events(id)
    // The run does not end, so a delta that the proxy buffers would never arrive.
    await stream.until((events) => events.some((event) => JSON.stringify(event).includes('the first')))
    stream.close()
    const last = stream.events.at(-1)?.seq ?? 0
    const resumed = await client.events(id, { lastEventId: last })
    await client.cancel(runId)
    await resumed.until((events) => events.some(({ type }) => type === 'run.cancelled'))
    resumed.close()
    const seqs = [...stream.events, ...resumed.events].map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  test('a webhook is forwarded to the cell of its integration, and an unknown one is not found', async () => {
    const deliver = async (integrationId: string, secret: string, path = '/api/v1/webhooks') => {
      const body = Buffer.from(JSON.stringify({ type: 'question', text: 'hello', about: randomUUID() }))
      const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))]
      const answer = await fetch(`${proxy.baseUrl}${path}/${integrationId}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signatureOf(id, timestamp, body, secret),
        },
        body,
      })
      return { status: answer.status, body: (await answer.json()) as { run_id?: string; code?: string } }
    }
    for (const name of CELLS) {
      const { integration: secret } = keysOf(name)
      const answers = [await deliver(`%77%68_${name}`, secret, '/api/v1/%77ebhooks')]
      for (const id of INTEGRATIONS[name]) answers.push(await deliver(id, secret))
      for (const { status, body } of answers) {
        expect(status).toBe(202)
        expect((await cells[name].operator.request('GET', `/admin/v1/runs/${body.run_id}`)).status).toBe(200)
      }
    }
    expect(await deliver('wh_none', 'whsec_none')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test('a worker claims the runs of its own cell only', async () => {
    const foreign = await openWorker(proxy.baseUrl, cells.orders.deviceKey)
    const worker = await openWorker(proxy.baseUrl, cells.support.deviceKey)
    const client = clientOf(cells.support.key)
    const { conversation_id: id } = (await client.createConversation({ endpoint_id: 'ep_worker' })).body
    const { run_id: runId } = (await client.send(id, { text: 'for a worker' })).body
    expect((await foreign.claim()).body.runs).toEqual([])
    const claimed = await worker.claim([], { wait_ms: 20_000 })
    expect(claimed).toMatchObject({ status: 200, body: { runs: [{ run_id: runId }] } })
    expect((await worker.end(runId, 0, { state: 'succeeded' })).status).toBe(200)
    expect((await ended(client, runId)).state).toBe('succeeded')
  })

  test('an unknown key is refused, and operator paths are not found', async () => {
    for (const key of [`gk_${'0'.repeat(32)}_${'x'.repeat(43)}`, 'gk_none', 'none', ADMIN_TOKEN])
      expect(await clientOf(key).createConversation()).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    const plain = ['/metrics', '/admin/v1/apps', '/admin', '/console', '/console/']
    const encoded = ['/%6detrics', '/%61dmin/v1/apps', '/%61dmin', '/c%6Fnsole', '/c%6Fnsole/']
    for (const path of [...plain, ...encoded])
      expect([path, (await clientOf(ADMIN_TOKEN).request('GET', path)).status]).toEqual([path, 404])
  })

  test('a reload adds an application and interrupts no stream', async () => {
    const client = clientOf(cells.orders.key)
    const { conversation_id: id } = (await client.createConversation()).body
    const stream = await client.events(id)
    const { operator } = cells.support
    const appId = `app_${randomUUID()}`
    await operator.request('POST', '/admin/v1/apps', { body: { app_id: appId, owner_id: 'owner' } })
    const { key } = (
      await operator.request<{ key: string }>('POST', `/admin/v1/apps/${appId}/keys`, { body: { scopes: SCOPES } })
    ).body
    expect((await lookWith(key)).status).toBe(401)
    await reloadUntilKnown(key)
    const direct = createClient({ baseUrl: cells.orders.gateway.baseUrl, key: cells.orders.key })
    await direct.send(id, script({ message: 'still here' }))
    await stream.until((events) => events.some(({ type }) => type === 'run.completed'))
    stream.close()
  })

  test('an outage of a cell does not affect the others, and its clients may safely retry', async () => {
    const [orders, support] = [clientOf(cells.orders.key), clientOf(cells.support.key)]
    const { conversation_id: kept } = (await orders.createConversation()).body
    const { conversation_id: down } = (await support.createConversation()).body
    const body = { expected_generation: 1, input: script({ message: 'an answer' }) }
    const idempotencyKey = randomUUID()
    const send = () =>
      support
        .post<{ run_id: string; outcome?: string }>(`/api/v1/conversations/${down}/messages`, body, idempotencyKey)
        // HAProxy sends no answer if a reused connection breaks.
        .catch(() => null)
    await cells.support.gateway.kill()

    const refused = await eventually(send, (answer) => answer !== null && answer.body.outcome === undefined)
    expect(refused?.body).toEqual({
      type: '/docs/errors#CAPABILITY_UNAVAILABLE',
      title: 'Capability unavailable',
      status: 503,
      detail: 'The gateway of this application cannot be reached.',
      code: 'CAPABILITY_UNAVAILABLE',
      request_id: refused?.headers.get('x-request-id'),
    })
    expect(refused?.status).toBe(503)
    expect(refused?.headers.get('content-type')).toBe('application/problem+json')
    expect(refused?.headers.get('retry-after')).toBe('5')

    const runs = await Promise.all(
      Array.from({ length: 5 }, async () => (await orders.send(kept, script({ message: 'an answer' }))).body.run_id),
    )
    for (const runId of runs) expect((await ended(orders, runId)).state).toBe('succeeded')
    expect((await orders.history(kept)).body.messages).toHaveLength(10)

    // A server that accepts requests, and closes the connection before it answers.
    const breaking = createServer(({ url, socket }, response) =>
      url === '/readyz' ? response.end() : socket.destroy(),
    )
    await once(breaking.listen(cells.support.port, '127.0.0.1'), 'listening')
    const broken = await eventually(send, (answer) => answer?.body.outcome !== undefined)
    expect(broken).toMatchObject({
      status: 503,
      body: { status: 503, code: 'CAPABILITY_UNAVAILABLE', outcome: 'unknown' },
    })
    breaking.closeAllConnections()
    await new Promise((resolve) => breaking.close(resolve))

    cells.support.gateway = await start('support', cells.support.folder, cells.support.port)
    const admitted = await eventually(send, (answer) => answer?.status === 202)
    const runId = String(admitted?.body.run_id)
    expect((await ended(support, runId)).state).toBe('succeeded')
    expect((await send())?.body.run_id).toBe(runId)
    expect((await support.history(down)).body.messages).toHaveLength(2)
  })
})
