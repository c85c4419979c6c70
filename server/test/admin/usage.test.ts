import type { App, Device, KeyList, Usage } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, it } from 'vitest'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

onGateways(
  'The usage and the limits of applications',
  (running) => {
    const device = playDevice(running)
    const read = async <Body>(path: string) => (await running.operator.request<Body>('GET', `/admin/v1${path}`)).body

    it('count runs by the day of admission and by outcome [ADMIN-25]', async () => {
      const client = running.client()
      await device.beat()
      const id = (await client.createConversation()).body.conversation_id
      const first = (await client.send(id, { text: 'a' })).body.run_id
      await client.send(id, { text: 'b' })
      const tokens = { input_tokens: 812, output_tokens: 96 }
      const cost = { amount: '0.0123', currency: 'EUR' }
      const used = { ...tokens, cost }
      await device.report(await device.take(first), { state: 'succeeded', text: 'done', usage: used })
      const day = running.clock.now().toISOString().slice(0, 10)
      const none = { failed: 0, cancelled: 0, interrupted: 0, expired: 0 }
      const counted = { admitted: 2, succeeded: 1, unfinished: 1, ...none, ...tokens, costs: [cost] }
      expect(await read<Usage>('/usage?app_id=app_test')).toEqual({
        usage: [{ app_id: 'app_test', endpoint_id: null, day, ...counted }],
      })
      expect(await read<Usage>('/usage?app_id=app_test&by=service')).toEqual({
        usage: [{ app_id: 'app_test', endpoint_id: 'ep_script', day, ...counted }],
      })
      expect(await read<Usage>('/usage?app_id=app_other')).toEqual({ usage: [] })
      expect(await read<Usage>(`/usage?created_before=${day}T00:00:00Z`)).toEqual({ usage: [] })
      const long = await running.operator.request('GET', '/admin/v1/usage?created_after=2020-01-01T00:00:00Z')
      expect(long).toMatchObject({ status: 400, body: { errors: [{ pointer: 'created_after' }] } })
    })

    it('show the effective limits: those of the application, otherwise those of the gateway [ADMIN-26]', async () => {
      const own = { pending_limit: 3, rate_limit_per_second: 7, stream_limit: 2, subject_stream_limit: 1 }
      const limits = async () => (await read<App>('/apps/app_other')).limits_in_force
      expect(await limits()).toEqual({
        pending_limit: 200,
        rate_limit_per_second: null,
        stream_limit: 16,
        subject_stream_limit: 4,
      })
      await running.operator.request('PATCH', '/admin/v1/apps/app_other', { body: own })
      expect(await limits()).toEqual(own)
      const { limits_in_force } = await read<Device>('/devices/dev_test')
      expect(limits_in_force).toEqual({ pending_limit: 1000, stream_limit: 32 })
    })

    it('show the prefix and the last use of each key [ADMIN-26]', async () => {
      const path = '/admin/v1/apps/app_test/keys'
      const body = { scopes: ['runs:read'] }
      const made = await running.operator.request<{ key_id: string; key: string }>('POST', path, { body })
      const find = async () =>
        (await read<KeyList>('/apps/app_test/keys')).keys.find(({ key_id }) => key_id === made.body.key_id)
      expect(await find()).toMatchObject({ prefix: made.body.key.slice(0, 35), last_used_at: null })
      expect((await running.client({ key: made.body.key }).run('run_none')).status).toBe(404)
      await running.gateway.keyUse.write()
      const minute = `${running.clock.now().toISOString().slice(0, 16)}:00.000Z`
      await untilHolds(async () => expect(await find()).toMatchObject({ last_used_at: minute }))
      expect((await read<KeyList>('/apps/app_test/keys')).keys.some(({ prefix }) => prefix === null)).toBe(true)
    })
  },
  WITHOUT_WORKER,
)
