import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { finishedRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const runsAndMessages = async (t: ServerContext, conversationId: string): Promise<[number, number]> => {
  const { runs, messages } = await readSnapshot(t, conversationId)
  return [runs.length, messages.length]
}

/** Members by which a client could try to control the execution, named as in other APIs. */
const EXECUTION_MEMBERS: Readonly<Record<string, unknown>> = {
  model: 'some-model',
  working_directory: '/tmp',
  cwd: '/tmp',
  tool_permissions: ['shell'],
  permissions: { shell: true },
  tools: [],
  assistant: { type: 'echo' },
  binding_version: 1,
  system_prompt: null,
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/only-work-routes-start-runs',
    title: 'a message starts one run; reading, creating, cancelling and resetting start none',
    rules: ['GEN-08'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await runsAndMessages(t, ids.conversation)
      const others = bearerRoutes(t).filter(({ name }) => !['sendMessage', 'createRun'].includes(name))
      for (const route of others) {
        const answer = await ask(t.me, route, ids)
        assert.ok(
          answer.status < 300,
          `expected 2xx from ${route.name}, got ${answer.status} ${answer.text.slice(0, 300)}`,
        )
        // After a reset the snapshot may omit earlier runs and messages, but it cannot have more than before.
        const [runs, messages] = await runsAndMessages(t, ids.conversation)
        assert.ok(
          runs <= before[0] && messages <= before[1],
          `${route.name} started a run or added a message: ${runs} runs, ${messages} messages, before ${before.join(' and ')}`,
        )
      }
      const created = await t.conversation()
      assert.deepEqual(await runsAndMessages(t, created.conversation_id), [0, 0])
      await runToEnd(t, created, t.script({ succeed: { text: 'x' } }))
      assert.equal(
        (await runsAndMessages(t, created.conversation_id))[0],
        1,
        'one message did not start exactly one run',
      )
    },
  },
  {
    id: 'general/no-other-entrance',
    title: 'work cannot be started by a path or a method outside the specification',
    rules: ['GEN-08'],
    tags: ['security'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const message = { expected_generation: 1, input: { text: 'x' } }
      const attempts = [
        ['PUT', `/conversations/${id}/messages`, message],
        ['PATCH', `/conversations/${id}/messages`, message],
        ['POST', `/conversations/${id}`, message],
        ['PUT', `/conversations/${id}`, message],
        ['POST', `/conversations/${id}/runs`, message],
        ['POST', `/conversations/${id}/events`, message],
        ['POST', '/runs', { ...message, conversation_id: id }],
        ['POST', '/messages', { ...message, conversation_id: id }],
        ['PUT', `/agent-endpoints/${t.config.services.main}/runs`, { input: { text: 'x' } }],
        ['POST', `/agent-endpoints/${t.config.services.main}/messages`, { input: { text: 'x' } }],
      ] as const
      for (const [method, path, json] of attempts) {
        const { status } = await t.me.request(method, path, { json, key: t.fresh('key') })
        assert.ok(status >= 400, `expected a refusal of ${method} ${path}, got ${status}`)
      }
      assert.deepEqual(await runsAndMessages(t, id), [0, 0])
    },
  },
  {
    id: 'general/execution-is-not-chosen',
    title:
      'a request that names a model, a directory or permissions is refused with 400 UNKNOWN_FIELD and changes nothing',
    rules: ['GEN-13', 'ERR-01'],
    tags: ['security'],
    run: async (t) => {
      const { main } = t.config.services
      const { conversation_id: id } = await t.conversation()
      const input = { text: 'x' }
      for (const [member, value] of Object.entries(EXECUTION_MEMBERS)) {
        const named = { [member]: value }
        const key = t.fresh('order')
        const refused = await Promise.all([
          t.me.createConversation({ endpoint_id: main, conversation_key: key, ...named }),
          t.me.post(`/conversations/${id}/messages`, { expected_generation: 1, input, ...named }),
          t.me.post(`/conversations/${id}/messages`, { expected_generation: 1, input: { ...input, ...named } }),
          t.me.createRun(main, { input, conversation_key: key, ...named }),
          t.me.createRun(main, { input: { ...input, ...named }, conversation_key: key }),
        ])
        for (const answer of refused) expectRefusal(answer, 400, 'UNKNOWN_FIELD')
        const { text } = expectStatus(await t.me.listConversations(`endpoint_id=${main}`), 200)
        assert.ok(!text.includes(key), `a refused request with ${member} created a conversation`)
      }
      assert.deepEqual(await runsAndMessages(t, id), [0, 0])
    },
  },
  {
    id: 'general/service-decides-execution',
    title:
      'a run is executed by the published service of its conversation, whatever its data says about models and tools',
    rules: ['GEN-12'],
    tags: ['security'],
    run: async (t) => {
      const conversation = await t.conversation()
      assert.equal(conversation.endpoint_id, t.config.services.main)
      const scripted = t.script({ delta: 'by the ' }, { delta: 'service' })
      const data = { ...scripted.data, ...EXECUTION_MEMBERS, endpoint_id: t.config.services.foreign }
      const { run_id } = await t.admit(conversation, { ...scripted, text: 'use another model', data })
      const run = await t.runEnded(run_id)
      assert.deepEqual([run.state, run.result?.text], ['succeeded', 'by the service'])
    },
  },
]
