import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { failure, playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const settings = { ...SETTINGS, queuedPerConversation: 200, snapshotBytes: LIMITS.snapshotBytes }
const MIB = 1024 * 1024
/** Three such bodies fit into the budget, and hardly anything beside them. */
const THIRD = 340_000

onGateways(
  'the snapshot of a conversation',
  (running) => {
    const device = playDevice(running)
    const begin = async () => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation()).body.conversation_id }
    }
    const sendAndTake = async (client: Client, id: string, input = { text: 'hello' }) =>
      device.take((await client.send(id, input)).body.run_id)

    test('has its own shape, with full message records and runs, oldest first [SNAP-01, SNAP-02, SNAP-09, SNAP-14, SNAP-15]', async () => {
      const { client, id } = await begin()
      const done = await sendAndTake(client, id)
      const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
      await device.report(done, { state: 'failed', error })
      const executing = await sendAndTake(client, id)
      const waiting = (await client.send(id, { text: 'waiting' })).body
      const { status, body } = await client.snapshot(id)
      expect(status).toBe(200)
      expect(body).toEqual({
        conversation_id: id,
        generation: 1,
        watermark: expect.any(Number),
        messages: (await client.history(id)).body.messages,
        runs: [
          [done.runId, 'failed', true, { error }],
          [executing.runId, 'running', true, null],
          [waiting.run_id, 'queued', false, null],
        ].map(([run_id, state, device_received, result]) => ({
          run_id,
          generation: 1,
          state,
          device_received,
          result,
          result_available: result !== null,
        })),
      })
      expect(body.messages.map(({ message_id }) => message_id)).toEqual([
        done.messageId,
        executing.messageId,
        waiting.message_id,
      ])
    })

    test('shows the current generation [SNAP-03]', async () => {
      const { client, id } = await begin()
      for (const generation of [1, 2]) {
        expect((await client.snapshot(id)).body.generation).toBe(generation)
        await client.reset(id, generation)
      }
      expect((await client.snapshot(id)).body.generation).toBe(3)
    })

    test('has a watermark from which its stream goes on without a gap or a repeat [SNAP-04]', async () => {
      const { client, id } = await begin()
      const run = await sendAndTake(client, id)
      const { watermark } = (await client.snapshot(id)).body
      expect(watermark).toBe(2)
      const stream = await client.events(id, { after: watermark })
      await device.report(run, { state: 'succeeded', text: 'done' })
      const events = await stream.until(({ length }) => length === 2)
      stream.close()
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [watermark + 1, 'assistant.message'],
        [watermark + 2, 'run.completed'],
      ])
      expect((await client.snapshot(id)).body.watermark).toBe(watermark + 2)
    })

    test('includes assistant messages that are unfinished, as far as they have come, marked as partial [SNAP-12]', async () => {
      const { client, id } = await begin()
      const run = await sendAndTake(client, id)
      for (const [piece, text] of [
        ['half ', 'half '],
        ['an answer', 'half an answer'],
      ] as const) {
        await device.stream(run, piece)
        expect((await client.snapshot(id)).body.messages.at(-1)?.content).toEqual({ text, partial: true })
      }
    })

    test('holds the 200 newest messages and the 100 newest runs [SNAP-06, SNAP-07, LIMIT-12]', async () => {
      const { client, id } = await begin()
      const sent = await Promise.all(Array.from({ length: 102 }, () => client.send(id, { text: 'x' })))
      const admitted = sent
        .map(({ body }) => body)
        .sort((a, b) => a.event_cursor - b.event_cursor)
        .map(({ run_id }) => run_id)
      for (const runId of admitted)
        await device.report(await device.take(runId), { state: 'succeeded', text: 'answered' })
      const { messages, runs } = (await client.snapshot(id)).body
      expect(runs.map(({ run_id }) => run_id)).toEqual(admitted.slice(2))
      const newest = (await client.history(id, '?limit=100')).body.messages
      const before = (await client.history(id, `?limit=100&before=${newest[0]?.cursor}`)).body.messages
      expect(messages).toEqual([...before, ...newest])
      expect(messages).toHaveLength(200)
    })

    test('stays within 1 MiB: it leaves out the oldest result bodies, and says that there are some [SNAP-08, SNAP-10, SNAP-17, SNAP-18, SNAP-19, LIMIT-12]', async () => {
      const { client, id } = await begin()
      const results = async () => {
        const { headers, body } = await client.snapshot(id)
        expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(MIB)
        expect(body.runs.every(({ result_available }) => result_available)).toBe(true)
        expect(body.messages).toHaveLength(body.runs.length)
        return body.runs.map(({ result }) => result !== null)
      }
      const finish = async (bytes: number) => device.report(await sendAndTake(client, id), failure(bytes))
      for (let finished = 0; finished < 3; finished += 1) await finish(THIRD)
      expect(await results()).toEqual([true, true, true])
      await finish(THIRD / 10)
      expect(await results()).toEqual([false, true, true, true])
      await finish(THIRD)
      expect(await results()).toEqual([false, false, true, true, true])
      const [oldest] = (await client.snapshot(id)).body.runs
      const { result } = (await client.run(oldest?.run_id ?? '')).body
      expect(result?.error?.message).toHaveLength(THIRD)
    })

    test('leaves out the oldest messages when all result bodies are left out and it is still too large [SNAP-20]', async () => {
      const { client, id } = await begin()
      const sent: string[] = []
      for (let count = 0; count < 4; count += 1) {
        const { body } = await client.send(id, { data: { body: 'x'.repeat(THIRD) } })
        sent.push(body.message_id)
        await device.report(await device.take(body.run_id), failure())
      }
      const { headers, body } = await client.snapshot(id)
      expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(MIB)
      expect(body.messages.map(({ message_id }) => message_id)).toEqual(sent.slice(1))
      expect(body.runs.map(({ result, result_available }) => [result, result_available])).toEqual(
        Array.from({ length: 4 }, () => [null, true]),
      )
    })
  },
  { ...WITHOUT_WORKER, settings },
)
