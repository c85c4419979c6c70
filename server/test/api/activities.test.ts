import { foldActivities } from '@conversation-gateway/openapi/behaviour/activities'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { EventEnvelope, Message } from '@conversation-gateway/openapi/generated/gateway-closed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendToReply, reportOutcome } from '../../src/gateway/execution.ts'
import type { ReplyPart } from '../../src/writer/run-rules.ts'
import type { Client } from '../support/client.ts'
import { ended, script } from '../support/client.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const CALL = { activity_id: 'call_1', kind: 'tool', name: 'find_order' }

const eventsUpTo = async (client: Client, id: string, seq: number): Promise<EventEnvelope[]> => {
  const stream = await client.events(id)
  const events = await stream.until((all) => all.some((event) => event.seq >= seq))
  stream.close()
  return events.filter((event) => event.seq <= seq)
}

onGateways('activities', (running) => {
  const executed = async (...steps: readonly Record<string, unknown>[]) => {
    const client = running.client()
    const id = (await client.createConversation()).body.conversation_id
    const { body } = await client.send(id, script(...steps))
    const run = await ended(client, body.run_id)
    const answers = (await client.history(id)).body.messages.filter(({ role }) => role === 'assistant')
    return { run, answers }
  }

  test('and data are in a message of their own if the run has no text', async () => {
    const silent = await executed({ activity: { ...CALL, state: 'succeeded' } })
    expect(silent.answers.map(({ content }) => content)).toEqual([
      { text: '', activities: [{ ...CALL, state: 'succeeded' }], partial: false },
    ])
    const named = await executed({ activity: CALL }, { succeed: { text: 'Done.' } })
    expect(named.answers.map(({ content }) => content.text)).toEqual(['Done.'])
    const data = await executed({ succeed: { data: { a: 1 } } })
    expect(data.answers.map(({ content }) => content)).toEqual([{ text: '', data: { a: 1 }, partial: false }])
    const failed = await executed({ activity: CALL }, { fail: { code: 'OUT', message: 'x' } })
    expect(failed.run.result).toEqual({ error: { code: 'OUT', message: 'x', retryable: false } })
    expect(failed.answers.map(({ content }) => content)).toEqual([
      { text: '', activities: [{ ...CALL, state: 'running' }], partial: true },
    ])
  })

  test('fail the run if they are invalid', async () => {
    const nameless = await executed({ activity: { activity_id: 'a', kind: 'tool' } })
    expect(nameless.run.result?.error?.code).toBe('ASSISTANT_ERROR')
    const unknown = await executed({ activity: { ...CALL, state: 'done' } })
    expect(unknown.run.result?.error).toMatchObject({
      code: 'SCRIPT_INVALID',
      message: expect.stringContaining('activity.state'),
    })
  })
})

onGateways(
  'a streamed message',
  (running) => {
    const part = fc.oneof(
      fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
      fc.record({
        activity_id: fc.constantFrom('a', '__proto__'),
        state: fc.constantFrom('running' as const, 'failed' as const),
        output: fc.jsonValue({ maxDepth: 1 }),
        text_delta: fc.string({ maxLength: 2 }),
      }),
    )

    /** The content of a message according to its events. */
    const contentOf = (events: readonly EventEnvelope[], messageId: string) => {
      const own = events.filter(({ message_id }) => message_id === messageId)
      const activities = foldActivities(
        own.flatMap((event) => (event.type === 'assistant.activity' ? [event.payload.activity] : [])),
      )
      return {
        text: own.map((event) => (event.type === 'assistant.delta' ? event.payload.text : '')).join(''),
        ...(activities.length === 0 ? {} : { activities }),
      }
    }

    test('agrees with the events up to each watermark in snapshot, history, result and both streams', async () => {
      const client = running.client()
      const device = playDevice(running)
      await device.beat()
      await fc.assert(
        fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), async (pieces, succeeds) => {
          const { context } = running.gateway
          const id = (await client.createConversation()).body.conversation_id
          const { run_id } = (await client.send(id, { text: 'x' })).body
          const target = { ...(await device.take(run_id)), messageId: newId('msg') }
          let index = 0
          const known = new Set<string>()
          const parts = pieces.map((piece, place): ReplyPart => {
            if (typeof piece === 'string') return { place, index: index++, text: piece }
            const isNew = !known.has(piece.activity_id)
            known.add(piece.activity_id)
            return { place, activity: isNew ? { kind: 'tool', name: 'n', ...piece } : piece }
          })
          const readMessage = async (partial: boolean): Promise<Message> => {
            const snapshot = (await client.snapshot(id)).body
            const events = await eventsUpTo(client, id, snapshot.watermark)
            const shown = snapshot.messages.find(({ message_id }) => message_id === target.messageId)
            expect(shown?.content).toEqual({ ...contentOf(events, target.messageId), partial })
            expect((await client.history(id)).body.messages.at(-1)).toEqual(shown)
            if (shown === undefined) throw new Error('the snapshot lacks the message')
            return shown
          }
          for (const each of parts) {
            expect(await appendToReply(context, target, [each])).toBe(true)
            await readMessage(true)
          }
          await reportOutcome(
            context,
            target,
            succeeds
              ? { state: 'succeeded', usage: { total_tokens: 1 } }
              : { state: 'failed', error: { code: 'X', message: 'x', retryable: false } },
          )
          const shown = await readMessage(!succeeds)
          const events = await eventsUpTo(client, id, (await client.snapshot(id)).body.watermark)
          const whole = events.find((event) => event.type === 'assistant.message')
          if (succeeds) expect(whole?.payload).toEqual({ message: shown })
          const ofRun = await client.runEvents(run_id)
          expect(await ofRun.until((all) => all.length === events.length)).toEqual(events)
          ofRun.close()
          expect((await client.run(run_id)).body.result).toEqual(Object(events.at(-1)?.payload).result)
        }),
        { numRuns: 12 },
      )
    })
  },
  WITHOUT_WORKER,
)
