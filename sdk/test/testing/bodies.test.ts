import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BODIES } from '../../src/generated/contract.ts'
import { faultsOf } from '../../src/testing/schema-faults.ts'
import { accepts, faultsOf as contractFaultsOf } from './support/contract.ts'

const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })

const integers = fc.constantFrom<unknown>(
  0,
  1,
  2,
  -1,
  1.5,
  '1',
  null,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  16777216,
  16777217,
)
const texts = fc.constantFrom<unknown>(
  '',
  'a',
  ' a',
  'a\u00a0',
  'a b',
  'a\tb',
  'é',
  '\ud800',
  'a\0',
  'x'.repeat(256),
  'x'.repeat(257),
  '😀'.repeat(255),
  1,
  null,
  [],
)
const moments = fc.constantFrom<unknown>(
  '2026-03-02T09:30:00Z',
  '2026-03-02T09:30:00.123456+01:00',
  '2026-03-02t09:30:00z',
  '2026-03-02T09:30:00',
  '2026-03-02',
  '2026-13-02T09:30:00Z',
  '2026-02-30T09:30:00Z',
  '2024-02-29T23:59:59-12:00',
  '2026-03-02T25:30:00Z',
  'soon',
  1,
)
const input = fc.oneof(
  fc.record(
    {
      text: fc.oneof(
        texts,
        fc.constantFrom<unknown>('é'.repeat(32768), 'é'.repeat(32769), 'x'.repeat(65536), 'x'.repeat(65537)),
      ),
      data: fc.oneof(
        fc.object(),
        fc.constantFrom<unknown>({}, [], null, 'a', { a: '\ud800' }, { '\ud800': 1 }, nested(128), nested(129)),
      ),
      resource_ids: fc.constantFrom<unknown>(
        [],
        ['a'],
        ['a', 'a'],
        ['a', 'b', 'c', 'd', 'e'],
        ['a', 'b', 'c', 'd', 'e', 'f'],
        [1],
        ['\0'],
        {},
        'a',
      ),
      model: fc.constantFrom('x'),
      constructor: fc.constantFrom('x'),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>({ text: 'Hello' }, { text: 'Hello' }, null, 'Hello', []),
)

/** Valid and invalid values for the members of all bodies. */
const members = {
  endpoint_id: texts,
  conversation_key: texts,
  expected_generation: integers,
  input,
  start_before: moments,
  busy_policy: fc.constantFrom<unknown>('reject', 'cancel_and_reset', 'other', 1, null),
  filename: fc.oneof(texts, fc.constantFrom('a/b', 'a\\b', 'x'.repeat(255))),
  content_type: fc.constantFrom<unknown>(
    'text/plain',
    'text/plain; charset=utf-8',
    'a/b;c="d e"',
    'text',
    'text/',
    'a/b; c',
    '',
    1,
  ),
  size: integers,
  sha256: fc.constantFrom<unknown>('a'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), '', null),
}

const OWN_MEMBERS: Record<keyof typeof BODIES, readonly (keyof typeof members)[]> = {
  CreateConversation: ['endpoint_id', 'conversation_key'],
  SendMessage: ['expected_generation', 'input', 'start_before'],
  CreateRun: ['input', 'conversation_key', 'expected_generation', 'start_before'],
  CancelRun: [],
  ResetConversation: ['expected_generation', 'busy_policy'],
  CreateResource: ['filename', 'content_type', 'size', 'sha256'],
}

for (const [name, own] of Object.entries(OWN_MEMBERS)) {
  const schema = BODIES[name as keyof typeof BODIES]
  it(`accepts exactly the bodies for ${name} that the contract allows`, () => {
    const fitting = fc.record(Object.fromEntries(own.map((member) => [member, members[member]])), { requiredKeys: [] })
    const bodies = fc.oneof(
      { arbitrary: fitting, weight: 8 },
      { arbitrary: fc.record(members, { requiredKeys: [...own] }), weight: 1 },
      { arbitrary: fc.constantFrom<unknown>(null, 'a', 1, [], [{}]), weight: 1 },
    )
    fc.assert(
      fc.property(bodies, (body) => {
        expect({ body, accepted: faultsOf(schema, body).length === 0 }).toEqual({ body, accepted: accepts(name, body) })
      }),
      { numRuns: 1000, seed: 7 },
    )
  })
}

it('reports one fault for each invalid member, as the schema of the contract does', () => {
  const body = { expected_generation: '1', input: { text: 'a', model: 'x' }, start_before: 'soon' }
  const pointers = faultsOf(BODIES.SendMessage, body).map(({ pointer }) => pointer)
  expect(pointers).toEqual(['/expected_generation', '/input/model', '/start_before'])
  expect(contractFaultsOf('SendMessage', body)).toHaveLength(pointers.length)
})
