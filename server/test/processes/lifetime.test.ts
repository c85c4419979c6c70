import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApprovalList } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Snapshot } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { createClient, ended, eventually, reached, script } from '../support/client.ts'
import { findFreePort } from '../support/free-port.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { runGateway, startGateway } from '../support/gateway-process.ts'

// One gateway on the embedded database, from its first start to its last signal. The tests build on each other.

const ADMIN_TOKEN = 'an-admin-token-that-nobody-may-see'
const DAY_MS = 86_400_000
const SECRET_KEY = 'd9cbc269ce0309c08b5db87ccd0a682e5f6bee0512fdcd488642470b11e26be6'
/** A key that is not in the bootstrap file. */
const UNKNOWN_KEY = 'gk_unknown_a-key-that-does-not-exist-but-is-secret'

let folder: string
let settings: Readonly<Record<string, string>>
let gateway: GatewayProcess
let client: Client
/** The standard error of the processes that have ended. */
const logs: string[] = []

const start = async (): Promise<void> => {
  gateway = await startGateway(settings)
  client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
}

const stop = async (signal: 'SIGTERM' | 'SIGINT') => {
  const startedAt = performance.now()
  const code = await gateway.stop(signal)
  logs.push(gateway.log())
  return { code, seconds: (performance.now() - startedAt) / 1000 }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-lifetime-'))
  const port = await findFreePort()
  settings = {
    GATEWAY_PORT: String(port),
    GATEWAY_PUBLIC_URL: `http://localhost:${port}`,
    GATEWAY_DATA_DIR: join(folder, 'data'),
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_SECRET_KEY: SECRET_KEY,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_LOG_LEVEL: 'debug',
    GATEWAY_DRAIN_MS: '0',
  }
  await start()
}, 120_000)

afterAll(async () => {
  await gateway.kill()
  await rm(folder, { recursive: true, force: true })
})

test('a gateway follows its settings: store, folder, admin token, applications of the bootstrap file [CONF-05, CONF-06, CONF-07, CONF-09, CONF-10, BOOT-01, BOOT-04]', async () => {
  const ready = await client.request<{ store: string; roles: object }>('GET', '/readyz')
  expect(ready).toMatchObject({ status: 200, body: { store: 'embedded' } })
  expect(Object.keys(ready.body.roles)).toEqual(['api', 'device', 'delivery', 'maintenance'])
  expect(await readdir(join(folder, 'data'))).toContain('pglite')

  const statusWith = async (key: string) =>
    (await createClient({ baseUrl: gateway.baseUrl, key }).request('GET', '/admin/v1/apps')).status
  expect([await statusWith(ADMIN_TOKEN), await statusWith(UNKNOWN_KEY), await statusWith(KEYS.all)]).toEqual([
    200, 401, 401,
  ])
  expect((await client.createConversation()).status).toBe(201)
  expect((await createClient({ baseUrl: gateway.baseUrl, key: UNKNOWN_KEY }).createConversation()).status).toBe(401)
  // Secrets in the wrong places. The last test searches the log for them.
  for (const secret of [KEYS.all, UNKNOWN_KEY, ADMIN_TOKEN]) {
    const headers = { 'x-request-id': secret, cookie: `key=${secret}` }
    expect((await client.request('GET', `/api/v1/runs/${secret}?key=${secret}`, { headers })).status).toBe(404)
    expect((await client.post('/api/v1/conversations', { endpoint_id: secret, [secret]: secret })).status).toBe(400)
  }
})

test('a gateway locks its folder: another process is refused, with the owner and what to do [CONF-06]', async () => {
  const { code, output, log } = await runGateway({ ...settings, GATEWAY_PORT: '0', GATEWAY_LOG_LEVEL: 'warn' })
  expect([code, output]).toEqual([1, ''])
  expect(log).toMatch(
    new RegExp(`^The data folder ${join(folder, 'data')} is in use by process ${gateway.pid}: .*GATEWAY_DATA_DIR.*\n$`),
  )
  expect((await client.request('GET', '/readyz')).status).toBe(200)
})

let finished: { id: string; runId: string; key: string; snapshot: Snapshot; answer: unknown }
let hanging: { id: string; runId: string }

test('a gateway ends on SIGTERM with 0 within 10 seconds without a drain, with open streams and an executing run [OPS-03, SSE-30]', async () => {
  const { conversation_id: id } = (await client.createConversation()).body
  const done = await client.send(id, { text: 'before the end' }, 1, 'key-of-the-first')
  await ended(client, done.body.run_id)
  const snapshot = (await client.snapshot(id)).body
  finished = { id, runId: done.body.run_id, key: 'key-of-the-first', snapshot, answer: done.body }

  const other = (await client.createConversation()).body.conversation_id
  const { run_id } = (await client.send(other, script({ delta: 'so far' }, { hang: true }))).body
  hanging = { id: other, runId: run_id }
  const streams = [await client.events(other), await client.runEvents(run_id)]
  for (const stream of streams) await stream.until((events) => events.some(({ type }) => type === 'assistant.delta'))

  const { code, seconds } = await stop('SIGTERM')
  expect(code).toBe(0)
  expect(seconds).toBeLessThan(10)
  for (const stream of streams) {
    await stream.ended
    expect(stream.text().endsWith('}\n\n')).toBe(true)
  }
})

