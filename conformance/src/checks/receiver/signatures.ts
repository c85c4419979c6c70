import { createHmac } from 'node:crypto'
import { type Callback, eventOf, headerOf, hmacOf, newEventId, withHeader } from '../../kit/receiver/callback.ts'
import { refusesAll } from '../../kit/receiver/forgeries.ts'
import type { ReceiverCheck } from '../../kit/receiver/receiver-context.ts'

const SIGNATURE = 'webhook-signature'

const signedBy = (callback: Callback, mac: Buffer | string): Callback =>
  withHeader(callback, SIGNATURE, `v1,${typeof mac === 'string' ? mac : mac.toString('hex')}`)

const macOf = (
  callback: Callback,
  secret: string | Uint8Array,
  body: string | Uint8Array = callback.body,
  hash?: string,
) => hmacOf(secret, headerOf(callback, 'webhook-id'), headerOf(callback, 'webhook-timestamp'), body, hash)

/** The callback with one of the 64 characters of its signature changed. */
const flip = (callback: Callback, at: number): Callback => {
  const mac = headerOf(callback, SIGNATURE).slice(3)
  const other = mac[at] === '0' ? '1' : '0'
  return signedBy(callback, mac.slice(0, at) + other + mac.slice(at + 1))
}

/** The secret in upper case, or in lower case if it is upper case. A secret without letters gets another character. */
const otherCase = (secret: string): string =>
  [secret.toUpperCase(), secret.toLowerCase()].find((other) => other !== secret) ?? `${secret}A`

