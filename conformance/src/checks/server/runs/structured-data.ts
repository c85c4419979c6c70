import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { answersIn, ofType, payloadOf, runScript } from '../../../kit/steps/events.ts'
import { runToEnd } from '../../../kit/steps/runs.ts'

const DATA = { order: '4711', lines: [1, 2.5, null], nested: { ä: 'ö' } }
const USAGE = {
  input_tokens: 812,
  output_tokens: 96,
  total_tokens: 908,
  cost: { amount: '0.0123', currency: 'EUR' },
  model: 'small-1',
}
const ORDER = {
  type: 'object',
  required: ['order'],
  properties: { order: { $ref: '#/$defs/number' } },
  $defs: { number: { type: 'string', maxLength: 9 } },
}
const UNUSABLE_SCHEMAS: readonly unknown[] = [
  { type: 'thing' },
  { $ref: 'https://example.com/order.json' },
  { $ref: '#/$defs/nothing' },
  { description: 'x'.repeat(65_536) },
]

const needs = ['admin', 'appIds'] as const

const endpointsOf = (t: ServerContext): string => `/apps/${t.config.apps.first.appId}/endpoints`

/** Publishes a service with the script assistant, on the device of the main service. */
const publish = async (t: ServerContext, more: object): Promise<{ readonly endpoint_id: string }> =>
  t.admin.call('POST', endpointsOf(t), { device_id: await servedDevice(t), assistant: { type: 'script' }, ...more })

const servedDevice = async (t: ServerContext): Promise<string> =>
  (await t.admin.call<{ device_id: string }>('GET', `${endpointsOf(t)}/${t.config.services.main}`)).device_id

export const checks: readonly ServerCheck[] = [
  {
    id: 'structured/data-and-usage',
    title: 'the result of a run has its data and usage, and its answer message has the data',
    rules: ['ACT-05', 'ACT-06'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission, events } = await runScript(
        t,
        { delta: 'Found.' },
        { succeed: { data: DATA, usage: USAGE } },
      )
      const { result } = await t.runEnded(admission.run_id)
      assert.deepEqual(Object(result).data, DATA)
      assert.deepEqual(Object(result).usage, USAGE)
      const [end] = ofType(events, 'run.completed')
      assert.ok(end !== undefined, 'there is no run.completed')
      assert.deepEqual(payloadOf(end).result, result)
      const [answer] = await answersIn(t, conversation.conversation_id)
      assert.deepEqual(answer?.content.data, DATA)
    },
  },
  {
    id: 'structured/input-schema',
    title: 'data that violates the input_schema is refused with the place of the fault, and nothing is stored',
    rules: ['ACT-07'],
    needs,
    run: async (t) => {
      const { endpoint_id } = await publish(t, { input_schema: ORDER })
      const { conversation_id: id } = await t.conversation({ endpoint_id })
      for (const data of [{ order: 'far too long' }, { order: 4711 }, { other: 1 }]) {
        const refused = expectStatus(await t.me.send(id, { data }), 400)
        const [fault] = Object(JSON.parse(refused.text)).errors ?? []
        assert.ok(
          String(fault?.pointer).startsWith('/input/data'),
          `expected a pointer that starts with /input/data for ${JSON.stringify(data)}, got ${fault?.pointer}`,
        )
      }
      const { messages, watermark } = (await t.me.snapshot(id)).body
      assert.deepEqual(
        [messages, watermark],
        [[], 0],
        `refused messages left ${messages.length} messages and the watermark ${watermark}`,
      )
      expectStatus(await t.me.send(id, { data: { order: '4711' } }), 202)
    },
  },
  {
    id: 'structured/output-schema',
    title: 'data that violates the output_schema fails the run with OUTPUT_INVALID, and its text and data are kept',
    rules: ['ACT-08'],
    needs,
    run: async (t) => {
      const { endpoint_id } = await publish(t, { output_schema: ORDER })
      const conversation = await t.conversation({ endpoint_id })
      const run = async (data: Readonly<Record<string, unknown>>) => {
        const input = t.script({ delta: 'Found.' }, { succeed: { data } })
        return runToEnd(t, conversation, input)
      }
      assert.equal((await run({ order: '4711' })).state, 'succeeded')
      const { state, result } = await run({ order: 4711 })
      assert.equal(state, 'failed')
      assert.partialDeepStrictEqual(Object(result), {
        text: 'Found.',
        data: { order: 4711 },
        error: { code: 'OUTPUT_INVALID', retryable: false },
      })
    },
  },
  {
    id: 'structured/services-are-shown',
    title: 'an application can read the input and output schemas of its own services, and cannot find those of others',
    rules: ['ACT-09'],
    needs,
    tags: ['security'],
    run: async (t) => {
      const { endpoint_id } = await publish(t, { input_schema: ORDER, accepts: ['text/*'] })
      const path = `/agent-endpoints/${endpoint_id}`
      const shown = expectStatus(await t.me.request('GET', path), 200)
      assert.partialDeepStrictEqual(JSON.parse(shown.text), {
        endpoint_id,
        binding_version: 1,
        accepts: ['text/*'],
        input_schema: ORDER,
        output_schema: null,
      })
      expectStatus(await t.caller({ app: 'second' }).request('GET', path), 404)
    },
  },
  {
    id: 'structured/unusable-schemas',
    title: 'a schema that cannot be used is refused at publication, naming its place',
    rules: ['ACT-10'],
    needs,
    run: async (t) => {
      const path = endpointsOf(t)
      const deviceId = await servedDevice(t)
      for (const name of ['input_schema', 'output_schema'])
        for (const schema of UNUSABLE_SCHEMAS) {
          const { text } = expectStatus(
            await t.admin.request('POST', path, { json: { device_id: deviceId, [name]: schema } }),
            400,
          )
          assert.ok(text.includes(`"/${name}`), `expected a pointer to /${name} in the refusal, got ${text}`)
        }
    },
  },
]
