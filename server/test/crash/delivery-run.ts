import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryList } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Statement } from '../../src/store/db.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { KEYS, TEST_BOOTSTRAP, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { createClient, ended, eventually } from '../support/client.ts'
import { startGateway } from '../support/gateway-process.ts'
import { verifyRun } from '../support/http-service.ts'
import type { ReceivedCallback } from '../support/receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { CRASH_SETTINGS } from './crash-run.ts'

/** The callbacks that arrived although the delivery process was killed. All counts from `lost` on must be zero. */
export interface DeliveryCrashReport {
  readonly rounds: number
  readonly events: number
  /** Requests beyond the first for each event. */
  readonly extra: number
  readonly lost: number
  /** Events that were repeated with different bytes, or had a wrong ID or an invalid signature. */
  readonly changed: number
  /** Events that arrived twice without a kill in between. */
  readonly doubled: number
  readonly faults: readonly string[]
}

const PATH = '/crash'
const SECRET = 'the secret of the crash test'
const ADMIN_TOKEN = 'the-admin-token-of-the-crash-test'
const SENDERS = 4

const AGE_LEASES: Statement = {
  name: 'test_age_leases',
  access: 'write',
  text: `update deliveries set lease_expires_at = now() where state = 'sending'`,
}

/** Kills the delivery process in each round while runs end, and checks the requests that the receiver got. */
export const crashDeliveries = async (
  url: string,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<DeliveryCrashReport> => {
  const receiver = await startReceiver()
  // Answers are delayed, so that kills interrupt attempts.
  receiver.answer(PATH, (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 20))
  const callback = {
    callback_id: 'cb_crash',
    endpoint_id: 'ep_echo',
    url: `${receiver.origin}${PATH}`,
    events: ['run.completed'],
    secret: SECRET,
  }
  const settings = {
    ...CRASH_SETTINGS,
    DATABASE_URL: url,
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_SECRET_KEY: '6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e',
    GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
    GATEWAY_BOOTSTRAP: await writeBootstrap({ ...TEST_BOOTSTRAP, callbacks: [callback] }),
  }
  const db = createPgDb({ url })
  const api = await startGateway({ ...settings, GATEWAY_ROLES: 'api,device,maintenance' })
  const delivering = { ...settings, GATEWAY_ROLES: 'delivery' }
  let victim = await startGateway(delivering)
  const kills: number[] = []
  let isStopping = false
  const senders = Array.from({ length: SENDERS }, () =>
    sendUntil(
      createClient({ baseUrl: api.baseUrl, key: KEYS.all, subject: randomUUID() }),
      (runId) => receiver.at(PATH).some(({ body }) => body.includes(runId)),
      () => isStopping,
    ),
  )
  try {
    for (let round = 0; round < rounds; round += 1) {
      await pause(30 + Math.random() * 400)
      await victim.kill()
      // Let the receiver read the requests that the killed process had sent.
      await pause(50)
      kills.push(receiver.at(PATH).length)
      // Expire its leases instead of waiting half a minute.
      await db.query(AGE_LEASES, [])
      victim = await startGateway(delivering)
      onProgress(`callbacks: kill ${round + 1} of ${rounds}, ${receiver.at(PATH).length} requests received`)
    }
    isStopping = true
    const runs = (await Promise.all(senders)).reduce((sum, count) => sum + count, 0)
    const operator = createClient({ baseUrl: api.baseUrl, key: ADMIN_TOKEN })
    await eventually(
      async () => [...(await list(operator, 'pending')), ...(await list(operator, 'sending'))].length,
      (left) => left === 0,
      120_000,
    )
    return inspect(rounds, runs, await list(operator, 'delivered'), receiver.at(PATH), kills)
  } finally {
    isStopping = true
    await Promise.all([victim.kill(), api.kill()])
    await Promise.allSettled([...senders, db.close(), receiver.close()])
  }
}

/** Sends messages one after the other, each when the callback of the previous one has arrived; returns their number. */
const sendUntil = async (
  client: Client,
  hasArrived: (runId: string) => boolean,
  isStopping: () => boolean,
): Promise<number> => {
  const { body } = await client.createConversation({ endpoint_id: 'ep_echo' })
  let count = 0
  while (!isStopping()) {
    const sent = await client.send(body.conversation_id, { text: `message ${count}` })
    if (sent.status !== 202) {
      await pause(20)
      continue
    }
    await ended(client, sent.body.run_id)
    count += 1
    while (!isStopping() && !hasArrived(sent.body.run_id)) await pause(10)
  }
  return count
}

const list = async (operator: Client, state: string): Promise<string[]> => {
  const eventIds: string[] = []
  for (let before = ''; ; ) {
    const { body } = await operator.request<DeliveryList>(
      'GET',
      `/admin/v1/deliveries?state=${state}&limit=100${before}`,
    )
    const last = body.deliveries.at(-1)
    if (last === undefined) return eventIds
    eventIds.push(...body.deliveries.map(({ event_id }) => event_id))
    before = `&before=${last.delivery_id}`
  }
}

/** @param kills the number of requests that had arrived at each kill. */
const inspect = (
  rounds: number,
  runs: number,
  delivered: readonly string[],
  received: readonly ReceivedCallback[],
  kills: readonly number[],
): DeliveryCrashReport => {
  const faults: string[] = []
  const seen = new Map<string, { body: Buffer; kills: number }>()
  const tally = { extra: 0, lost: 0, changed: 0, doubled: 0 }
  const fault = (kind: 'lost' | 'changed' | 'doubled', detail: string): void => {
    tally[kind] += 1
    faults.push(`${kind}: ${detail}`)
  }
  for (const [index, { headers, body }] of received.entries()) {
    const id = String(headers['webhook-id'])
    const killsBefore = kills.filter((count) => count <= index).length
    const before = seen.get(id)
    if (before !== undefined) {
      tally.extra += 1
      if (!before.body.equals(body)) fault('changed', `the bytes of ${id}`)
      if (before.kills === killsBefore) fault('doubled', `${id} without a kill in between`)
    }
    if (JSON.parse(body.toString()).event_id !== id) fault('changed', `the event_id of ${id}`)
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    if (!verifyRun({ headers, body }, SECRET, sentAt).ok) fault('changed', `the signature of ${id}`)
    seen.set(id, { body, kills: killsBefore })
  }
  for (const id of delivered) if (!seen.has(id)) fault('lost', `${id} is delivered, but did not arrive`)
  if (delivered.length !== runs) fault('lost', `${runs} runs ended, ${delivered.length} events were delivered`)
  return { rounds, events: delivered.length, ...tally, faults }
}
