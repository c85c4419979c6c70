import { Client } from 'pg'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { createPgListener } from '../../src/store/drivers/pg-listener.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const FOREVER_MS = 2 ** 31 - 1
const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A listener behind a proxy, with its warnings and notifications. */
const listen = async () => {
  const network = await startTcpProxy(inject('databases').postgresUrl)
  cleanUps.push(() => network.close())
  const clients: Client[] = []
  const warnings: string[] = []
  const listener = createPgListener({
    connect: async () => {
      const client = new Client({ connectionString: network.url, connectionTimeoutMillis: 500 })
      await client.connect()
      await client.query("set lock_timeout to '100ms'")
      clients.push(client)
      return client
    },
    maxAgeMs: FOREVER_MS,
    heartbeat: { everyMs: 10, deadlineMs: 2000 },
    log: { info: () => {}, warn: (_: unknown, message?: string) => void warnings.push(String(message)) },
  })
  cleanUps.push(() => listener.close())
  const received: string[] = []
  let lost = 0
  await listener.listen(
    'channel',
    (payload) => received.push(payload),
    () => {
      lost += 1
    },
  )
  const sender = createPgDb({ url: inject('databases').postgresUrl, poolSize: 1 })
  cleanUps.push(() => sender.close())
  const [client] = clients
  if (client === undefined) throw new Error('the listener has not connected')
  return { network, client, listener, warnings, received, lost: () => lost, sender }
}

it.each<[string, (network: TcpProxy, client: Client) => Promise<void>]>([
  [
    'the network drops its packets',
    async (network) => {
      network.swallow('everything')
    },
  ],
  [
    'a pooler moves the connection to a session without LISTEN',
    async (_, client) => {
      await client.query('unlisten *')
    },
  ],
])('the listening connection is replaced, counted and reported when %s', async (_, deafen) => {
  const { network, client, listener, warnings, received, lost, sender } = await listen()
  await deafen(network, client)
  await vi.waitFor(() => expect(listener.lostListeners()).toBe(1), { timeout: 60_000 })
  expect(warnings).toEqual(['the connection that listens for notifications broke'])
  network.swallow(null)
  await vi.waitFor(() => expect(lost()).toBe(1), { timeout: 60_000 })
  await sender.notify('channel', ['after'])
  await vi.waitFor(() => expect(received).toEqual(['after']), { timeout: 60_000 })
})

it('the listening connection has no lock timeout, because NOTIFY can wait longer for a lock than other statements', async () => {
  const { client } = await listen()
  expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }])
})
