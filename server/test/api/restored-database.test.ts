import { expect, test } from 'vitest'
import { ended } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const CUT = {
  name: 'test_cut_log',
  text: `with log as (update conversations set last_seq = $2 where conversation_id = $1)
    delete from events where conversation_id = $1 and seq > $2`,
}
const FORGET = { name: 'test_forget', text: 'delete from conversations where conversation_id = $1' }

onGateways(
  'a database that was restored, or failed over without its last commits',
  (running) => {
    const follow = async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      await ended(client, (await client.send(id, { text: 'hello' })).body.run_id)
      const stream = await client.events(id)
      const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
      return { client, id, stream, position: events.at(-1)?.seq ?? 0 }
    }

    test('ends the streams that stand beyond it, and their readers are told to reload [SSE-38]', async () => {
      const { client, id, stream, position } = await follow()
      await running.gateway.context.db.query(CUT, [id, 2])
      await stream.ended
      const again = await client.events(id, { lastEventId: position })
      expect(again.status).toBe(410)
      expect((await client.snapshot(id)).body.watermark).toBe(2)
      const resumed = await client.events(id, { lastEventId: 2 })
      expect(resumed.status).toBe(200)
      resumed.close()
    })

    test('ends the streams of what it does not have at all [SSE-38]', async () => {
      const { client, id, stream, position } = await follow()
      await running.gateway.context.db.query(FORGET, [id])
      await stream.ended
      expect((await client.events(id, { lastEventId: position })).status).toBe(404)
    })
  },
  { pingMs: 50 },
)
