import { createVector, EVENT, eventJson, utf8, type Vector } from './vector.ts'

const BOM = [0xef, 0xbb, 0xbf]
const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? utf8(part) : part)]))

const event = (): Record<string, unknown> => JSON.parse(eventJson())
const without = (...names: string[]): string =>
  JSON.stringify(Object.fromEntries(Object.entries(event()).filter(([name]) => !names.includes(name))))
const having = (members: object): string => JSON.stringify({ ...event(), ...members })

/** Bodies with a valid signature, bodies that were changed after signing, and bodies that are not events. */
export const createBodyVectors = (): Promise<Vector[]> =>
  Promise.all([
    createVector('body-of-an-event', 'A callback as a gateway sends it.'),
    ...Object.entries({
      'with-a-trailing-line-feed': bytes(eventJson(), '\n'),
      'with-line-feeds': bytes(JSON.stringify(event(), null, 2)),
      'with-crlf': bytes(JSON.stringify(event(), null, 2).replaceAll('\n', '\r\n')),
      'with-multi-byte-characters': bytes(eventJson(EVENT, 'Grüße, 世界 🙂')),
      'with-escaped-characters': bytes(eventJson(EVENT, 'Grüße').replace('ü', '\\u00fc')),
      'with-an-escaped-lone-surrogate': bytes(eventJson(EVENT, '?').replace('"?"', '"\\ud83d"')),
      'with-an-escaped-null-character': bytes(eventJson(EVENT, 'a\0b')),
      'of-32-kib': bytes(eventJson(EVENT, 'x'.repeat(32_768 - eventJson(EVENT, '').length))),
      'of-an-unknown-type': bytes(having({ type: 'run.annotated', payload: { note: 'from a newer gateway' } })),
      'with-unknown-members': bytes(having({ added_later: [1, 2, 3] })),
      'with-no-message-id': bytes(having({ message_id: null })),
    }).map(([name, body]) => createVector(`body-${name}`, 'The body is exactly the signed bytes.', { body })),

    ...Object.entries({
      'that-is-empty': bytes(),
      'of-one-byte': bytes('{'),
      'of-every-byte': Uint8Array.from({ length: 256 }, (_, index) => index),
      'with-a-bom': bytes(BOM, eventJson()),
      'with-invalid-utf-8': bytes(eventJson(EVENT, '?').replace(/\?.*/, ''), [0xff, 0xfe], '"}}}'),
      'with-overlong-utf-8': bytes(eventJson(EVENT, '?').replace(/\?.*/, ''), [0xc0, 0xaf], '"}}}'),
      'with-a-surrogate-in-utf-8': bytes(eventJson(EVENT, '?').replace(/\?.*/, ''), [0xed, 0xa0, 0xbd], '"}}}'),
      'in-utf-16': new Uint8Array(Buffer.from(eventJson(), 'utf16le')),
      'in-latin-1': new Uint8Array(Buffer.from(eventJson(EVENT, 'Grüße'), 'latin1')),
      'with-a-trailing-comma': bytes(eventJson().replace(/}$/, ',}')),
      'of-a-form': bytes(`event_id=${EVENT}&type=run.completed`),
      'of-json-in-a-string': bytes(JSON.stringify(eventJson())),
      'of-an-array': bytes(`[${eventJson()}]`),
      'of-null': bytes('null'),
      'of-two-events': bytes(eventJson(), '\n', eventJson()),
      'without-event-id': bytes(without('event_id')),
      'with-a-number-as-event-id': bytes(having({ event_id: 1 })),
      'without-type': bytes(without('type')),
      'with-a-number-as-type': bytes(having({ type: 1 })),
      'without-payload': bytes(without('payload')),
      'with-null-as-payload': bytes(having({ payload: null })),
      'with-an-array-as-payload': bytes(having({ payload: [] })),
    }).map(([name, body]) =>
      createVector(`body-${name}`, 'The signature is valid, but a callback receiver refuses the body.', {
        body,
        bodyRefused: 'malformed_body',
      }),
    ),
    ...Object.entries({
      'another-event': 'evt_other',
      'the-id-in-upper-case': EVENT.toUpperCase(),
      'the-id-and-a-space': `${EVENT} `,
      'an-empty-id': '',
    }).map(([name, id]) =>
      createVector(`body-with-${name}`, 'The signature is valid, but event_id differs from webhook-id.', {
        body: bytes(eventJson(id)),
        bodyRefused: 'id_mismatch',
      }),
    ),

    ...Object.entries({
      'one-bit': { signed: bytes(eventJson(EVENT, 'Hello')), sent: bytes(eventJson(EVENT, 'Helln')) },
      'a-byte-less': { signed: bytes(eventJson()), sent: bytes(eventJson().slice(0, -1)) },
      'a-line-feed-more': { signed: bytes(eventJson()), sent: bytes(eventJson(), '\n') },
      'to-nothing': { signed: bytes(eventJson()), sent: bytes() },
      'a-bom-less': { signed: bytes(BOM, eventJson()), sent: bytes(eventJson()) },
      'a-bom-more': { signed: bytes(eventJson()), sent: bytes(BOM, eventJson()) },
      'crlf-to-lf': { signed: bytes(eventJson(), '\r\n'), sent: bytes(eventJson(), '\n') },
      'by-serialising-again': { signed: bytes(JSON.stringify(event(), null, 1)), sent: bytes(eventJson()) },
      'in-member-order': {
        signed: bytes(eventJson()),
        sent: bytes(JSON.stringify(Object.fromEntries(Object.entries(event()).toReversed()))),
      },
      'in-escapes': {
        signed: bytes(eventJson(EVENT, 'Grüße')),
        sent: bytes(eventJson(EVENT, 'Grüße').replace('ü', '\\u00fc')),
      },
      'in-unicode-form': { signed: bytes(eventJson(EVENT, 'é')), sent: bytes(eventJson(EVENT, 'e\u0301')) },
      'by-decoding-invalid-utf-8': {
        signed: bytes(eventJson(EVENT, '?').replace(/\?.*/, ''), [0xff], '"}}}'),
        sent: bytes(eventJson(EVENT, '\ufffd')),
      },
    }).map(([name, { signed, sent }]) =>
      createVector(`body-changed-${name}`, 'The body differs from the signed bytes.', {
        body: sent,
        signed: { body: signed },
        refused: 'wrong_signature',
      }),
    ),
  ])