/** The HMAC of only these bytes. */
const plainHmac = (secret: string, bytes: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(bytes).digest()

export const checks: readonly ReceiverCheck[] = [
  refusesAll('signature/forged', 'a callback signed with any key other than the secret is refused', 'SIG-11', {
    'A signature under another secret': (callback) => signedBy(callback, macOf(callback, 'another secret')),
    'A signature under the empty secret': (callback) => signedBy(callback, macOf(callback, '')),
    'A signature under the secret in the other case': (callback, secret) =>
      signedBy(callback, macOf(callback, otherCase(secret))),
    'A signature under the secret and a line feed': (callback, secret) =>
      signedBy(callback, macOf(callback, `${secret}\n`)),
    'A signature under the secret’s first half': (callback, secret) =>
      signedBy(callback, macOf(callback, secret.slice(0, secret.length / 2))),
    'A signature under the secret decoded from hex': (callback, secret) =>
      signedBy(callback, macOf(callback, Buffer.from(secret, 'hex'))),
    'A signature under the secret decoded from base64': (callback, secret) =>
      signedBy(callback, macOf(callback, Buffer.from(secret, 'base64'))),
    'A signature of zeros': (callback) => signedBy(callback, '0'.repeat(64)),
    'The secret as signature': (callback, secret) =>
      signedBy(callback, Buffer.from(secret).toString('hex').padEnd(64, '0').slice(0, 64)),
  }),
  refusesAll('signature/every-character', 'a signature with any one character changed is refused', 'SIG-11', {
    ...Object.fromEntries(
      Array.from({ length: 64 }, (_, at) => [
        `A signature with another character ${at + 1}`,
        (callback: Callback) => flip(callback, at),
      ]),
    ),
  }),
  refusesAll(
    'signature/other-bytes',
    'a signature over anything other than ID, dot, timestamp, dot and body is refused',
    'SIG-11',
    {
      'A signature over the body alone': (callback, secret) => signedBy(callback, plainHmac(secret, callback.body)),
      'A signature over ID and timestamp': (callback, secret) => signedBy(callback, macOf(callback, secret, '')),
      'A signature over timestamp and body': (callback, secret) =>
        signedBy(
          callback,
          plainHmac(secret, Buffer.concat([Buffer.from(`${headerOf(callback, 'webhook-timestamp')}.`), callback.body])),
        ),
      'A signature over ID and body': (callback, secret) =>
        signedBy(callback, plainHmac(secret, Buffer.concat([Buffer.from(`${callback.eventId}.`), callback.body]))),
      'A signature without the dots': (callback, secret) =>
        signedBy(
          callback,
          plainHmac(
            secret,
            Buffer.concat([
              Buffer.from(`${callback.eventId}${headerOf(callback, 'webhook-timestamp')}`),
              callback.body,
            ]),
          ),
        ),
      'A signature with timestamp before ID': (callback, secret) =>
        signedBy(callback, hmacOf(secret, headerOf(callback, 'webhook-timestamp'), callback.eventId, callback.body)),
      'A signature over the body in base64': (callback, secret) =>
        signedBy(callback, macOf(callback, secret, Buffer.from(callback.body).toString('base64'))),
      'A SHA-1 signature, padded to the same length': (callback, secret) =>
        signedBy(callback, macOf(callback, secret, callback.body, 'sha1').toString('hex').padEnd(64, '0')),
      'A signature with SHA-512, cut off': (callback, secret) =>
        signedBy(callback, macOf(callback, secret, callback.body, 'sha512').toString('hex').slice(0, 64)),
    },
  ),
  {
    id: 'signature/transplanted',
    title: 'a signature is valid only for its ID, timestamp and body together',
    rules: ['SIG-11'],
    tags: ['security'],
    run: async ({ make, expectAccepted, expectRefused }) => {
      const original = make()
      await expectAccepted('The original', original)
      const later = String(Number(headerOf(original, 'webhook-timestamp')) + 1)
      await expectRefused(
        'Its signature with another ID, body and timestamp',
        withHeader(renamed(original), 'webhook-timestamp', later),
      )
      await expectRefused('Its signature with another ID and body', renamed(original))
      const fresh = make()
      const body = Buffer.from(JSON.stringify(eventOf(fresh.eventId, { type: 'run.failed' })))
      await expectRefused('Another body under the same signature', { ...fresh, body })
      await expectRefused('A body with an extra byte under the same signature', withMore(make(), ' '))
      await expectRefused('A body without its last byte under the same signature', withLess(make()))
      await expectRefused('An empty body under the same signature', { ...make(), body: new Uint8Array() })
    },
  },
  {
    id: 'signature/right',
    title: 'an event with a valid signature is accepted, whatever text it contains',
    rules: ['SIG-11'],
    run: async ({ make, expectAccepted, expectRefused }) => {
      for (const text of ['', 'Größe', '漢字', '🚀', '\u2028', '\\ud83d', 'x'.repeat(60_000)]) {
        const id = newEventId()
        const body = JSON.stringify(eventOf(id, { payload: { state: 'succeeded', result: { text } } }))
        await expectAccepted(`A body with the text ${JSON.stringify(text.slice(0, 10))}`, make({ id, body }))
        await expectRefused('The same body without a signature', withHeader(make({ body }), SIGNATURE))
      }
    },
  },
  {
    id: 'signature/large-forgery',
    title: 'a large body without a valid signature is refused, and the receiver continues to work',
    rules: ['SIG-11'],
    tags: ['security'],
    run: async ({ make, post, expectAccepted, expectRefused }) => {
      const id = newEventId()
      const body = JSON.stringify(eventOf(id, { payload: { text: 'x'.repeat(8_000_000) } }))
      await expectRefused('8 MB under a forged signature', flip(make({ id, body }), 5))
      await Promise.all(Array.from({ length: 4 }, () => post(flip(make({ id, body }), 7))))
      await expectAccepted('A callback after that', make())
    },
  },
]

/** The callback with another ID in its header and body, and with its original signature. */
const renamed = (callback: Callback): Callback => {
  const eventId = newEventId()
  const body = Buffer.from(JSON.stringify(eventOf(eventId)))
  return { ...withHeader(callback, 'webhook-id', eventId), eventId, body }
}

const withMore = (callback: Callback, more: string): Callback => ({
  ...callback,
  body: Buffer.concat([callback.body, Buffer.from(more)]),
})

const withLess = (callback: Callback): Callback => ({ ...callback, body: callback.body.subarray(0, -1) })
