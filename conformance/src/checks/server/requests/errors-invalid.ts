import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { refusedStream } from '../../../kit/steps/events.ts'
import type { RecordIds } from '../../../kit/steps/records.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import type { BearerRoute } from '../../../kit/steps/routes.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

type Body = Readonly<Record<string, unknown>>

const JSON_TYPE = { 'content-type': 'application/json' }
/** More than 64 KiB in bytes, but not in characters. */
const TOO_MUCH_TEXT = `${'é'.repeat(32_768)}x`

const WRONG_INPUTS: readonly unknown[] = [
  null,
  [],
  'hello',
  7,
  {},
  { text: '' },
  { text: 7 },
  { text: null },
  { text: ['hello'] },
  { text: TOO_MUCH_TEXT },
  { data: [] },
  { data: 'x' },
  { data: null },
  { text: 'x', data: [] },
  { text: 'x', resource_ids: 'res_1' },
  { text: 'x', resource_ids: [7] },
  { text: 'x', resource_ids: ['res_1', 'res_2', 'res_3', 'res_4', 'res_5', 'res_6'] },
]
const WRONG_GENERATIONS: readonly unknown[] = ['1', 0, -1, 1.5, null, true, [1]]
const WRONG_TIMES: readonly unknown[] = [
  '',
  'soon',
  7,
  null,
  '2026-01-01',
  '2126-01-01T00:00:00',
  '2126-13-01T00:00:00Z',
]
const WRONG_KEYS: readonly unknown[] = ['', ' key', 'key ', 'x'.repeat(257), 7, null, ['key']]

/** Invalid values by route and member. */
const WRONG_VALUES: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  createConversation: { endpoint_id: [7, null, ['ep'], {}], conversation_key: WRONG_KEYS },
  sendMessage: { expected_generation: WRONG_GENERATIONS, input: WRONG_INPUTS, start_before: WRONG_TIMES },
  resetConversation: {
    expected_generation: WRONG_GENERATIONS,
    busy_policy: ['', 'REJECT', 'cancel', 'cancel_and_restart', 7, null, true],
  },
  createRun: { input: WRONG_INPUTS, conversation_key: WRONG_KEYS, start_before: WRONG_TIMES },
}
/** Required members by route. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  createConversation: ['endpoint_id'],
  sendMessage: ['expected_generation', 'input'],
  resetConversation: ['expected_generation'],
  createRun: ['input'],
}
const NOT_OBJECTS = ['', '{', '{"a":1', 'null', '[]', '[{}]', '"x"', '7', 'true', "{'a':1}", '{"a":1,}', '{}{}', 'NaN']

/** The routes of the specification that take a JSON body. */
const jsonRoutes = (t: ServerContext): readonly BearerRoute[] =>
  bearerRoutes(t).filter(({ json, decided }) => json !== undefined && decided === undefined)

