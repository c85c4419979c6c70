import assert from 'node:assert/strict'
import type { Message } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { inputsIn, readHistory } from '../../../kit/steps/snapshots.ts'

const STRINGS = ['message_id', 'conversation_id', 'run_id', 'role', 'created_at'] as const
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const outputOf = (messages: readonly Message[], runId: string): Message[] =>
  messages.filter(({ run_id, role }) => run_id === runId && role !== 'user')

/** Waits until the run has an assistant message with this text. Returns the history. */
const untilMessage = (t: ServerContext, conversationId: string, runId: string, text: string): Promise<Message[]> =>
  t.until(
    `the run has a message with ${text}`,
    () => readHistory(t, conversationId),
    (messages) => outputOf(messages, runId).some(({ content }) => content.text === text),
  )

export const checks: readonly ServerCheck[] = [
  {
    id: 'history/records',
    title: 'the history answers { messages } with records that name their message, conversation, run and generation',
    rules: ['HIST-01', 'HIST-13', 'HIST-14'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      assert.deepEqual(await readHistory(t, id), [], 'the history of an empty conversation must be an empty list')
      const first = await t.admit(conversation, { text: 'one' })
      await t.runEnded(first.run_id)
      const second = await t.admit(conversation, t.script({ message: 'out' }, { delta: 'put' }))
      await t.runEnded(second.run_id)
      const messages = await readHistory(t, id)
      for (const message of messages) {
        for (const name of STRINGS)
          assert.equal(
            typeof message[name],
            'string',
            `${name} of a message is ${JSON.stringify(message[name])}, expected a string`,
          )
        assert.match(message.created_at, TIMESTAMP)
        assert.ok(
          Number.isInteger(message.cursor) && message.cursor >= 1,
          `the cursor of a message is ${message.cursor}, expected a positive integer`,
        )
        assert.deepEqual([message.conversation_id, message.generation], [id, 1])
        assert.ok(
          [first.run_id, second.run_id].includes(message.run_id),
          `a message names the run ${message.run_id}, which was not admitted in this conversation`,
        )
        assert.equal(typeof message.content, 'object')
      }
      const submitted = await inputsIn(t, id)
      assert.deepEqual(
        submitted.map(({ message_id, run_id }) => [message_id, run_id]),
        [first, second].map(({ message_id, run_id }) => [message_id, run_id]),
        'the submitted messages do not have the IDs of their admissions',
      )
      assert.equal(new Set(messages.map(({ message_id }) => message_id)).size, messages.length)
      assert.ok(outputOf(messages, second.run_id).length >= 2, 'the history has fewer than 2 messages of the assistant')
    },
  },
  {
    id: 'history/nobody-elses',
    title: 'the history is 404 for another subject, another application and an unknown conversation',
    rules: ['HIST-01'],
    tags: ['security'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ message: 'secret' })
      await t.runEnded(admission.run_id)
      for (const caller of [t.caller({ subject: t.otherSubject() }), t.caller({ app: 'second' })])
        for (const query of ['', 'generation=1', 'limit=1', 'before=1000'])
          expectStatus(await caller.history(conversation.conversation_id, query), 404)
      expectStatus(await t.me.history(`conv_${t.fresh()}`), 404)
    },
  },
  {
    id: 'history/only-this-conversation',
    title: 'the history contains only messages of its conversation, on every page',
    rules: ['HIST-01'],
    run: async (t) => {
      const conversations = [await t.conversation(), await t.conversation()]
      const runIds = new Map(conversations.map(({ conversation_id: id }) => [id, new Set<string>()]))
      for (const text of ['1', '2', '3'])
        for (const conversation of conversations) {
          const { run_id: runId } = await t.admit(conversation, { text })
          runIds.get(conversation.conversation_id)?.add(runId)
          await t.runEnded(runId)
        }
      for (const [id, ownRunIds] of runIds) {
        const messages = await readHistory(t, id)
        assert.equal(messages.filter(({ role }) => role === 'user').length, 3)
        const before = `before=${messages.at(-1)?.cursor}`
        for (const message of [...messages, ...(await readHistory(t, id, before))]) {
          assert.equal(
            message.conversation_id,
            id,
            `the history has a message of conversation ${message.conversation_id}`,
          )
          assert.ok(
            ownRunIds.has(message.run_id),
            `the history has a message of run ${message.run_id}, which belongs to another conversation`,
          )
        }
      }
    },
  },
  {
    id: 'history/submitted-input',
    title: 'submitted input has the role user, and its content is unchanged',
    rules: ['HIST-15', 'HIST-16'],
    run: async (t) => {
      const conversation = await t.conversation()
      const data = { n: 1.5, list: [1, 'two', null, true, { deep: {} }], 'a.b': '', unicode: 'é漢🙂' }
      const inputs = [
        { text: '  spaces,\n lines\tand "quotes" \\ é漢🙂 ' },
        { data },
        { text: 'both', data: { order: 7 } },
      ]
      for (const input of inputs) await runToEnd(t, conversation, input)
      const submitted = await inputsIn(t, conversation.conversation_id)
      assert.equal(
        submitted.length,
        inputs.length,
        `${inputs.length} inputs were sent, and ${submitted.length} messages have the role user`,
      )
      for (const [at, { content }] of submitted.entries()) {
        assert.equal(content.text ?? '', inputs[at]?.text ?? '')
        assert.deepEqual(content.data ?? {}, inputs[at]?.data ?? {})
        assert.notEqual(content.partial, true, 'submitted input has content.partial true')
      }
    },
  },
  {
    id: 'history/unfinished-output-is-partial',
    title: 'an assistant message has content.partial true only until it is complete',
    rules: ['HIST-16', 'HIST-17'],
    run: async (t) => {
      const steps = [{ message: 'whole' }, { delta: 'half ' }, { delta: 'a text' }] as const
      const { conversation, admission } = await t.startIn('waiting_approval', ...steps, { approval: 'go on?' })
      const { conversation_id: id } = conversation
      // The specification leaves open whether the history has unfinished messages.
      const now = outputOf(await untilMessage(t, id, admission.run_id, 'whole'), admission.run_id)
      for (const { content } of now)
        assert.equal(
          content.partial ?? false,
          content.text !== 'whole',
          `content.partial must be true for the unfinished message only, got ${JSON.stringify(content)}`,
        )
      const done = await t.start(...steps)
      await t.runEnded(done.admission.run_id)
      const after = outputOf(await readHistory(t, done.conversation.conversation_id), done.admission.run_id)
      assert.ok(after.some(({ content }) => content.text === 'whole'))
      for (const { content } of after)
        assert.notEqual(content.partial, true, 'a message of an ended run has content.partial true')
    },
  },
  {
    id: 'history/roles',
    title: 'input has the role user and output the role assistant; no other roles occur',
    rules: ['HIST-18'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ message: 'one' }, { delta: 'two' })
      await t.runEnded(admission.run_id)
      const failing = t.script({ delta: 'three' }, { fail: { code: 'BROKEN', message: 'It is broken.' } })
      await runToEnd(t, conversation, failing)
      const roles = (await readHistory(t, conversation.conversation_id)).map(({ role }) => role)
      assert.deepEqual(roles, ['user', 'assistant', 'assistant', 'user', 'assistant'])
    },
  },
]
