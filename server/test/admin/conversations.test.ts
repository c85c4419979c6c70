import type { ConversationRecord, ConversationRecordList } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, it } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways(
  'The conversations that an operator sees',
  (running) => {
    const device = playDevice(running)
    const request = (path: string) => running.operator.request<ConversationRecordList>('GET', `/admin/v1${path}`)
    const listed = async (filter: string) =>
      (await request(`/conversations?${filter}`)).body.conversations.map((each) => each.conversation_id)

    it('are listed newest first, by application and subject, page by page [ADMIN-17]', async () => {
      const first = (await running.client().createConversation()).body.conversation_id
      await running.passTime(1000)
      const second = (await running.client({ subject: 'subject-2' }).createConversation()).body.conversation_id
      await running.passTime(1000)
      const other = running.client({ key: KEYS.otherApp })
      const third = (await other.createConversation({ endpoint_id: 'ep_other' })).body.conversation_id
      expect(await listed('')).toEqual([third, second, first])
      expect(await listed(`limit=1&before=${third}`)).toEqual([second])
      expect(await listed('app_id=app_test')).toEqual([second, first])
      expect(await listed('app_id=app_test&subject=subject-2')).toEqual([second])
      expect(await listed('app_id=app_other&subject=subject-2')).toEqual([])
      expect((await request('/conversations?before=conv_none')).status).toBe(404)
      expect((await request('/conversations?subject=subject-2')).status).toBe(400)
    })

    it('show the number of queued runs, the executing run and the generation [ADMIN-17, ADMIN-19]', async () => {
      const client = running.client()
      const { conversation_id: id } = (
        await client.createConversation({ endpoint_id: 'ep_script', conversation_key: 'order-1' })
      ).body
      await device.beat()
      const { run_id } = (await client.send(id, { text: 'words of a customer' })).body
      await client.send(id, { text: 'more words' })
      await device.take(run_id)
      const { status, body } = await running.operator.request<ConversationRecord>(
        'GET',
        `/admin/v1/conversations/${id}`,
      )
      expect([status, body]).toEqual([
        200,
        {
          conversation_id: id,
          app_id: 'app_test',
          subject: 'subject-1',
          endpoint_id: 'ep_script',
          device_id: 'dev_test',
          business_key: 'order-1',
          binding_version: 1,
          generation: 1,
          state: 'active',
          queued_runs: 1,
          executing_run_id: run_id,
          last_seq: expect.any(Number),
          erasure_id: null,
          created_at: running.clock.now().toISOString(),
        },
      ])
      expect((await request('/conversations/conv_none')).status).toBe(404)
    })

    it('show neither subject nor business key once they are erased', async () => {
      const { conversation_id: id } = (
        await running.client().createConversation({ endpoint_id: 'ep_script', conversation_key: 'order-2' })
      ).body
      await running.operator.request('DELETE', `/admin/v1/conversations/${id}`)
      await running.passTime(0)
      const { body } = await running.operator.request<ConversationRecord>('GET', `/admin/v1/conversations/${id}`)
      expect(body).toMatchObject({ subject: null, business_key: null, erasure_id: expect.stringMatching(/^ers_/) })
    })
  },
  WITHOUT_WORKER,
)