async function expectInvalid(t: ServerContext, route: BearerRoute, ids: RecordIds, body: string, what: string) {
  t.note(`${route.name}: ${what}`)
  expectRefusal(await ask(t.me, route, ids, { body, headers: JSON_TYPE }), 400, 'INVALID_REQUEST')
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/bodies-that-are-no-object',
    title: 'a body that is not a JSON object answers 400 INVALID_REQUEST on every route, without effect',
    rules: ['ERR-02'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      // An implementation may accept a cancel without a body like one with the empty object.
      for (const route of jsonRoutes(t))
        for (const body of NOT_OBJECTS)
          if (body !== '' || route.name !== 'cancelRun') await expectInvalid(t, route, ids, body, body)
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'errors/values-of-the-wrong-kind',
    title: 'a member with a value that the route does not accept answers 400 INVALID_REQUEST, without effect',
    rules: ['ERR-02'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      for (const route of jsonRoutes(t))
        for (const [member, values] of Object.entries(WRONG_VALUES[route.name] ?? {}))
          for (const value of values) {
            const body = JSON.stringify({ ...route.json?.(ids), [member]: value })
            await expectInvalid(t, route, ids, body, `${member} is ${JSON.stringify(value).slice(0, 60)}`)
          }
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'errors/missing-members',
    title: 'a body without a member that is required answers 400 INVALID_REQUEST',
    rules: ['ERR-02'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of jsonRoutes(t))
        for (const member of REQUIRED[route.name] ?? []) {
          const { [member]: _, ...rest }: Body = route.json?.(ids) ?? {}
          await expectInvalid(t, route, ids, JSON.stringify(rest), `without ${member}`)
        }
    },
  },
  {
    id: 'errors/invalid-queries',
    title: 'a query parameter that the route cannot read answers 400 INVALID_REQUEST',
    rules: ['ERR-02'],
    run: async (t) => {
      const { conversation, run, endpoint } = await finishedRecords(t)
      const history = ['limit=0', 'limit=201', 'limit=-1', 'limit=x', 'limit=1.5', 'generation=0', 'generation=-1']
      // The specification defines neither limits of the list (D-13) nor a refusal of malformed stream positions (D-29).
      const decided = [
        '/conversations',
        `/conversations?endpoint_id=${endpoint}&limit=x`,
        `/conversations?endpoint_id=${endpoint}&limit=-1`,
      ]
      const paths = [
        ...(t.profile === 'reference' ? decided : []),
        ...[...history, 'generation=x', 'before=0', 'before=-1', 'before=x', 'before=1.5', 'before=msg_1'].map(
          (query) => `/conversations/${conversation}/messages?${query}`,
        ),
      ]
      for (const path of paths) expectRefusal(await t.me.get(path), 400, 'INVALID_REQUEST')
      if (t.profile === 'core') return
      for (const path of [`/conversations/${conversation}/events`, `/runs/${run}/events`])
        for (const position of [{ after: 'x' }, { after: '-1' }, { after: '1.5' }, { lastEventId: 'evt_1' }])
          expectRefusal(await refusedStream(t.me, path, position), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'errors/invalid-idempotency-keys',
    title: 'an Idempotency-Key that is malformed, or absent although required, answers 400 INVALID_REQUEST',
    rules: ['ERR-02'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      const keyed = jsonRoutes(t).filter(({ name }) => name !== 'createRun')
      for (const route of keyed)
        for (const key of [null, '', 'a b', 'x'.repeat(129)]) {
          // The specification requires the key only for creations. D-11 requires it for all.
          if (key === null && t.profile === 'core' && route.name !== 'createConversation') continue
          expectRefusal(await ask(t.me, route, ids, { headers: { 'idempotency-key': key } }), 400, 'INVALID_REQUEST')
        }
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'errors/unknown-fields',
    title: 'a body with one unknown field answers 400 UNKNOWN_FIELD on every route, for any name and value',
    rules: ['ERR-01'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      const names = ['no_such_field', 'Input', 'endpointId', 'subject', 'a/b~c', 'id']
      const others: Readonly<Record<string, readonly string[]>> = {
        createConversation: ['input', 'business_key', 'expected_generation'],
        sendMessage: ['busy_policy', 'conversation_key', 'generation', 'endpoint_id'],
        cancelRun: ['expected_generation', 'busy_policy', 'reason'],
        resetConversation: ['start_before', 'input', 'generation'],
        createRun: ['endpoint_id', 'busy_policy', 'conversation_id'],
      }
      for (const route of jsonRoutes(t)) {
        const valid = route.json?.(ids) ?? {}
        for (const name of [...names, ...(others[route.name] ?? [])])
          for (const value of name === 'no_such_field' ? [1, null, {}, ''] : [1])
            expectRefusal(await ask(t.me, route, ids, { json: { ...valid, [name]: value } }), 400, 'UNKNOWN_FIELD')
        if (!('input' in valid)) continue
        for (const name of ['no_such_field', 'Text', 'attachments'])
          expectRefusal(
            await ask(t.me, route, ids, { json: { ...valid, input: { text: 'x', [name]: 1 } } }),
            400,
            'UNKNOWN_FIELD',
          )
      }
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
]
