import { type Callback, eventOf, headerOf, newEventId, nowSeconds, withHeader } from '../../kit/receiver/callback.ts'
import { refusesAll } from '../../kit/receiver/forgeries.ts'
import type { ReceiverCheck, ReceiverContext } from '../../kit/receiver/receiver-context.ts'

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const signatureAs = (change: (signature: string) => string) => (callback: Callback) =>
  withHeader(callback, 'webhook-signature', change(headerOf(callback, 'webhook-signature')))

/** Timestamps in a wrong form, which a lenient parser may accept. Each is signed correctly. */
const TIMESTAMPS: Readonly<Record<string, (seconds: number) => string>> = {
  'with a fraction': (seconds) => `${seconds}.0`,
  'with a unit': (seconds) => `${seconds}s`,
  'in milliseconds': (seconds) => String(seconds * 1000),
  'as an ISO date': (seconds) => new Date(seconds * 1000).toISOString(),
  'as an HTTP date': (seconds) => new Date(seconds * 1000).toUTCString(),
  'that is empty': () => '',
  'that is a word': () => 'now',
  'that is NaN': () => 'NaN',
}

/** Other spellings of the number of seconds, which D-37 excludes. */
const NUMBERS: Readonly<Record<string, (seconds: number) => string>> = {
  'with a plus sign': (seconds) => `+${seconds}`,
  'with a minus sign': (seconds) => `-${seconds}`,
  'in hexadecimal': (seconds) => `0x${seconds.toString(16)}`,
  'with an exponent': (seconds) => `${seconds / 1e9}e9`,
  'with separators': (seconds) => seconds.toLocaleString('en-US'),
  'with underscores': (seconds) => seconds.toLocaleString('en-US').replaceAll(',', '_'),
  'with a space inside': (seconds) => `${Math.floor(seconds / 10)} ${seconds % 10}`,
}

const refusesTimestamps = async (
  { make, expectAccepted, expectRefused }: ReceiverContext,
  forms: typeof TIMESTAMPS,
): Promise<void> => {
  await expectAccepted('A timestamp in whole seconds', make())
  for (const [what, write] of Object.entries(forms))
    await expectRefused(`A timestamp ${what}`, make({ timestamp: write(nowSeconds()) }))
}

const withId = (context: ReceiverContext, id: string): Callback =>
  context.make({ id, body: JSON.stringify(eventOf(id)) })

export const checks: readonly ReceiverCheck[] = [
  ...NAMES.map((name) =>
    refusesAll(`headers/no-${name}`, `a callback without ${name} is refused`, 'SIG-30', {
      [`A callback without ${name}`]: (callback) => withHeader(callback, name),
      [`A callback with an empty ${name}`]: (callback) => withHeader(callback, name, ''),
    }),
  ),
  refusesAll('headers/no-signature-at-all', 'a callback without any header of the scheme is refused', 'SIG-30', {
    'A bare request': (callback) => NAMES.reduce((rest, name) => withHeader(rest, name), callback),
  }),
  {
    id: 'headers/id-form',
    title: 'an ID of up to 128 printable characters is accepted; a longer one, or one with white space, is refused',
    rules: ['SIG-30'],
    run: async (context) => {
      const unique = newEventId().slice(4)
      const longest = unique.padEnd(128, '~')
      await context.expectAccepted('An ID of 128 characters', withId(context, longest))
      await context.expectAccepted('An ID of symbols', withId(context, `!"#$%&'()*+-./:;<=>?@[\\]^_\`{|}~${unique}`))
      await context.expectRefused('An ID of 129 characters', withId(context, `${unique.padEnd(128, '-')}-`))
      await context.expectRefused('An ID with a space inside', withId(context, `${unique} x`))
      await context.expectRefused('An ID with a tab inside', withId(context, `${unique}\tx`))
    },
  },
  {
    id: 'headers/timestamp-form',
    title: 'a timestamp that is not in whole seconds is refused, even if signed',
    rules: ['SIG-30'],
    run: (context) => refusesTimestamps(context, TIMESTAMPS),
  },
  refusesAll(
    'headers/signature-form',
    'a signature in any form other than "v1," and 64 lower-case hex characters is refused',
    'SIG-30',
    {
      'A signature in upper case': signatureAs((signature) => `v1,${signature.slice(3).toUpperCase()}`),
      'A signature without its version': signatureAs((signature) => signature.slice(3)),
      'A signature of another version': signatureAs((signature) => `v2,${signature.slice(3)}`),
      'A signature of version v1a': signatureAs((signature) => `v1a,${signature.slice(3)}`),
      'A version in upper case': signatureAs((signature) => `V${signature.slice(1)}`),
      'An equals sign after the version': signatureAs((signature) => signature.replace(',', '=')),
      'A space after the version': signatureAs((signature) => signature.replace(',', ', ')),
      'A signature in base64': signatureAs(
        (signature) => `v1,${Buffer.from(signature.slice(3), 'hex').toString('base64')}`,
      ),
      'A signature without its last character': signatureAs((signature) => signature.slice(0, -1)),
      'A signature without its last byte': signatureAs((signature) => signature.slice(0, -2)),
      'The first half of a signature': signatureAs((signature) => signature.slice(0, 35)),
      'Only the version': signatureAs(() => 'v1,'),
      'A signature with an extra character': signatureAs((signature) => `${signature}0`),
      'A signature with an extra byte': signatureAs((signature) => `${signature}00`),
      'A signature twice in a row': signatureAs((signature) => signature + signature.slice(3)),
      'A signature followed by characters that are not hex': signatureAs((signature) => `${signature}zz`),
    },
  ),
  refusesAll('headers/signature-lists', 'a list of signatures is refused, even if one of them is right', 'SIG-29', {
    'Two signatures, the first one right': signatureAs((signature) => `${signature} v1,${'0'.repeat(64)}`),
    'Two signatures, the second one right': signatureAs((signature) => `v1,${'0'.repeat(64)} ${signature}`),
    'Two signatures with a comma': signatureAs((signature) => `${signature},${signature}`),
  }),
  ...NAMES.map((name) =>
    refusesAll(`headers/repeated-${name}`, `a callback with more than one ${name} is refused`, 'SIG-29', {
      [`The same ${name} twice`]: (callback) =>
        withHeader(callback, name, headerOf(callback, name), headerOf(callback, name)),
      [`A wrong ${name} after the right one`]: (callback) => withHeader(callback, name, headerOf(callback, name), '1'),
      [`A wrong ${name} before the right one`]: (callback) => withHeader(callback, name, '1', headerOf(callback, name)),
    }),
  ),
  {
    id: 'headers/timestamp-digits',
    title: 'a timestamp with a character that is not an ASCII digit is refused, even if signed',
    rules: ['SIG-29'],
    run: (context) => refusesTimestamps(context, NUMBERS),
  },
]