test('a gateway starts again with all of its data, and reports unfinished runs as interrupted', async () => {
  await start()
  expect((await client.snapshot(finished.id)).body).toEqual(finished.snapshot)
  const replay = await client.send(finished.id, { text: 'before the end' }, 1, finished.key)
  expect(replay.body).toEqual(finished.answer)
  expect(replay.headers.get('idempotency-replayed')).toBe('true')

  expect(await ended(client, hanging.runId)).toMatchObject({ state: 'interrupted', result: { text: 'so far' } })
  const stream = await client.events(hanging.id)
  const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.interrupted'))
  stream.close()
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const next = await client.send(hanging.id, { text: 'continue' })
  expect((await ended(client, next.body.run_id)).state).toBe('succeeded')
})

test('a gateway ends on SIGINT with 0 within 10 seconds without a drain, with a run that waits for an approval and a stream that is not read [OPS-03]', async () => {
  const { conversation_id: id } = (await client.createConversation()).body
  const { run_id } = (await client.send(id, script({ approval: 'Well?' }))).body
  await reached(client, run_id, 'waiting_approval')
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${KEYS.all}`, 'x-service-subject': 'subject-1' }
  await fetch(`${gateway.baseUrl}/api/v1/conversations/${id}/events`, { headers, signal: abort.signal })
  const { code, seconds } = await stop('SIGINT')
  abort.abort()
  expect(code).toBe(0)
  expect(seconds).toBeLessThan(10)
})

test('a gateway claims no more runs while it drains, and lets its executing runs continue; probes, API and streams are answered [OPS-03]', async () => {
  settings = { ...settings, GATEWAY_DRAIN_MS: String(DAY_MS) }
  await start()
  const { conversation_id: id } = (await client.createConversation()).body
  const { run_id } = (await client.send(id, script({ approval: 'Go on?' }, { delta: 'to the end' }))).body
  await reached(client, run_id, 'waiting_approval')
  const stream = await client.runEvents(run_id)
  const stopped = gateway.stop('SIGTERM')
  await eventually(
    () => client.request<{ status: string; draining: unknown }>('GET', '/readyz'),
    ({ status, body }) => status === 503 && body.status === 'draining',
  ).then(({ body }) => expect(body.draining).toEqual({ runs: 1 }))
  expect((await client.request('GET', '/healthz')).status).toBe(200)
  const other = (await client.createConversation()).body.conversation_id
  const later = (await client.send(other, { text: 'after the start' })).body.run_id

  const operator = createClient({ baseUrl: gateway.baseUrl, key: ADMIN_TOKEN })
  const { approvals } = (await operator.request<ApprovalList>('GET', '/admin/v1/approvals?state=pending')).body
  const asked = approvals.find((approval) => approval.run_id === run_id)
  await operator.request('POST', `/admin/v1/approvals/${asked?.approval_id}/decision`, {
    body: { decision: 'approve' },
  })
  await stream.until((events) => events.some(({ type }) => type === 'run.completed'))
  expect(await stopped).toBe(0)
  logs.push(gateway.log())
  expect(logs.at(-1)).toMatch(new RegExp(`"signal":"SIGTERM",.*"run_ids":\\["${run_id}"\\],"msg":"draining"`))

  await start()
  expect(await ended(client, run_id)).toMatchObject({ state: 'succeeded', result: { text: 'to the end' } })
  expect(await ended(client, later)).toMatchObject({ state: 'succeeded', result: { text: 'after the start' } })
})

test('a gateway ends at once on a second signal', async () => {
  const { conversation_id: id } = (await client.createConversation()).body
  const { run_id } = (await client.send(id, script({ delta: 'so far' }, { hang: true }))).body
  await reached(client, run_id, 'running')
  const stopped = gateway.stop('SIGTERM')
  // The gateway treats a signal directly after the first one as the same signal.
  const again = setInterval(() => process.kill(gateway.pid, 'SIGTERM'), 100)
  try {
    expect(await stopped).toBe(143)
  } finally {
    clearInterval(again)
  }
  logs.push(gateway.log())
  await start()
  expect((await ended(client, run_id)).state).toBe('interrupted')
  await stop('SIGTERM')
})

test('a gateway logs JSON to standard error only, without a secret [OPS-02, AUTH-09]', () => {
  expect(gateway.output().split('\n')).toEqual([expect.stringContaining('"ready"'), ''])
  const text = logs.join('')
  const lines = text.split('\n').filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(20)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) })
  expect(text).toContain('UNAUTHENTICATED')
  const secrets = [ADMIN_TOKEN, SECRET_KEY, UNKNOWN_KEY, ...Object.values(KEYS.only), KEYS.all, KEYS.otherApp]
  for (const secret of secrets) expect(text).not.toContain(secret)
  // The log contains no part of a secret either.
  for (const part of ['nobody-may-see', 'f0e1d2c3', 'a-key-that-does-not-exist', 'allxxx'])
    expect(text).not.toContain(part)
})
