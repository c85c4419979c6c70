import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, finishedRecords, ROOM_FOR_STREAMS, ROUTES, requestTo } from '../support/api-routes.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/client.ts'
import type { ManualTimers } from '../support/manual-timers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { onGateways, startRunningGateway } from '../support/running-gateway.ts'

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']

interface NewKey {
  readonly key_id: string
  readonly key: string
}

/** Within this time a change to a key counts everywhere (D-04). */
const NOTICED_MS = 5000
/** How often the keys of open streams are looked at. */
const WATCH_MS = 1000

onGateways(
  'keys of an application',
  (running) => {
    // Another process of the same gateway: what the first one is told, it learns only from the database.
    let other: RunningGateway & { stop(): Promise<void> }
    let timers: ManualTimers
    beforeAll(async () => {
      timers = createManualTimers()
      other = await startRunningGateway(
        { db: running.gateway.context.db },
        { ...WITHOUT_WORKER, clock: running.clock, timers },
      )
    })
    afterAll(() => other.stop())

    const newKey = async (more: object = {}, appId = 'app_test'): Promise<NewKey> =>
      (
        await running.operator.request<NewKey>('POST', `/admin/v1/apps/${appId}/keys`, {
          body: { scopes: SCOPES, ...more },
        })
      ).body
    const revoke = (keyId: string) => running.operator.request('POST', `/admin/v1/apps/app_test/keys/${keyId}/revoke`)
    const listStatus = async (client: Client): Promise<number> =>
      (await client.request('GET', '/api/v1/conversations?endpoint_id=ep_echo')).status

    test('are rotated without a refused call: add the new one, switch over, revoke the old one [AUTH-12, AUTH-14]', async () => {
      const [first, second] = [await newKey(), await newKey()]
      const [old, fresh] = [running.client({ key: first.key }), running.client({ key: second.key })]
      expect([await listStatus(old), await listStatus(fresh)]).toEqual([200, 200])
      await revoke(first.key_id)
      expect([await listStatus(old), await listStatus(fresh)]).toEqual([401, 200])
    })

    test('stop at the next request where they are revoked, and within 5 seconds at every other process [AUTH-15, AUTH-18, ERR-03]', async () => {
      const { key, key_id } = await newKey()
      const [here, there] = [running.client({ key }), other.client({ key })]
      expect([await listStatus(here), await listStatus(there)]).toEqual([200, 200])
      await revoke(key_id)
      expect(await here.request('GET', '/api/v1/conversations?endpoint_id=ep_echo')).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      })
      running.clock.pass(NOTICED_MS)
      expect(await listStatus(there)).toBe(401)
    })

    test('stop when they expire, at every process [AUTH-13, AUTH-15, AUTH-18]', async () => {
      const { key } = await newKey({ expires_at: new Date(running.clock.now().getTime() + 2000).toISOString() })
      const clients = [running.client({ key }), other.client({ key })]
      running.clock.pass(1999)
      expect(await Promise.all(clients.map(listStatus))).toEqual([200, 200])
      running.clock.pass(1)
      expect(await Promise.all(clients.map(listStatus))).toEqual([401, 401])
    })

    test('take their open streams along when they are revoked, within 5 seconds, and no others [AUTH-15]', async () => {
      const { key, key_id } = await newKey()
      const { conversation_id: id } = (await running.client().createConversation()).body
      const [revoked, kept] = [await other.client({ key }).events(id), await other.client().events(id)]
      expect([revoked.status, kept.status]).toEqual([200, 200])
      await revoke(key_id)
      running.clock.pass(NOTICED_MS - WATCH_MS)
      timers.advance(WATCH_MS)
      await revoked.ended
      await playDevice(running).beat()
      await running.client().send(id, { text: 'still there' })
      await eventually(
        async () => {
          timers.advance(WATCH_MS)
          return kept.events.length
        },
        (count) => count > 0,
      )
    })

    describe('of a disabled application', () => {
      test('are refused with 403 on every route, reads included, and work again when it is enabled [AUTH-21, ERR-03]', async () => {
        const appId = `app_${randomUUID()}`
        const { operator } = running
        await operator.request('POST', '/admin/v1/apps', { body: { app_id: appId, owner_id: 'owner' } })
        await operator.request('POST', `/admin/v1/apps/${appId}/endpoints`, {
          body: { endpoint_id: 'ep_of_app', device_id: 'dev_test' },
        })
        const client = running.client({ key: (await newKey({}, appId)).key })
        await playDevice(running).beat()
        const records = await finishedRecords(client, 'ep_of_app')
        const setState = (state: string) => operator.request('PATCH', `/admin/v1/apps/${appId}`, { body: { state } })
        await setState('disabled')
        for (const route of ROUTES) {
          const { status, body } = await ask(client, route, requestTo(route, records))
          expect([route.id, status, body.code]).toEqual([route.id, 403, 'PERMISSION_DENIED'])
        }
        expect(await listStatus(running.client())).toBe(200)
        await setState('active')
        expect((await client.run(records.run_id)).status).toBe(200)
      })
    })

    describe('for a service on a disabled device', () => {
      test('start no new work there, with 403, and read what exists [AUTH-22, AUTH-23, ERR-03]', async () => {
        const device = playDevice(running, 'dev_second')
        await device.beat()
        const client = running.client()
        const records = await finishedRecords(client, 'ep_second')
        const move = (name: string) => running.operator.request('POST', `/admin/v1/devices/dev_second/${name}`)
        await move('disable')
        const work = [
          await client.send(records.conversation_id, { text: 'new' }),
          await client.post('/api/v1/agent-endpoints/ep_second/runs', { input: { text: 'new' } }),
        ]
        for (const refused of work) expect(refused).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } })
        const reads = ROUTES.filter(({ info }) => info.method === 'GET')
        for (const route of reads) {
          const { status } = await ask(client, route, requestTo(route, records))
          expect([route.id, status]).toEqual([route.id, 200])
        }
        await move('enable')
        expect((await client.send(records.conversation_id, { text: 'again' })).status).toBe(202)
      })
    })
  },
  { ...WITHOUT_WORKER, ...ROOM_FOR_STREAMS },
)
