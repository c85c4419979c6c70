import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { endsRun, streamedText } from '../../../kit/steps/events.ts'
import type { ModelServer, ModelServerOptions } from '../../../kit/steps/model-server.ts'
import { finish, startModelServer } from '../../../kit/steps/model-server.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { expectRunEnd } from '../../../kit/steps/runs.ts'

const PIECES = ['Hel', 'lo, ', '世界']

const modelOf = (t: ServerContext) => t.config.model ?? t.untestable('the configuration has no model')

async function withModel(
  t: ServerContext,
  use: (server: ModelServer) => Promise<void>,
  options: ModelServerOptions = {},
): Promise<void> {
  const server = await startModelServer(modelOf(t), PIECES, options)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

/** The messages of a call except system messages, as role and text. */
const messagesIn = (body: unknown): string[] => {
  const messages: unknown = Object(body).messages
  assert.ok(Array.isArray(messages), 'the request to the model server has no list of messages')
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`)
}

/** The ways an incomplete answer ends, each with the error code of its run. With null, any code is allowed. */
const INCOMPLETE: readonly (readonly [end: string, code: string | null])[] = [
  [finish('length'), 'ANSWER_TRUNCATED'],
  [finish('tool_calls'), 'TOOL_CALLS_UNSUPPORTED'],
  [finish('content_filter'), 'CONTENT_FILTERED'],
  [`data: ${JSON.stringify({ error: { message: 'overloaded', code: 502 } })}\n\n`, null],
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'assistants/openai-streams',
    title:
      'openai asks the model server by the chat-completions protocol with its model and key, and streams the answer',
    rules: ['ASST-08', 'ASST-10'],
    needs: ['model'],
    alone: 'model',
    streams: 1,
    run: async (t) => {
      const { service, model, key } = modelOf(t)
      const examine = async (server: ModelServer): Promise<void> => {
        const conversation = await t.conversation({ endpoint_id: service })
        const { run_id: runId } = await t.admit(conversation, { text: 'first' })
        const stream = await t.me.runEvents(runId, { after: 0 })
        await stream.event('the first piece, before the model sends the rest', ({ type }) => type === 'assistant.delta')
        server.release()
        await stream.event('the end of the run', endsRun(runId))
        const run = await t.runEnded(runId)
        assert.deepEqual([run.state, run.result?.text], ['succeeded', PIECES.join('')])
        assert.equal(streamedText(stream.events), PIECES.join(''))
        assert.equal(server.calls.length, 1, `the model server was called ${server.calls.length} times, expected once`)
        const [call] = server.calls
        assert.equal(call?.method, 'POST')
        assert.equal(call?.path, '/v1/chat/completions')
        assert.ok(
          call?.authorization === `Bearer ${key}`,
          'the Authorization header of the call is not Bearer with the key from the environment',
        )
        assert.equal(Object(call?.body).model, model)
        assert.equal(Object(call?.body).stream, true)
      }
      await withModel(t, examine, { isHeld: true })
    },
  },
  {
    id: 'assistants/openai-context',
    title:
      'openai sends the history of the current generation as context, and no content of earlier generations or other conversations',
    rules: ['ASST-09'],
    needs: ['model'],
    alone: 'model',
    run: async (t) => {
      await withModel(t, async (server) => {
        const { service } = modelOf(t)
        const [conversation, elsewhere] = [
          await t.conversation({ endpoint_id: service }),
          await t.conversation({ endpoint_id: service }),
        ]
        const say = async (to: typeof conversation, text: string): Promise<void> => {
          const { run_id: runId } = await t.admit(to, { text })
          await expectRunEnd(t, runId, 'succeeded')
        }
        await say(elsewhere, 'elsewhere')
        await say(conversation, 'first')
        await say(conversation, 'second')
        await completeReset(t, conversation.conversation_id, 1)
        await say({ ...conversation, generation: 2 }, 'third')
        await say({ ...conversation, generation: 2 }, 'fourth')
        const answer = `assistant: ${PIECES.join('')}`
        assert.deepEqual(
          server.calls.map(({ body }) => messagesIn(body)),
          [
            ['user: elsewhere'],
            ['user: first'],
            ['user: first', answer, 'user: second'],
            ['user: third'],
            ['user: third', answer, 'user: fourth'],
          ],
        )
      })
    },
  },
  {
    id: 'assistants/openai-incomplete',
    title:
      'an incomplete answer of the model server fails the run, and the output received so far is kept as partial output',
    rules: ['ASST-13'],
    needs: ['model'],
    alone: 'model',
    run: async (t) => {
      const conversation = await t.conversation({ endpoint_id: modelOf(t).service })
      for (const [end, code] of INCOMPLETE) {
        const ask = async (): Promise<void> => {
          const { run_id: runId } = await t.admit(conversation, { text: 'and then?' })
          const { state, result } = await t.runEnded(runId)
          assert.equal(state, 'failed', `a run is ${state} instead of failed after the incomplete answer ${end}`)
          assert.equal(result?.text, PIECES.join(''), `the partial output is not kept: result.text is ${result?.text}`)
          if (code !== null) assert.deepEqual([result?.error?.code, result?.error?.retryable], [code, false])
        }
        await withModel(t, ask, { end })
      }
    },
  },
  {
    id: 'assistants/openai-unreachable',
    title: 'a run whose model server cannot be reached fails without revealing the key',
    rules: ['ASST-08'],
    needs: ['model'],
    tags: ['security'],
    alone: 'model',
    run: async (t) => {
      const { service, key } = modelOf(t)
      const conversation = await t.conversation({ endpoint_id: service })
      const { run_id: runId } = await t.admit(conversation, { text: 'hello' })
      await expectRunEnd(t, runId, 'failed')
      assert.ok(!(await t.me.run(runId)).text.includes(key), 'the run shows the key of the model server')
    },
  },
]
