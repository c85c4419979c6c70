import { describe, expect, it } from 'vitest'
import { createValidator, schemaAt } from '../src/document/validator.ts'
import { admin, gateway } from './support/documents.ts'

const ajv = createValidator(gateway)
const accepts = (name: string) => ajv.compile({ $ref: schemaAt('components', 'schemas', name) })
const acceptsParameter = (name: string) => ajv.compile({ $ref: schemaAt('components', 'parameters', name, 'schema') })

const chars = (count: number, char = 'a'): string => char.repeat(count)
const nested = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}

describe('an input', () => {
  const valid = accepts('MessageInput')

  it.each([
    ['a text', { text: 'x' }],
    ['64 KiB of text', { text: chars(65536) }],
    ['64 KiB of text in characters of four bytes', { text: chars(16384, '😀') }],
    ['data', { data: { a: null } }],
    ['data 128 levels deep', { data: nested(128) }],
    ['five attachments', { resource_ids: ['1', '2', '3', '4', '5'] }],
    ['an empty text beside data', { text: '', data: { a: 1 } }],
  ])('may be %s', (_what, input) => {
    expect(valid(input)).toBe(true)
  })

  it.each([
    ['nothing at all', {}],
    ['only empty members', { text: '', data: {}, resource_ids: [] }],
    ['more than 64 KiB of text', { text: chars(65537) }],
    ['64 KiB and one byte of text in characters of three bytes', { text: `${chars(21845, '€')}aa` }],
    ['six attachments', { resource_ids: ['1', '2', '3', '4', '5', '6'] }],
    ['a hundred thousand attachments', { resource_ids: Array.from({ length: 100_000 }, (_, index) => `res_${index}`) }],
    ['a repeated attachment', { resource_ids: ['1', '1'] }],
    ['a text that is a number', { text: 1 }],
    ['a text that is null', { text: null }],
    ['data that is a list', { data: [1] }],
    ['data 129 levels deep', { data: nested(129) }],
    ['data half a million levels deep', { data: nested(500_000) }],
    ['NUL in the text', { text: 'a\0' }],
    ['a lone surrogate in the text', { text: 'a\ud800' }],
    ['NUL deep in the data', { data: { a: [{ b: '\0' }] } }],
    ['a lone surrogate in a member name', { data: { '\udc00': 1 } }],
    ['an unknown member', { text: 'x', model: 'y' }],
  ])('may not be %s', (_what, input) => {
    expect(valid(input)).toBe(false)
  })
})

describe('a conversation key', () => {
  const valid = accepts('ConversationKey')

  it.each(['a', 'a b', chars(256), chars(256, '😀'), 'Ünïcode—ключ', 'a\tb', 'a\nb', 'a\u007fb', 'a\u0085b'])(
    'may be %j',
    (key) => {
      expect(valid(key)).toBe(true)
    },
  )

  it.each(['', ' ', ' a', 'a ', '\u00a0a', 'a\u2028', '\ta', 'a\0b', 'a\ud800b', chars(257), 1])(
    'may not be %j',
    (key) => {
      expect(valid(key)).toBe(false)
    },
  )
})

describe('a header', () => {
  it.each([
    ['IdempotencyKey', ['!', '~', chars(128)], ['', 'a b', chars(129), 'é', 'a\t']],
    ['ServiceSubject', ['a', 'a b', chars(256), 'Ã©'], ['', ' a', 'a ', 'a\tb', 'a\u007fb', chars(257)]],
    ['LastEventId', ['0', '42', chars(400, '9')], ['', '-1', '1.0', '1e3', ' 1', '0x10', 'abc']],
    ['WebhookId', ['evt_1', chars(128)], ['', 'a b', chars(129)]],
    ['WebhookTimestamp', ['1772443800'], ['', '-1', '1.5', '１']],
    [
      'WebhookSignature',
      [`v1,${chars(64, '0')}`],
      [`v1,${chars(63, '0')}`, `v1,${chars(64, 'A')}`, `v2,${chars(64, '0')}`, ''],
    ],
  ])('%s accepts the valid values and refuses the invalid ones', (name, good, bad) => {
    const valid = acceptsParameter(name)
    expect(good.filter((value) => !valid(value))).toEqual([])
    expect(bad.filter((value) => valid(value))).toEqual([])
  })
})

describe('a query', () => {
  it.each([
    ['Limit', [1, 200], [0, 201, 1.5]],
    ['BeforeCursor', [1, Number.MAX_SAFE_INTEGER], [0, -1, Number.MAX_SAFE_INTEGER + 1]],
    ['GenerationQuery', [1, Number.MAX_SAFE_INTEGER], [0, -1, Number.MAX_SAFE_INTEGER + 1]],
  ])('%s accepts the valid values and refuses the invalid ones', (name, good, bad) => {
    const valid = acceptsParameter(name)
    expect(good.filter((value) => !valid(value))).toEqual([])
    expect(bad.filter((value) => valid(value))).toEqual([])
  })

  it('has no rule for identifiers in paths: a malformed one is unknown, not invalid', () => {
    for (const name of ['ConversationId', 'RunId', 'OperationId', 'EndpointId', 'ResourceId', 'IntegrationId']) {
      expect(acceptsParameter(name)('\u0000 ../😀')).toBe(true)
    }
  })
})

