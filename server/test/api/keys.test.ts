import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOM_FOR_STREAMS } from '../support/api-routes.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/client.ts'
import type { ManualTimers } from '../support/manual-timers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { onGateways, startRunningGateway } from '../support/running-gateway.ts'

const KEYS = '/admin/v1/apps/app_test/keys'
const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']

interface NewKey {
  readonly key_id: string
  readonly key: string
}

/** Every process applies a change to a key within this time (D-04). */
const NOTICED_MS = 5000
/** The interval at which the keys of open streams are checked. */
const WATCH_MS = 1000

onGateways(
  'keys of an application',
  (running) => {
    // Another process of the same gateway, which learns of changes only from the database.
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

    const newKey = async () => (await running.operator.post<NewKey>(KEYS, { scopes: SCOPES })).body
    const revoke = (keyId: string) => running.operator.request('POST', `${KEYS}/${keyId}/revoke`)
    const listStatus = async (client: Client): Promise<number> =>
      (await client.request('GET', '/api/v1/conversations?endpoint_id=ep_echo')).status

    test('are refused at once by the process that revokes them, and within 5 seconds by others [AUTH-15, AUTH-18, ERR-03]', async () => {
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

    test('end their own open streams within 5 seconds of being revoked [AUTH-15]', async () => {
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
  },
  { ...WITHOUT_WORKER, ...ROOM_FOR_STREAMS },
)
