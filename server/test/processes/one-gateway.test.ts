import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { completed, createClient, ended, eventually, reached, script } from '../support/client.ts'
import { createDatabase } from '../support/databases/postgres.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

// Two API processes and one process of each other role, on one PostgreSQL, behave as one gateway.

const OTHER_ROLES = ['device', 'maintenance', 'delivery'] as const

const processes: GatewayProcess[] = []
let one: Client
let two: Client

beforeAll(async () => {
  const { url } = await createDatabase(inject('databases').postgresUrl)
  const settings = { DATABASE_URL: url, GATEWAY_BOOTSTRAP: await writeBootstrap(), GATEWAY_HEARTBEAT_MS: '500' }
  const api = await startGateway({ ...settings, GATEWAY_ROLES: 'api' })
  processes.push(api)
  const others = await Promise.all([
    startGateway({ ...settings, GATEWAY_ROLES: 'api' }),
    ...OTHER_ROLES.map((role) => startGateway({ ...settings, GATEWAY_ROLES: role })),
  ])
  processes.push(...others)
  one = createClient({ baseUrl: api.baseUrl, key: KEYS.all })
  two = createClient({ baseUrl: others[0]?.baseUrl ?? '', key: KEYS.all })
  const { body } = await one.createConversation({ endpoint_id: 'ep_echo' })
  // The first send waits for the first heartbeat of the device process.
  await eventually(
    () => one.send(body.conversation_id, { text: 'warm up' }),
    ({ status }) => status === 202,
  )
})

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()))
})

const newConversation = async (): Promise<string> => (await one.createConversation()).body.conversation_id

test('each role runs in a separate process, and only the API role answers the API [CONF-10, CONF-11]', async () => {
  for (const [index, role] of ['api', 'api', ...OTHER_ROLES].entries()) {
    const client = createClient({ baseUrl: processes[index]?.baseUrl ?? '', key: KEYS.all })
    const ready = await client.request('GET', '/readyz')
    expect(ready).toMatchObject({ status: 200, body: { store: 'postgresql', roles: { [role]: true } } })
    expect((await client.request('GET', '/metrics')).status).toBe(200)
    expect((await client.createConversation()).status).toBe(role === 'api' ? 201 : 404)
  }
})

test('the process of the maintenance role expires overdue runs [CONF-11]', async () => {
  const id = await newConversation()
  const hanging = await one.send(id, script({ hang: true }))
  const late = await one.post<Admission>(`/api/v1/conversations/${id}/messages`, {
    expected_generation: 1,
    input: { text: 'too late' },
    start_before: new Date(Date.now() + 500).toISOString(),
  })
  expect((await ended(two, late.body.run_id)).state).toBe('expired')
  await one.cancel(hanging.body.run_id)
})

test('a stream of one API process shows the events of work that the other admitted', async () => {
  const id = await newConversation()
  const stream = await one.events(id)
  const sent = await two.send(id, script({ delta: 'a' }, { delta: 'b' }))
  const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
  stream.close()
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.map(({ type }) => type)).toEqual([
    'run.updated',
    'run.started',
    'assistant.delta',
    'assistant.delta',
    'assistant.message',
    'run.completed',
  ])
  expect(events.every(({ run_id }) => run_id === sent.body.run_id)).toBe(true)
})

test('a cancel in one API process stops a run that the other admitted', async () => {
  const id = await newConversation()
  const { body } = await one.send(id, script({ hang: true }))
  await reached(two, body.run_id, 'running')
  const cancel = await two.cancel(body.run_id)
  expect((await completed(one, cancel.body.operation_id)).state).toBe('succeeded')
  expect((await ended(one, body.run_id)).state).toBe('cancelled')
})
