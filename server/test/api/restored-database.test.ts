import type { ApprovalList, RestoredMark } from '@conversation-gateway/openapi/generated/admin'
import { expect, test } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { ended, script } from '../support/client.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { onGateways } from '../support/running-gateway.ts'

const CUT: Statement = {
  name: 'test_cut_log',
  access: 'write',
  text: `with log as (update conversations set last_seq = $2 where conversation_id = $1)
    delete from events where conversation_id = $1 and seq > $2`,
}
const ADD_CONVERSATIONS: Statement = {
  name: 'test_add_conversations',
  access: 'write',
  text: `insert into conversations (app_id, conversation_id, subject, owner_id, endpoint_id, device_id, binding_version, created_at,
      last_seq)
    select app_id, conversation_id || '_' || n, subject, owner_id, endpoint_id, device_id, binding_version, created_at, n
    from conversations, generate_series(1, $2::integer) n where conversation_id = $1`,
}
const LOG_ENDS: Statement = {
  name: 'test_log_ends',
  access: 'read',
  text: `select conversation_id as id, last_seq as "lastSeq", pruned_seq as "prunedSeq" from conversations order by conversation_id`,
}
const FORGET: Statement = {
  name: 'test_forget',
  access: 'write',
  text: 'delete from conversations where conversation_id = $1',
}

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

    test('ends streams whose position exceeds its last event, and their readers get 410 [SSE-38]', async () => {
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

    test('ends the streams of missing conversations [SSE-38]', async () => {
      const { client, id, stream, position } = await follow()
      await running.gateway.context.db.query(FORGET, [id])
      await stream.ended
      expect((await client.events(id, { lastEventId: position })).status).toBe(404)
    })
  },
  { pingMs: 50 },
)

const markRestored = async ({ operator }: RunningGateway): Promise<number> => {
  const { status, body } = await operator.request<RestoredMark>('POST', '/admin/v1/mark-restored')
  expect(status).toBe(200)
  return body.conversations
}

onGateways(
  'after a restore was marked',
  (running) => {
    /** A conversation whose log has lost its end, and the position of a reader that has seen that end. */
    const restored = async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      await ended(client, (await client.send(id, { text: 'hello' })).body.run_id)
      const position = (await client.snapshot(id)).body.watermark
      await running.gateway.context.db.query(CUT, [id, 2])
      const send = async () => ended(client, (await client.send(id, { text: 'new work' })).body.run_id)
      const statusAt = async (after: number): Promise<number> => {
        const stream = await client.events(id, { after })
        stream.close()
        return stream.status
      }
      return { client, id, position, send, statusAt }
    }

    test.each(['before new work', 'after new work has used its number'])(
      'a position from before the restore is 410 when the mark was set %s',
      async (when) => {
        const { client, id, position, send, statusAt } = await restored()
        if (when === 'before new work') await markRestored(running)
        await send()
        if (when !== 'before new work') await markRestored(running)
        await send()
        for (const old of [0, 1, 2, position, position + 100]) expect([old, await statusAt(old)]).toEqual([old, 410])
        expect((await client.history(id)).body.messages.length).toBeGreaterThan(0)
      },
    )

    test('readers that have a new snapshot, or no position, continue without gaps', async () => {
      const { client, id, send } = await restored()
      await markRestored(running)
      const { watermark } = (await client.snapshot(id)).body
      const fromSnapshot = await client.events(id, { after: watermark })
      const fromOldest = await client.events(id)
      await send()
      for (const stream of [fromSnapshot, fromOldest]) {
        const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.completed'))
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => watermark + 1 + index))
        stream.close()
      }
    })

    test('open streams end, and their readers get 410', async () => {
      const { client, id, statusAt } = await restored()
      const stream = await client.events(id, { after: 2 })
      expect(stream.status).toBe(200)
      await markRestored(running)
      await stream.ended
      expect(await statusAt(2)).toBe(410)
    })

    test('an executing run continues, and keeps its streamed text', async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const steps = script({ delta: 'one ' }, { approval: 'Go on?' }, { delta: 'two' })
      const { run_id: runId } = (await client.send(id, steps)).body
      const stream = await client.events(id)
      await stream.until((events) => events.some(({ type }) => type === 'approval.required'))
      await markRestored(running)
      const { watermark, messages } = (await client.snapshot(id)).body
      expect(messages.at(-1)?.content.text).toBe('one ')
      const pending = await running.operator.request<ApprovalList>('GET', '/admin/v1/approvals?state=pending')
      const approval = pending.body.approvals.find((each) => each.run_id === runId)
      await running.operator.post(`/admin/v1/approvals/${approval?.approval_id}/decision`, { decision: 'approve' })
      expect((await ended(client, runId)).state).toBe('succeeded')
      const rest = await client.runEvents(runId, { lastEventId: watermark })
      await rest.until((events) => events.some(({ type }) => type === 'run.completed'))
      expect((await client.snapshot(id)).body.messages.at(-1)?.content.text).toBe('one two')
    })

    test('every conversation is marked once, however many there are, and again when the mark is repeated', async () => {
      const { id } = await restored()
      const { db } = running.gateway.context
      await db.query(ADD_CONVERSATIONS, [id, 1_001])
      const read = () => db.query<{ id: string; lastSeq: number; prunedSeq: number }>(LOG_ENDS, [])
      const before = await read()
      expect(await markRestored(running)).toBe(before.length)
      const once = await read()
      expect(await markRestored(running)).toBe(before.length)
      const twice = await read()
      const step = (once[0]?.lastSeq ?? 0) - (before[0]?.lastSeq ?? 0)
      expect(step).toBeGreaterThanOrEqual(1_000_000)
      expect(step * 1_000_000).toBeLessThan(Number.MAX_SAFE_INTEGER)
      const moved = (by: number) =>
        before.map(({ id, lastSeq }) => ({ id, lastSeq: lastSeq + by, prunedSeq: lastSeq + by }))
      expect(once).toEqual(moved(step))
      expect(twice).toEqual(moved(2 * step))
    })
  },
  { pingMs: 50 },
)
