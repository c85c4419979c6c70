import assert from 'node:assert/strict'
import type { Admission, EventEnvelope, Snapshot } from '#openapi/generated/gateway'
import { type ServerCheck, TERMINAL_STATES } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { endsRun, expectStartedOnce, payloadOf, readUntilEnd, seqsOf } from '../../../kit/steps/events.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const BUSY_RUNS = 18
const READERS = 4

export const checks: readonly ServerCheck[] = [
  {
    id: 'snapshots/watermark-resumes',
    title: 'a stream from the watermark continues the snapshot: it sends later events and no earlier ones',
    rules: ['SNAP-04'],
    streams: 2,
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const start = (await readSnapshot(t, id)).watermark
      const first = await t.admit(conversation, { text: 'before the snapshot' })
      await t.runEnded(first.run_id)
      const earlier = await readUntilEnd(t, first, start)
      assert.ok(earlier.length > 0 && seqsOf(earlier).every((seq) => seq > start))

      const { watermark } = await readSnapshot(t, id)
      assert.ok(Number.isInteger(watermark), `watermark is ${watermark}, expected an integer`)
      const byQuery = await t.me.events(id, { after: watermark })
      const byHeader = await t.me.events(id, { lastEventId: watermark })
      const second = await t.admit(conversation, { text: 'after the snapshot' })
      for (const stream of [byQuery, byHeader]) {
        await stream.event('the end of the later run', endsRun(second.run_id))
        assert.ok(
          seqsOf(stream.events).every((seq) => seq > watermark),
          `the stream from the watermark ${watermark} has events that are not above it`,
        )
        expectStartedOnce(stream.events)
      }
      assert.ok((await readSnapshot(t, id)).watermark > watermark, 'a run did not advance the watermark')
    },
  },
  {
    id: 'snapshots/one-consistent-read',
    title: 'every snapshot of a running conversation equals the state built from the events up to its watermark',
    rules: ['SNAP-16'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const start = (await readSnapshot(t, id)).watermark
      const words = Array.from({ length: 25 }, (_, at) => [{ delta: `word${at} ` }, { sleep_ms: 4 }]).flat()
      const runs = [
        await t.admit(conversation, t.script(...words)),
        await t.admit(
          conversation,
          t.script({ message: 'whole' }, ...words, { fail: { code: 'BROKEN', message: 'x' } }),
        ),
        await t.admit(conversation, { text: 'last' }),
      ]
      const last = runs[2]
      assert.ok(last !== undefined)
      const snapshots: Snapshot[] = []
      await t.until(
        'all runs have ended',
        async () => {
          const several = await Promise.all([readSnapshot(t, id), readSnapshot(t, id)])
          snapshots.push(...several)
          return several[1]
        },
        (snapshot) => snapshot.runs.length === 3 && snapshot.runs.every(({ state }) => TERMINAL_STATES.has(state)),
      )
      const events = await readUntilEnd(t, last, start)
      for (const snapshot of snapshots) expectReflected(snapshot, events)
      assert.equal(
        (await readSnapshot(t, id)).watermark,
        seqsOf(events).at(-1),
        'after the last event the watermark must be its seq',
      )
      const marks = new Set(snapshots.map(({ watermark }) => watermark))
      t.note(`${snapshots.length} snapshots at ${marks.size} positions of ${events.length} events`)
    },
  },
  {
    id: 'snapshots/nothing-lost-behind-the-watermark',
    title: 'the snapshot of a busy conversation contains all changes that the events up to its watermark report',
    rules: ['SNAP-21'],
    tags: ['race'],
    streams: 1,
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      const start = (await readSnapshot(t, id)).watermark
      // The hanging run keeps the others queued until snapshots are read.
      const occupying = await t.admit(conversation, t.script({ hang: true }))
      const admissions: Admission[] = []
      for (let at = 0; at < BUSY_RUNS; at += 1) {
        const steps = [{ message: `${at}, first` }, { message: `${at}, second` }, { succeed: {} }]
        admissions.push(await t.admit(conversation, t.script(...steps)))
      }
      const snapshots: Snapshot[] = []
      let isOver = false
      const readRepeatedly = async (): Promise<void> => {
        while (!isOver) snapshots.push(await readSnapshot(t, id))
      }
      const finishRuns = async (): Promise<void> => {
        try {
          expectStatus(await t.me.cancel(occupying.run_id), 202)
          for (const { run_id: runId } of admissions) await t.runEnded(runId)
        } finally {
          isOver = true
        }
      }
      await Promise.all([finishRuns(), ...Array.from({ length: READERS }, readRepeatedly)])
      const events = await readUntilEnd(t, admissions.at(-1) ?? assert.fail(), start)
      for (const snapshot of snapshots) expectNothingLost(snapshot, events)
    },
  },
]

/** Fails if an event up to the watermark reports a change that the snapshot does not have. */
function expectNothingLost({ watermark, runs, messages }: Snapshot, events: readonly EventEnvelope[]): void {
  for (const event of events.filter(({ seq }) => seq <= watermark)) {
    const { seq, type, run_id: runId, message_id: messageId } = event
    const lost = `the snapshot has the watermark ${watermark}, but lacks the change of event ${seq} ${type}`
    const state = runs.find(({ run_id }) => run_id === runId)?.state ?? ''
    if (type === 'run.started')
      assert.ok(state !== '' && state !== 'queued', `${lost}: the run is ${state || 'missing'}`)
    if (type === 'run.completed') assert.equal(state, 'succeeded', lost)
    if (type === 'assistant.message')
      assert.ok(
        messages.some(({ message_id }) => message_id === messageId),
        `${lost}: the message is missing`,
      )
  }
}

/** Fails unless states, available results and texts of the snapshot agree with the events up to its watermark. */
function expectReflected({ watermark, runs, messages }: Snapshot, events: readonly EventEnvelope[]): void {
  const past = events.filter(({ seq }) => seq <= watermark)
  for (const run of runs) {
    const last = past.findLast(({ run_id, type }) => run_id === run.run_id && type.startsWith('run.'))
    const state = last === undefined ? 'queued' : String(payloadOf(last).state ?? 'failed')
    assert.equal(
      run.state,
      state,
      `at watermark ${watermark} the run is ${run.state}, but ${state} according to the events`,
    )
    assert.equal(run.result_available, TERMINAL_STATES.has(state) && run.result !== null)
  }
  const texts = new Map<string, { readonly text: string; readonly partial: boolean }>()
  for (const event of past) {
    const messageId = event.message_id ?? ''
    const payload = payloadOf(event)
    if (event.type === 'assistant.delta') {
      const text = `${texts.get(messageId)?.text ?? ''}${String(payload.text)}`
      texts.set(messageId, { text, partial: true })
    }
    if (event.type === 'assistant.message') {
      const { message } = event.payload as { readonly message: { readonly content: { readonly text?: string } } }
      texts.set(messageId, { text: message.content.text ?? '', partial: false })
    }
  }
  const answers = messages.filter(({ role }) => role === 'assistant')
  assert.deepEqual(
    answers.map(({ message_id, content }) => [message_id, content.text]),
    [...texts].map(([messageId, { text }]) => [messageId, text]),
    `at watermark ${watermark} the messages differ from those that the events up to it build`,
  )
  for (const { message_id: id, content } of answers)
    if (texts.get(id)?.partial === false)
      assert.notEqual(content.partial, true, `at watermark ${watermark} the complete message ${id} is shown as partial`)
}
