import type { Callback, CallbackList, SavedCallback } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterAll, expect, it } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { deliveryWhen, newConversation, runToEnd, sendingTo } from '../callbacks/support.ts'
import { startReceiver } from '../support/receiver.ts'
import { onGateways } from '../support/running-gateway.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

const TOKEN = 'hunter2-in-the-query'
const CALLBACKS = '/admin/v1/callbacks'
const STORED: Statement = {
  name: 'test_stored_callback',
  access: 'read',
  text: 'select row_to_json(c)::text as row from callbacks c where callback_id = $1',
}
const FROM_BEFORE: Statement = {
  name: 'test_callback_from_before',
  access: 'write',
  text: 'update callbacks set url = $2, url_query = null where callback_id = $1',
}

onGateways(
  'the query of a callback’s URL',
  (gateway) => {
    const whole = (path: string): string => `${receiver.origin}${path}?token=${TOKEN}`
    const shown = (path: string): string => `${receiver.origin}${path}?***`
    const create = async (path: string): Promise<SavedCallback> => {
      const body = { app_id: 'app_test', endpoint_id: 'ep_script', url: whole(path), events: ['run.completed'] }
      return (await gateway.operator.request<SavedCallback>('POST', CALLBACKS, { body })).body
    }
    const change = (id: string, body: object) =>
      gateway.operator.request<Callback & Problem>('PATCH', `${CALLBACKS}/${id}`, { body })
    const stored = async (id: string): Promise<string> =>
      (await gateway.gateway.context.db.query<{ row: string }>(STORED, [id]))[0]?.row ?? ''
    const receives = async (id: string, path: string): Promise<void> => {
      await runToEnd(gateway, await newConversation(gateway))
      await deliveryWhen(gateway, id, ({ state }) => state === 'delivered')
      expect(receiver.at(`${path}?token=${TOKEN}`).length).toBeGreaterThan(0)
    }

    it('is stored encrypted, shown in no answer, and sent [CB-67]', async () => {
      const saved = await create('/one')
      const id = saved.callback_id
      const answers = [
        saved,
        (await gateway.operator.request<Callback>('GET', `${CALLBACKS}/${id}`)).body,
        (await change(id, { events: ['run.completed', 'run.failed'] })).body,
        (await gateway.operator.request<SavedCallback>('POST', `${CALLBACKS}/${id}/rotate-secret`)).body,
      ]
      expect(answers.map(({ url }) => url)).toEqual(answers.map(() => shown('/one')))
      const list = await gateway.operator.request<CallbackList>('GET', CALLBACKS)
      expect(JSON.stringify([list.body, answers])).not.toContain(TOKEN)
      expect(await stored(id)).toContain('/one')
      expect(await stored(id)).not.toContain(TOKEN)
      await receives(id, '/one')
    })

    it('of a row from before is hidden and sent at once, and encrypted with the next change [CB-67]', async () => {
      for (const [path, touch] of [
        ['/four', (id: string) => change(id, { enabled: true })],
        ['/five', (id: string) => gateway.operator.request('POST', `${CALLBACKS}/${id}/rotate-secret`)],
      ] as const) {
        const { callback_id: id } = await create(path)
        await gateway.gateway.context.db.query(FROM_BEFORE, [id, whole(path)])
        const read = await gateway.operator.request<Callback>('GET', `${CALLBACKS}/${id}`)
        expect([read.body.url, read.body.version]).toEqual([shown(path), 1])
        await receives(id, path)
        expect(await stored(id)).toContain(TOKEN)
        expect((await touch(id)).status).toBe(200)
        expect(await stored(id)).not.toContain(TOKEN)
        await change(id, { enabled: false })
      }
    })
  },
  sendingTo(receiver),
)
