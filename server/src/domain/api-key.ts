import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'

/** A received bearer token: its look-up reference and its hash (D-04). */
export interface KeyIdentity {
  /** The ID in an issued key; for any other token a reference made from its hash, which never leaves the process. */
  readonly reference: string
  readonly hash: Uint8Array
}

/** A new key with its token, which is shown once and stored nowhere. */
export interface IssuedKey {
  readonly keyId: string
  readonly hash: Uint8Array
  readonly token: string
}

/** Bytes of randomness in the secret of an issued key. */
const SECRET_BYTES = 32

/** The form of an issued key. Captures its ID without the prefix `key_`. */
const ISSUED = /^gk_([0-9a-f]{32})_[A-Za-z0-9_-]{43}$/

/** Makes a key `gk_<key id>_<secret>`; the token contains the key ID without its prefix `key_`. */
export const issueKey = (now?: Date): IssuedKey => issue('gk', now)

/** Makes a device key `gd_<key id>_<secret>` (D-67). */
export const issueDeviceKey = (now?: Date): IssuedKey => issue('gd', now)

const issue = (kind: 'gk' | 'gd', now?: Date): IssuedKey => {
  const keyId = newId('key', now)
  const token = `${kind}_${keyId.slice('key_'.length)}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { keyId, hash: hashToken(token), token }
}

/** Whether a token has the form of a device key. */
export const isDeviceKey = (token: string): boolean => ISSUED_TO_DEVICE.test(token)

const ISSUED_TO_DEVICE = /^gd_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/

/** The public prefix of a device key. */
export const prefixOfDeviceKey = (keyId: string): string => `gd_${keyId.slice('key_'.length)}`

const BY_HASH = 'sha256:'

/** Identifies any bearer token. A token without an issued key's form is a string that an operator chose (D-48). */
export const identifyKey = (token: string): KeyIdentity => {
  const tokenHash = hashToken(token)
  const ownId = ISSUED.exec(token)?.[1]
  return { reference: ownId === undefined ? `${BY_HASH}${tokenHash.toString('hex')}` : `key_${ownId}`, hash: tokenHash }
}

/** The public prefix of a key that has an issued key's form; null for another key. */
export const prefixOfKey = ({ reference }: Pick<KeyIdentity, 'reference'>): string | null =>
  hashOfReference(reference) === null ? `gk_${reference.slice('key_'.length)}` : null

/** The hash in a reference; null if the reference is a key's ID. */
export const hashOfReference = (reference: string): Uint8Array | null =>
  reference.startsWith(BY_HASH) ? Buffer.from(reference.slice(BY_HASH.length), 'hex') : null

/**
 * The ID under which a token is stored: its own, or a random one. IDs appear in logs, where an ID derived from the
 * token would allow a weak one to be guessed.
 */
export const idOfKey = ({ reference }: KeyIdentity): string =>
  hashOfReference(reference) === null ? reference : newId('key')

/** SHA-256 of a whole token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Whether two hashes are equal, in constant time. */
export const equalHashes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)
