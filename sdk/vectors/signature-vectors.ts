import { createHash, createHmac } from 'node:crypto'
import { createVector, EVENT, eventJson, NOW, SECRET, signTexts, utf8, type Vector } from './vector.ts'

const CONTENT = `${EVENT}.${NOW}.${eventJson()}`
const hmac = (algorithm: string, content: string): string => createHmac(algorithm, SECRET).update(content).digest('hex')

/** Malformed signatures, and signatures over other content. */
export const createSignatureVectors = async (): Promise<Vector[]> => {
  const ofAnotherBody = await signTexts(EVENT, String(NOW), utf8(eventJson(EVENT, 'Bye')), SECRET)
  const malformed: Record<string, (made: string) => string> = {
    'an-empty-value': () => '',
    'only-the-prefix': () => 'v1,',
    'no-prefix': (made) => made.slice(3),
    'an-upper-case-prefix': (made) => made.replace('v1', 'V1'),
    'upper-case-hex': (made) => `v1,${made.slice(3).toUpperCase()}`,
    'one-upper-case-digit': (made) => made.replace(/[a-f]/, (digit) => digit.toUpperCase()),
    'prefix-v1=': (made) => made.replace('v1,', 'v1='),
    'prefix-v1:': (made) => made.replace('v1,', 'v1:'),
    'prefix-v2': (made) => made.replace('v1,', 'v2,'),
    'prefix-v1a': (made) => made.replace('v1,', 'v1a,'),
    'prefix-sha256': (made) => made.replace('v1,', 'sha256='),
    'a-prefix-twice': (made) => `v1,${made}`,
    'a-0x-before-the-digits': (made) => made.replace('v1,', 'v1,0x'),
    '63-digits': (made) => made.slice(0, -1),
    '65-digits': (made) => `${made}0`,
    '32-digits': (made) => made.slice(0, 35),
    '128-digits': (made) => made + made.slice(3),
    'a-digit-that-is-not-hex': (made) => `${made.slice(0, -1)}g`,
    'a-full-width-digit': (made) => `${made.slice(0, -1)}０`,
    'a-leading-space': (made) => ` ${made}`,
    'a-trailing-space': (made) => `${made} `,
    'a-trailing-line-feed': (made) => `${made}\n`,
    'a-trailing-comma': (made) => `${made},`,
    'colons-between-bytes': (made) => `v1,${made.slice(3).match(/../g)?.join(':')}`,
    'two-separated-by-a-space': (made) => `${made} ${made}`,
    'two-separated-by-a-space-the-first-wrong': (made) => `${ofAnotherBody} ${made}`,
    'two-separated-by-a-comma': (made) => `${made},${made}`,
    'two-separated-by-a-semicolon': (made) => `${made};${made}`,
    'a-timestamp-in-front': (made) => `t=${NOW},${made}`,
    base64: (made) => `v1,${Buffer.from(made.slice(3), 'hex').toString('base64')}`,
    'sha-1': () => `v1,${hmac('sha1', CONTENT)}`,
    'sha-512': () => `v1,${hmac('sha512', CONTENT)}`,
  }
  const wrong: Record<string, () => string> = {
    'all-zeros': () => `v1,${'0'.repeat(64)}`,
    'a-plain-hash': () => `v1,${createHash('sha256').update(CONTENT).digest('hex')}`,
    'only-the-body': () => `v1,${hmac('sha256', eventJson())}`,
    'timestamp-and-body': () => `v1,${hmac('sha256', `${NOW}.${eventJson()}`)}`,
    'id-and-body': () => `v1,${hmac('sha256', `${EVENT}.${eventJson()}`)}`,
    'timestamp-before-id': () => `v1,${hmac('sha256', `${NOW}.${EVENT}.${eventJson()}`)}`,
    'no-dots': () => `v1,${hmac('sha256', `${EVENT}${NOW}${eventJson()}`)}`,
    'colons-for-dots': () => `v1,${hmac('sha256', `${EVENT}:${NOW}:${eventJson()}`)}`,
    'secret-as-content': () => `v1,${createHmac('sha256', CONTENT).update(SECRET).digest('hex')}`,
  }
  return Promise.all([
    ...Object.entries(malformed).map(([name, signature]) =>
      createVector(`signature-with-${name}`, 'Not exactly `v1,` and 64 lower-case hex characters.', {
        signature,
        refused: 'malformed_signature',
      }),
    ),
    createVector('signature-with-a-space-after-the-comma', 'A comma and a space separate two values.', {
      signature: (made) => made.replace(',', ', '),
      refused: 'duplicate_header',
    }),
    ...Object.entries(wrong).map(([name, signature]) =>
      createVector(`signature-over-${name}`, 'The format is valid, but it is not the HMAC of the signed bytes.', {
        signature,
        refused: 'wrong_signature',
      }),
    ),
    createVector('signature-first-digit-changed', 'A signature with one wrong digit is wrong.', {
      signature: (made) => made.replace(/^v1,./, (start) => (start === 'v1,0' ? 'v1,1' : 'v1,0')),
      refused: 'wrong_signature',
    }),
    createVector('signature-last-digit-changed', 'A signature with one wrong digit is wrong.', {
      signature: (made) => made.slice(0, -1) + (made.endsWith('0') ? '1' : '0'),
      refused: 'wrong_signature',
    }),
    createVector('signature-of-another-id', 'The delivery has another ID than the signed one.', {
      signed: { id: 'evt_other' },
      refused: 'wrong_signature',
    }),
    createVector('signature-of-the-id-in-another-case', 'IDs are case-sensitive.', {
      signed: { id: EVENT.toUpperCase() },
      refused: 'wrong_signature',
    }),
    createVector('signature-of-another-timestamp', 'An old delivery with a new timestamp.', {
      signed: { timestamp: String(NOW - 3600) },
      refused: 'wrong_signature',
    }),
    createVector('signature-of-the-number-for-the-text', 'The signature covers the leading zeros of the timestamp.', {
      timestamp: `00${NOW}`,
      signed: { timestamp: String(NOW) },
      refused: 'wrong_signature',
    }),
    createVector(
      'signature-dot-moved-from-id-to-body',
      'The ID is shorter and the body longer, but the signed bytes are the same. Only a check of the body detects it.',
      {
        id: 'evt',
        body: utf8(`${NOW}.${eventJson(`evt.${NOW}`)}`),
        signed: { id: `evt.${NOW}`, body: utf8(eventJson(`evt.${NOW}`)) },
        bodyRefused: 'malformed_body',
      },
    ),
    createVector(
      'signature-dot-moved-from-id-to-timestamp',
      'The same signed bytes, but the timestamp contains a dot.',
      {
        id: 'evt',
        timestamp: `1.${NOW}`,
        refused: 'malformed_timestamp',
      },
    ),
    createVector('time-before-signature', 'A delivery that is too old and wrongly signed is refused as too old.', {
      timestamp: String(NOW - 301),
      signature: () => `v1,${'0'.repeat(64)}`,
      refused: 'too_old',
    }),
    createVector('form-before-time', 'A delivery that is too old and lacks its prefix is refused as malformed.', {
      timestamp: String(NOW - 301),
      signature: (made) => made.slice(3),
      refused: 'malformed_signature',
    }),
  ])
}
