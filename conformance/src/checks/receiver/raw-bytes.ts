import { type Callback, eventOf, newEventId, withHeader } from '../../kit/receiver/callback.ts'
import type { ReceiverCheck, ReceiverContext } from '../../kit/receiver/receiver-context.ts'

const payload = { state: 'succeeded', result: { text: 'Größe 漢', number: 1.0, big: 1e21 } }
const compactOf = (id: string): string => JSON.stringify(eventOf(id, { payload }))

/** Different encodings of one event: each parses to the same value. */
const SPELLINGS: Readonly<Record<string, (id: string) => string>> = {
  'with white space': (id) => JSON.stringify(JSON.parse(compactOf(id)), null, 2),
  'with CRLF': (id) => JSON.stringify(JSON.parse(compactOf(id)), null, 2).replaceAll('\n', '\r\n'),
  'with a line feed at the end': (id) => `${compactOf(id)}\n`,
  'with its members in another order': (id) =>
    JSON.stringify(Object.fromEntries(Object.entries(eventOf(id, { payload })).toReversed())),
  'with escaped characters': (id) => compactOf(id).replace('ö', '\\u00f6').replace('漢', '\\u6F22'),
  'with an escaped letter': (id) => compactOf(id).replace('succeeded', 'succeed\\u0065d'),
  'with numbers in another notation': (id) =>
    compactOf(id).replace('"number":1', '"number":1.00').replace('1e+21', '1E21'),
}

const bytesWith = (id: string, bytes: readonly number[]): Buffer => {
  const [before = '', after = ''] = JSON.stringify(eventOf(id, { payload: { text: '@@' } })).split('@@')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}

/** Bytes that decoding changes, so that a signature over the decoded text does not cover the bytes that were sent. */
const LOSSY: Readonly<Record<string, (id: string) => Buffer>> = {
  'that are not UTF-8': (id) => bytesWith(id, [0xff, 0xfe]),
  'with a character cut off': (id) => bytesWith(id, [0xf0, 0x9f, 0x9a]),
  'with an overlong character': (id) => bytesWith(id, [0xc0, 0xaf]),
  'with a surrogate': (id) => bytesWith(id, [0xed, 0xa0, 0xbd]),
  'with a byte order mark': (id) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(compactOf(id))]),
}

const callbackWith = (
  { make }: ReceiverContext,
  write: (id: string) => string | Buffer,
  signed?: (id: string) => string,
): Callback => {
  const id = newEventId()
  return make({ id, body: write(id), ...(signed ? { signed: { body: signed(id) } } : {}) })
}

/** Bodies of forged callbacks; all of them must be refused with the same status. */
const BODIES: Readonly<Record<string, (id: string) => string>> = {
  'an event': (id) => JSON.stringify(eventOf(id)),
  'no JSON': () => '{"event_id":',
  nothing: () => '',
  'an array': () => '[]',
  'another ID': () => JSON.stringify(eventOf('evt_other')),
  'deep nesting': () => '['.repeat(100_000),
}

export const checks: readonly ReceiverCheck[] = [
  {
    id: 'raw-bytes/spellings',
    title: 'a body is verified as received, however its JSON is written',
    rules: ['SIG-20'],
    run: async (context) => {
      for (const [what, write] of Object.entries(SPELLINGS)) {
        await context.expectAccepted(`A signed body ${what}`, callbackWith(context, write))
        await context.expectRefused(
          `A body ${what} under the signature of the same event, serialised anew`,
          callbackWith(context, write, compactOf),
        )
        await context.expectRefused(
          `A serialised event under the signature of a body ${what}`,
          callbackWith(context, compactOf, write),
        )
      }
    },
  },
  {
    id: 'raw-bytes/lossy',
    title: 'a body is verified before it is decoded: bytes that decoding would change are not accepted',
    rules: ['SIG-20'],
    tags: ['security'],
    run: async (context) => {
      await context.expectAccepted('A signed body', callbackWith(context, compactOf))
      for (const [what, write] of Object.entries(LOSSY)) {
        const decoded = (id: string) => new TextDecoder().decode(write(id))
        await context.expectRefused(
          `Bytes ${what} under the signature of their decoded text`,
          callbackWith(context, write, decoded),
        )
        const replaced = (id: string) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(write(id))
        await context.expectRefused(
          `Bytes ${what} under the signature of their text and a NUL`,
          callbackWith(context, write, (id) => `${replaced(id)}\u0000`),
        )
      }
    },
  },
  {
    id: 'raw-bytes/pieces',
    title: 'a body that arrives slowly, in pieces that split characters, is accepted',
    rules: ['SIG-20'],
    run: async (context) => {
      for (const bytes of [1, 2, 7])
        for (const how of ['pieces', 'chunked'] as const) {
          await context.expectAccepted(`A body in ${how} of ${bytes}`, callbackWith(context, compactOf), { how, bytes })
          const forged = callbackWith(context, compactOf, (id) => `${compactOf(id)} `)
          await context.expectRefused(`A forged body in ${how} of ${bytes}`, forged, { how, bytes })
        }
    },
  },
  {
    id: 'raw-bytes/broken-off',
    title: 'a truncated body is refused, even if the received part is signed',
    rules: ['SIG-20'],
    run: async (context) => {
      const part = callbackWith(context, compactOf)
      const whole = context.make({ id: part.eventId, body: `${Buffer.from(part.body)}          ` })
      const announced = { ...part, body: whole.body }
      const sending = { how: 'truncated', bytes: part.body.length } as const
      await context.expectRefused('A body that ends before its length', announced, sending)
      // Once three later events are accepted, a receiver that stores partial bodies has stored this one.
      for (let others = 0; others < 3; others++) await context.expectAccepted('Another event', context.make())
      await context.expectAccepted('The whole body afterwards', whole)
      await context.expectRefused(
        'Another whole body under the signature of its first part',
        callbackWith(context, (id) => `${compactOf(id)} `, compactOf),
      )
    },
  },
  {
    id: 'raw-bytes/verified-before-parsed',
    title: 'with a wrong signature, the refusal does not depend on the body',
    rules: ['CB-36'],
    tags: ['security'],
    run: async (context) => {
      await context.expectAccepted('A signed event', context.make())
      const statuses = new Map<string, number | null>()
      for (const [what, write] of Object.entries(BODIES)) {
        const id = newEventId()
        const forged = context.make({ id, body: write(id), signed: { body: 'something else' } })
        statuses.set(what, await context.expectRefused(`A forged callback with ${what}`, forged))
      }
      const expected = statuses.get('an event')
      for (const [what, status] of statuses)
        if (status !== expected)
          throw new Error(
            `A forged callback must get the same status for any body, but with an event it got ${expected} and with ${what} ${status}`,
          )
    },
  },
  {
    id: 'raw-bytes/unsigned-is-not-parsed',
    title: 'an unsigned body that is not JSON gets the same status as an unsigned event',
    rules: ['CB-36'],
    tags: ['security'],
    run: async (context) => {
      await context.expectAccepted('A signed event', context.make())
      const unsigned = (body: string) => withHeader(context.make({ body }), 'webhook-signature')
      const wellFormed = await context.expectRefused(
        'An unsigned event',
        unsigned(JSON.stringify(eventOf(newEventId()))),
      )
      const malformed = await context.expectRefused('An unsigned body that is not JSON', unsigned('{"event_id":'))
      if (wellFormed !== malformed)
        throw new Error(
          `Unsigned bodies must get the same status, but an event got ${wellFormed} and a body that is not JSON got ${malformed}`,
        )
    },
  },
]
