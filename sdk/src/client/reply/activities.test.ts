import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { all } from '../../../test/support/all.ts'
import { anyEnding, anyReplySteps } from '../../../test/support/any-reply-steps.ts'
import { createManualTiming } from '../../../test/support/manual-timing.ts'
import { startTestGateway } from '../../../test/support/test-gateway.ts'

const TARGET = { endpoint_id: 'ep_test' }
const CALL = { activity_id: 'call_1', kind: 'tool', name: 'find_order' }

const start = () => {
  const timing = createManualTiming()
  return { ...startTestGateway({}, { timing }), timing }
}

describe('the activities of a reply', () => {
  it('yield the whole activity for each change, and are not part of the text', async () => {
    const { gateway, client } = start()
    gateway.reply([
      { activity: { ...CALL, input: { order: 1 } } },
      { delta: 'Your order ' },
      { activity: { activity_id: 'thinking', kind: 'reasoning', name: 'think', text_delta: 'So ' } },
      { activity: { activity_id: 'call_1', state: 'succeeded', output: { state: 'shipped' } } },
      { delta: 'is shipped.' },
      { activity: { activity_id: 'thinking', text_delta: 'be it.' } },
      { succeed: { data: { state: 'shipped' }, usage: { input_tokens: 3 } } },
    ])
    const reply = client.ask(TARGET, 'Where is it?')
    const begun = { ...CALL, state: 'running', input: { order: 1 } }
    const thought = { activity_id: 'thinking', kind: 'reasoning', name: 'think', state: 'running' }
    const ended = { ...begun, state: 'succeeded', output: { state: 'shipped' } }
    expect(await all(reply.activities())).toEqual([
      begun,
      { ...thought, text: 'So ' },
      ended,
      { ...thought, text: 'So be it.' },
    ])
    expect(await all(reply)).toEqual(['Your order ', 'is shipped.'])
    const progress = await all(reply.progress())
    expect(
      progress.map((item) => ('activity' in item ? item.activity.activity_id : 'text' in item && item.text)),
    ).toEqual(['call_1', 'Your order ', 'thinking', 'call_1', 'is shipped.', 'thinking', false])
    expect(progress.at(-1)).toEqual({
      seq: expect.any(Number),
      state: 'succeeded',
      error: null,
      result: { text: 'Your order is shipped.', data: { state: 'shipped' }, usage: { input_tokens: 3 } },
    })
    expect(await (await reply.toResponse()).text()).not.toContain('call_1')
  })

  it('end when a run fails; its progress reports the failure as a value', async () => {
    const { gateway, client } = start()
    gateway.reply([{ activity: CALL }, { fail: { code: 'MODEL_AWAY', message: 'No answer.' } }])
    const reply = client.ask(TARGET, 'Where is it?')
    expect(await all(reply.activities())).toEqual([{ ...CALL, state: 'running' }])
    expect((await all(reply.progress())).at(-1)).toMatchObject({ state: 'failed', error: { code: 'MODEL_AWAY' } })
  })

  it('leave out changes of activities that began before the retained events', async () => {
    const { gateway, client } = start()
    gateway.reply([{ activity: CALL }, { activity: { activity_id: 'call_1', state: 'failed' } }])
    const { run_id, conversation_id } = await client.ask(TARGET, 'Where is it?').admission
    const [began] = gateway.conversations[0]?.events.filter(({ type }) => type === 'assistant.activity') ?? []
    gateway.pruneEvents(conversation_id, began?.seq)
    expect(await all(client.follow(run_id, { after: began?.seq ?? 0 }).activities())).toEqual([])
  })

  it('arrive once each, from any position and despite cut streams, and finally equal those of the message', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyReplySteps,
        anyEnding,
        fc.integer({ min: 1, max: 3 }),
        async (steps, ending, eventsBeforeCut) => {
          const { gateway, client, timing } = start()
          gateway.reply([...steps, ending])
          const { run_id } = await client.ask(TARGET, 'Go').admission
          const whole = await all(client.follow(run_id).progress())
          const [conversation] = gateway.conversations
          const last = new Map(
            whole.flatMap((item) => ('activity' in item ? [[item.activity.activity_id, item.activity]] : [])),
          )
          const shown = conversation?.messages.flatMap(({ content }) => content.activities ?? [])
          expect([...last.values()]).toEqual(shown)
          for (const { seq } of conversation?.events ?? []) {
            gateway.failNext({ operation: 'streamRunEvents', fault: { cutStreamAfter: eventsBeforeCut }, times: 2 })
            const rest = await timing.drive(all(client.follow(run_id, { after: seq }).progress()))
            const expected = whole.filter((item) => item.seq === null || item.seq > seq)
            // A reply that resumes after the run's last event has an end without a seq, so ends are compared by their
            // state.
            expect(rest.slice(0, -1)).toEqual(expected.slice(0, -1))
            expect(rest.at(-1)).toMatchObject({ state: conversation?.runs[0]?.state })
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are read from snapshots while the stream limit is reached, and no change comes twice', async () => {
    await fc.assert(
      fc.asyncProperty(anyReplySteps, fc.nat(8), async (steps, before) => {
        const { gateway, client, timing } = start()
        gateway.hold()
        gateway.reply([...steps, { succeed: {} }])
        const reply = client.ask(TARGET, 'Go')
        const { run_id } = await reply.admission
        for (let step = 0; step < Math.min(before, steps.length); step += 1) gateway.step(run_id)
        gateway.failNext({ operation: 'streamRunEvents', fault: { code: 'STREAM_LIMIT', retryAfterSeconds: 5 } })
        timing.after(5_500, gateway.release)
        const activities = await timing.drive(all(reply.activities()))
        const streamed = await all(client.follow(run_id).activities())
        // Some changes may be missing; the changes of one activity are in order.
        const places = new Map<string, number>()
        for (const activity of activities) {
          const from = places.get(activity.activity_id) ?? 0
          const found = streamed.findIndex((each, index) => index >= from && isDeepStrictEqual(each, activity))
          expect(found).toBeGreaterThanOrEqual(0)
          places.set(activity.activity_id, found + 1)
        }
        const last = (all: typeof activities) => new Map(all.map((activity) => [activity.activity_id, activity]))
        expect(last(activities)).toEqual(last(streamed))
      }),
      { numRuns: 60 },
    )
  })

  it('are in the states of a watched conversation', async () => {
    const { gateway, client } = start()
    gateway.reply([{ activity: CALL }, { delta: 'Done.' }, { succeed: { data: { order: 1 } } }])
    gateway.hold()
    const { run_id, conversation_id } = await client.ask(TARGET, 'Go').admission
    const contents: unknown[] = []
    for await (const { kind, state } of client.conversations.watch(conversation_id)) {
      if (kind === 'snapshot') gateway.release()
      contents.push(state.messages[1]?.content)
      if (state.runs.some((run) => run.run_id === run_id && run.state === 'succeeded')) break
    }
    const activities = [{ ...CALL, state: 'running' }]
    expect(contents).toContainEqual({ text: '', activities, partial: true })
    expect(contents.at(-1)).toEqual({ text: 'Done.', activities, data: { order: 1 }, partial: false })
  })
})
