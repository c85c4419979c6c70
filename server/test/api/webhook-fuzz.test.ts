import { ERRORS } from '@conversation-gateway/openapi/generated/errors'
import { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver } from '../support/webhook-sender.ts'

const ROUNDS = 25
/** With this seed, the answers include each of the statuses 202, 400 and 403. */
const SEED = 1
const EVENTS_PER_CONFIGURATION = 12

const name = fc.oneof(
  fc.constantFrom(
    'type',
    'a',
    'b',
    'id',
    '__proto__',
    'constructor',
    'toString',
    'length',
    '0',
    'map',
    'odd/name~',
    ' ',
  ),
  fc
    .string({ minLength: 1, maxLength: 8, unit: 'binary' })
    .filter((text) => !text.includes('.') && !text.includes('\0')),
)
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('.'))
const eventType = fc.constantFrom('x', 'y', 'order.question')

const configuration = fc.record({
  event_type_field: fc.oneof(fc.constant('type'), path),
  event_types: fc.uniqueArray(eventType, { minLength: 1 }),
  action: fc.constantFrom('new', 'message', 'reset', 'cancel'),
  match: fc.constantFrom('key', 'id'),
  busy_policy: fc.constantFrom('reject', 'cancel_and_reset'),
  message_field: path,
  data_field: path,
  resource_ids_field: path,
  conversation_key_field: path,
  conversation_id_field: path,
  generation_field: path,
  run_id_field: path,
})
type Configuration = typeof configuration extends fc.Arbitrary<infer Value> ? Value : never

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', 'x', 1, 0, -1, 1.5, 2 ** 53, null, true, {}, [], ['res_1'], ['a', 'a'], 'conv_1', '\ud800', '\0'),
)

/** Valid values for each path. */
const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  event_type_field: eventType,
  message_field: fc.string({ maxLength: 20 }),
  data_field: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
  resource_ids_field: fc.constantFrom([], ['res_1']),
  conversation_key_field: fc.constantFrom('order-1', 'order-2'),
  conversation_id_field: fc.constantFrom('conv_1', 'x'),
  generation_field: fc.constantFrom(1, 2),
  run_id_field: fc.constantFrom('run_1', 'x'),
}

/** Mostly events that have values at the configured paths; some of them are invalid. */
const eventFor = (given: Configuration): fc.Arbitrary<unknown> => {
  const members = Object.entries(valid).map(([key, right]) =>
    fc.tuple(
      fc.constant(Object.entries(given).find(([name]) => name === key)?.[1]),
      fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: value }),
    ),
  )
  const built = fc.tuple(fc.tuple(...members), fc.nat(members.length)).map(([placed, left]) => {
    const event: Record<string, unknown> = Object.create(null)
    for (const [index, [at, member]] of placed.entries())
      if (typeof at === 'string' && index !== left) place(event, at.split('.'), member)
    return event
  })
  return fc.oneof({ weight: 6, arbitrary: built }, { weight: 1, arbitrary: fc.jsonValue() })
}

const place = (event: Record<string, unknown>, [first = '', ...rest]: readonly string[], member: unknown): void => {
  if (rest.length === 0) {
    event[first] = member
    return
  }
  const inner = event[first]
  const next: Record<string, unknown> =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : Object.create(null)
  event[first] = next
  place(next, rest, member)
}

const CODES: ReadonlySet<string> = new Set(OPERATIONS.receiveWebhook.errorCodes)

onGateways('a random event for a random configuration', (running) => {
  test('is accepted or refused as documented, and never causes a 500', async () => {
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(configuration, fc.gen(), async (given, gen) => {
        const integration = await createIntegration(running, given)
        for (let round = 0; round < EVENTS_PER_CONFIGURATION; round += 1) {
          const event = gen(eventFor, given)
          const { status, body } = await deliver(running, integration, event)
          seen.add(status)
          if (status === 202) continue
          expect(status).not.toBe(500)
          expect(CODES).toContain(body.code)
          expect(ERRORS).toMatchObject({ [body.code]: { status } })
        }
      }),
      { numRuns: ROUNDS, seed: SEED },
    )
    for (const status of [202, 400, 403]) expect(seen).toContain(status)
  })
})