describe('a body', () => {
  it.each([
    [
      'CreateConversation',
      { endpoint_id: 'ep_1' },
      [{}, { endpoint_id: '' }, { endpoint_id: 1 }, { endpoint_id: 'e', x: 1 }],
    ],
    [
      'SendMessage',
      { expected_generation: 1, input: { text: 'x' } },
      [
        { input: { text: 'x' } },
        { expected_generation: '1', input: { text: 'x' } },
        { expected_generation: 0, input: { text: 'x' } },
        { expected_generation: 1.5, input: { text: 'x' } },
        { expected_generation: Number.MAX_SAFE_INTEGER + 1, input: { text: 'x' } },
        { expected_generation: 1 },
        { expected_generation: 1, input: { text: 'x' }, start_before: '2026-03-02T10:00:00' },
        { expected_generation: 1, input: { text: 'x' }, start_before: 5 },
        { expected_generation: 1, input: { text: 'x' }, busy_policy: 'reject' },
      ],
    ],
    [
      'CreateRun',
      { input: { text: 'x' }, conversation_key: 'k', expected_generation: 1 },
      [{ input: { text: 'x' }, expected_generation: 1 }, { conversation_key: 'k' }],
    ],
    ['CancelRun', {}, [{ expected_generation: 1 }, [], null]],
    [
      'ResetConversation',
      { expected_generation: 1, busy_policy: 'cancel_and_reset' },
      [{}, { expected_generation: 1, busy_policy: 'force' }],
    ],
    [
      'CreateResource',
      { filename: 'a.txt', content_type: 'text/plain; charset="utf-8"', size: 16777216 },
      [
        { filename: '../a', content_type: 'text/plain', size: 1 },
        { filename: 'a', content_type: 'text', size: 1 },
        { filename: 'a', content_type: 'text/plain', size: 16777217 },
        { filename: 'a', content_type: 'text/plain', size: 0 },
        { filename: 'a', content_type: 'text/plain', size: 1, sha256: 'AB' },
      ],
    ],
  ])('%s accepts the valid values and refuses the invalid ones', (name, good, bad) => {
    const valid = accepts(name)
    expect(valid(good) || valid.errors).toBe(true)
    expect(bad.filter((value) => valid(value))).toEqual([])
  })
})

describe('a body of the operator API', () => {
  const operator = createValidator(admin)
  const webhook = { app_id: 'a', endpoint_id: 'e', subject: 's', event_type_field: 'type', event_types: ['x'] }

  it.each([
    ['CreateApp', [{ owner_id: 'o' }, { owner_id: 'o', app_id: 'a-1_B' }], [{}, { owner_id: 'o', app_id: 'a b' }]],
    [
      'UpdateApp',
      [{ rate_limit_per_second: null }, { pending_limit: 0 }],
      [{}, { state: 'gone' }, { pending_limit: -1 }],
    ],
    [
      'CreateKey',
      [{ scopes: ['runs:read'] }],
      [{}, { scopes: [] }, { scopes: ['runs:read', 'runs:read'] }, { scopes: ['*'] }],
    ],
    [
      'Assistant',
      [
        { type: 'echo' },
        { type: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'm' },
        { type: 'module', path: 'x.js' },
      ],
      [{}, { type: 'other' }, { type: 'echo', path: 'x.js' }, { type: 'openai', model: 'm' }, { type: 'module' }],
    ],
    ['MediaRange', ['text/*', '*/*', 'application/pdf'], ['text', '*/plain', 'text/*;q=1', '']],
    ['FieldPath', ['a', 'a.b.c.d.e'], ['', 'a.b.c.d.e.f', '.a', 'a.', 'a..b']],
    ['DecideApproval', [{ decision: 'deny' }], [{}, { decision: 'denied' }]],
    [
      'PruneEvents',
      [{ older_than_seconds: 0 }, { app_id: 'a', conversation_id: 'c', up_to_seq: 0 }],
      [{}, { older_than_seconds: -1 }, { conversation_id: 'c', up_to_seq: 1 }, { older_than_seconds: 1, up_to_seq: 1 }],
    ],
    [
      'CreateWebhook',
      [
        { ...webhook, action: 'new', data_field: 'd' },
        { ...webhook, action: 'message', message_field: 'm', conversation_key_field: 'k' },
        {
          ...webhook,
          action: 'message',
          match: 'id',
          message_field: 'm',
          conversation_id_field: 'c',
          generation_field: 'g',
        },
        { ...webhook, action: 'reset', conversation_id_field: 'c', generation_field: 'g', busy_policy: 'reject' },
        { ...webhook, action: 'cancel', run_id_field: 'r' },
      ],
      [
        { ...webhook, action: 'new' },
        { ...webhook, action: 'message', message_field: 'm' },
        { ...webhook, action: 'message', conversation_key_field: 'k' },
        { ...webhook, action: 'message', match: 'id', message_field: 'm', conversation_id_field: 'c' },
        { ...webhook, action: 'reset', conversation_id_field: 'c' },
        { ...webhook, action: 'cancel' },
        { ...webhook, event_types: [], action: 'cancel', run_id_field: 'r' },
      ],
    ],
    [
      'CallbackUrl',
      ['https://a.example/x?y=1'],
      ['ftp://a.example/', 'https://u@a.example/', 'https://a.example/#x', 'a.example'],
    ],
  ])('%s accepts the valid values and refuses the invalid ones', (name, good, bad) => {
    const valid = operator.compile({ $ref: schemaAt('components', 'schemas', name) })
    expect(good.filter((value) => !valid(value))).toEqual([])
    expect(bad.filter((value) => valid(value))).toEqual([])
  })
})
