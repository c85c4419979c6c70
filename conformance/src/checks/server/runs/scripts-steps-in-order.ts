import assert from 'node:assert/strict'
import type { MessageInput } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { ofType, outputIn, payloadOf, runScript, streamedText } from '../../../kit/steps/events.ts'
import { expectRunEnd, expectRunState } from '../../../kit/steps/runs.ts'

/** Input with a script in the form of D-45, valid or not. */
function rawScript(t: ServerContext, script: unknown): MessageInput {
  if (t.config.driver?.scriptInput !== undefined) t.untestable('the driver sends scripts in another form')
  return { data: { script } }
}

const MALFORMED: readonly (readonly [what: string, script: unknown])[] = [
  ['a step without a member', [{ delta: 'a' }, {}]],
  ['a step with two members', [{ delta: 'a' }, { delta: 'a', message: 'b' }]],
  ['a step with two outcomes', [{ succeed: {}, fail: { code: 'NO', message: 'No.' } }]],
  ['a step of an unknown kind', [{ delta: 'a' }, { dance: true }]],
  ['a step that is a string', ['delta']],
  ['a step that is null', [null]],
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'scripts/steps-in-order',
    title: 'the steps of a long script are executed in order',
    rules: ['SCRIPT-01', 'SCRIPT-02', 'SCRIPT-03'],
    streams: 1,
    run: async (t) => {
      const pieces = Array.from({ length: 30 }, (_, at) => `${at} `)
      const { events } = await runScript(
        t,
        ...pieces.map((delta) => ({ delta })),
        { message: 'first aside' },
        { delta: 'between' },
        { message: 'second aside' },
        { succeed: { text: 'end' } },
      )
      assert.equal(streamedText(events), `${pieces.join('')}between`)
      const texts = ofType(events, 'assistant.delta', 'assistant.message').map((event) =>
        event.type === 'assistant.delta' ? payloadOf(event).text : Object(payloadOf(event).message).content.text,
      )
      const places = ['0 ', '29 ', 'first aside', 'between', 'second aside'].map((text) =>
        texts.findIndex((one) => String(one).includes(text)),
      )
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
        `output came in the order ${texts.join(' | ')}`,
      )
      assert.ok(!places.includes(-1), `output is missing in ${texts.join(' | ')}`)
      assert.equal(Object(payloadOf(events.at(-1) ?? assert.fail()).result).text, 'end')
    },
  },
  {
    id: 'scripts/exactly-one-member',
    title:
      'a script with a step that is not an object with exactly one known member is refused, or its run does not succeed',
    rules: ['SCRIPT-01'],
    run: async (t) => {
      for (const [what, script] of MALFORMED) {
        const conversation = await t.conversation()
        const sent = expectStatus(await t.me.send(conversation.conversation_id, rawScript(t, script)), 202, 400)
        if (sent.status === 400) continue
        const { state } = await t.runEnded(sent.body.run_id)
        assert.notEqual(state, 'succeeded', `the run of a script with ${what} has succeeded`)
      }
    },
  },
  {
    id: 'scripts/delta-streams',
    title: 'delta streams its text at once and unchanged, into one message',
    rules: ['SCRIPT-02'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start(
        { delta: ' leading' },
        { delta: '\nline ' },
        { delta: '漢字🙂 ' },
        { hang: true },
      )
      const stream = await t.me.runEvents(admission.run_id)
      await stream.until('the deltas', ({ events }) => streamedText(events).length >= ' leading\nline 漢字🙂 '.length)
      assert.equal(streamedText(stream.events), ' leading\nline 漢字🙂 ')
      await expectRunState(t, admission.run_id, 'running')
      assert.equal(new Set(ofType(stream.events, 'assistant.delta').map(({ message_id }) => message_id)).size, 1)
    },
  },
  {
    id: 'scripts/message-is-whole',
    title: 'message produces a separate complete message, which is not part of the streamed text or of the result',
    rules: ['SCRIPT-03', 'SCRIPT-13'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(
        t,
        { delta: 'a' },
        { message: 'one' },
        { message: 'two' },
        { delta: 'b' },
      )
      const answers = await outputIn(t, conversation.conversation_id)
      assert.deepEqual(
        answers.toSorted((a, b) => String(a.text).localeCompare(String(b.text))),
        ['ab', 'one', 'two'].map((text) => ({ text, partial: false })),
      )
      assert.equal(new Set(ofType(events, 'assistant.message').map(({ message_id }) => message_id)).size, 3)
      assert.equal((await t.runEnded(admission.run_id)).result?.text, 'ab')
    },
  },
  {
    id: 'scripts/sleep',
    title: 'sleep_ms waits that many milliseconds before the next step',
    rules: ['SCRIPT-04'],
    streams: 1,
    run: async (t) => {
      const { admission, events } = await runScript(
        t,
        { delta: 'before ' },
        { sleep_ms: 400 },
        { sleep_ms: 300 },
        { sleep_ms: 0 },
        { delta: 'after' },
      )
      assert.equal(streamedText(events), 'before after')
      const { created_at, updated_at } = await t.runEnded(admission.run_id)
      const tookMs = Date.parse(updated_at) - Date.parse(created_at)
      assert.ok(tookMs >= 700, `a run that sleeps for 700 ms took only ${tookMs} ms from created_at to updated_at`)
    },
  },
  {
    id: 'scripts/no-outcome',
    title: 'a script that ends without an outcome succeeds with the deltas joined',
    rules: ['SCRIPT-13'],
    run: async (t) => {
      const { admission } = await t.start({ delta: ' a' }, { sleep_ms: 30 }, { delta: 'b ' }, { delta: '\nc' })
      const run = await t.runEnded(admission.run_id)
      assert.deepEqual([run.state, run.result?.text], ['succeeded', ' ab \nc'])
      const { admission: silent } = await t.start({ sleep_ms: 1 })
      const nothing = await expectRunEnd(t, silent.run_id, 'succeeded')
      assert.equal(nothing.result?.text ?? '', '', `a run without output has the text ${nothing.result?.text}`)
    },
  },
]
