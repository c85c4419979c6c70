import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'

/** A bearer token as the gateway meets it: what to look it up by, and its hash (D-04). */
export interface KeyIdentity {
  /** The ID that stands in an issued key; for any other token one made of its hash, which never leaves the process. */
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

/** What `issueKey` makes: the random part of the key's ID, and the secret. */
const ISSUED = /^gk_([0-9a-f]{32})_[A-Za-z0-9_-]{43}$/

/** Makes a key `gk_<key id>_<secret>`; the key ID stands in the token without its `key_`. */
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

/** How the text of a device key begins: what is no secret of it. */
export const prefixOfDeviceKey = (keyId: string): string => `gd_${keyId.slice('key_'.length)}`

const BY_HASH = 'sha256:'

/** Identifies any bearer token. One that is not of an issued key's form is a literal string that an operator chose (D-48). */
export const identifyKey = (token: string): KeyIdentity => {
  const tokenHash = hashToken(token)
  const ownId = ISSUED.exec(token)?.[1]
  return { reference: ownId === undefined ? `${BY_HASH}${tokenHash.toString('hex')}` : `key_${ownId}`, hash: tokenHash }
}

/** How the text of a key begins, where it is of an issued key's form: what is no secret of it. */
export const prefixOfKey = ({ reference }: Pick<KeyIdentity, 'reference'>): string | null =>
  hashOfReference(reference) === null ? `gk_${reference.slice('key_'.length)}` : null

/** The hash that a reference stands for; null for one that is a key's ID. */
export const hashOfReference = (reference: string): Uint8Array | null =>
  reference.startsWith(BY_HASH) ? Buffer.from(reference.slice(BY_HASH.length), 'hex') : null

/**
 * The ID under which a token is stored: its own, or a random one. IDs stand in logs, where anything made of the token
 * would let a weak one be guessed.
 */
export const idOfKey = ({ reference }: KeyIdentity): string =>
  hashOfReference(reference) === null ? reference : newId('key')

/** SHA-256 of a whole token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Whether two hashes are equal, in a time that does not tell where they differ. */
export const equalHashes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)
