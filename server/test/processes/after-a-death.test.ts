import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { createClient, ended, eventually, script } from '../support/client.ts'
import { createDatabase } from '../support/databases/postgres.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

// The recovery from a killed process, with the default times of a gateway, except GATEWAY_RECONCILE_MS.

const processes: GatewayProcess[] = []
const folders: string[] = []

const start = async (settings: Readonly<Record<string, string>>) => {
  const gateway = await startGateway({ GATEWAY_BOOTSTRAP: await writeBootstrap(), ...settings })
  processes.push(gateway)
  return { gateway, client: createClient({ baseUrl: gateway.baseUrl, key: KEYS.all }) }
}

afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()))
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** A run that hangs after some output, in a new conversation. */
const hang = async (client: Client): Promise<{ id: string; runId: string }> => {
  const { conversation_id: id } = (await client.createConversation()).body
  const sent = await eventually(
    () => client.send(id, script({ delta: 'so far' }, { hang: true })),
    ({ status }) => status === 202,
  )
  await eventually(
    () => client.snapshot(id),
    ({ body }) => body.messages.some(({ role }) => role === 'assistant'),
  )
  return { id, runId: sent.body.run_id }
}

test('the runs of a killed device process are reconciling, then interrupted, and queued runs start [DEV-17]', async () => {
  const { url } = await createDatabase(inject('databases').postgresUrl)
  const settings = { DATABASE_URL: url, GATEWAY_RECONCILE_MS: '2000' }
  const { client } = await start({ ...settings, GATEWAY_ROLES: 'api,maintenance' })
  const victim = await start({ ...settings, GATEWAY_ROLES: 'device' })
  const { id, runId } = await hang(client)
  const next = (await client.send(id, { text: 'next' })).body.run_id
  const stream = await client.runEvents(runId)
  await victim.gateway.kill()
  await start({ ...settings, GATEWAY_ROLES: 'device' })
  expect(await ended(client, runId)).toMatchObject({ state: 'interrupted', result: { text: 'so far' } })
  expect((await ended(client, next)).state).toBe('succeeded')
  const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.interrupted'))
  stream.close()
  const states = events
    .map(({ payload }) => ('state' in payload ? payload.state : null))
    .filter((state) => state !== null)
  expect(states.slice(-2)).toEqual(['reconciling', 'interrupted'])
})

test('on the embedded database, executing runs are interrupted when the next process is ready [DEV-18]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-death-'))
  folders.push(folder)
  const victim = await start({ GATEWAY_DATA_DIR: folder })
  const { id, runId } = await hang(victim.client)
  // As many streams as a subject may open. The next process must free their slots.
  for (let opened = 0; opened < 4; opened += 1) await victim.client.events(id)
  const next = (await victim.client.send(id, { text: 'next' })).body.run_id
  await victim.gateway.kill()
  const { client } = await start({ GATEWAY_DATA_DIR: folder })
  expect((await client.run(runId)).body).toMatchObject({ state: 'interrupted', result: { text: 'so far' } })
  const stream = await client.events(id)
  expect(stream.status).toBe(200)
  stream.close()
  expect((await ended(client, next)).state).toBe('succeeded')
})
