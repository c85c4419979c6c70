import { createHmac } from 'node:crypto'
import { createVector, EVENT, eventJson, NOW, SECRET, type Vector } from './vector.ts'

const HEX = '6b2f0d7c9e4a81535d1f3c8e7a90b4c2d6e8f0a1b3c5d7e9f1a2b4c6d8e0f2a4'
const BASE64 = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const signWith = (key: Uint8Array) => () =>
  `v1,${createHmac('sha256', key).update(`${EVENT}.${NOW}.${eventJson()}`).digest('hex')}`

/** The literal text of the secret is the key. With several secrets, any of them may have signed. */
export const createSecretVectors = (): Promise<Vector[]> =>
  Promise.all([
    ...Object.entries({
      'of-one-character': 's',
      'of-64-bytes': 'k'.repeat(64),
      'of-65-bytes': 'k'.repeat(65),
      'of-hex-digits': HEX,
      'of-upper-case-hex-digits': HEX.toUpperCase(),
      'with-whsec-prefix': BASE64,
      'of-base64': 'q83vEjRWeJA=',
      'with-spaces-around': ' secret ',
      'with-trailing-line-feed': 'secret\n',
      'with-inner-spaces': 'correct horse battery staple',
      'with-accents': 'clé-secrète',
      'with-emoji': 'clef-🔑',
      'with-quotes': '"secret"',
      'with-percent-encoding': 'a%20b+c',
    }).map(([name, secret]) =>
      createVector(`secret-${name}`, `The UTF-8 bytes of the literal text are the key: ${JSON.stringify(secret)}.`, {
        secrets: [secret],
      }),
    ),
    createVector('secret-hex-decoded', 'Signed with the bytes that the hex digits encode.', {
      secrets: [HEX],
      signature: signWith(Buffer.from(HEX, 'hex')),
      refused: 'wrong_signature',
    }),
    createVector('secret-base64-decoded', 'Signed as in other schemes: without the prefix, the rest decoded.', {
      secrets: [BASE64],
      signature: signWith(Buffer.from(BASE64.slice(6), 'base64')),
      refused: 'wrong_signature',
    }),
    ...Object.entries({
      'without-its-prefix': { held: BASE64, used: BASE64.slice(6) },
      'in-another-case': { held: HEX, used: HEX.toUpperCase() },
      trimmed: { held: ' secret ', used: 'secret' },
      'without-its-line-feed': { held: 'secret\n', used: 'secret' },
      'in-another-unicode-form': { held: 'clé', used: 'cle\u0301' },
      unquoted: { held: '"secret"', used: 'secret' },
      'of-the-other-direction': { held: SECRET, used: 'webhook-secret-of-the-vectors' },
      'cut-off-after-64-bytes': { held: 'k'.repeat(65), used: 'k'.repeat(64) },
    }).map(([name, { held, used }]) =>
      createVector(`secret-${name}`, `Signed with ${JSON.stringify(used)}; the receiver has ${JSON.stringify(held)}.`, {
        secrets: [held],
        signed: { secret: used },
        refused: 'wrong_signature',
      }),
    ),
    createVector('secret-in-latin-1', 'Signed with the Latin-1 bytes of the text instead of its UTF-8 bytes.', {
      secrets: ['clé'],
      signature: signWith(Buffer.from('clé', 'latin1')),
      refused: 'wrong_signature',
    }),
    ...['first', 'second', 'third'].map((name, index) => {
      const secrets = ['secret-one', 'secret-two', 'secret-three']
      return createVector(`secrets-${name}-of-three`, `Signed with the ${name} of three secrets.`, {
        secrets,
        signed: { secret: secrets[index] ?? '' },
      })
    }),
    createVector('secrets-none-of-three', 'Signed with none of the three secrets.', {
      secrets: ['secret-one', 'secret-two', 'secret-three'],
      signed: { secret: 'secret-four' },
      refused: 'wrong_signature',
    }),
    createVector('secrets-joined', 'Several secrets are not joined into one.', {
      secrets: ['secret-one', 'secret-two'],
      signed: { secret: 'secret-onesecret-two' },
      refused: 'wrong_signature',
    }),
    createVector('secrets-the-same-twice', 'The same secret may be listed twice.', {
      secrets: [SECRET, SECRET],
    }),
  ])
