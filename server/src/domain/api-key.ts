import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newId } from './ids.ts'

/** A bearer token as the gateway keeps it: the ID to look it up by, and its hash (D-04). */
export interface KeyIdentity {
  readonly keyId: string
  readonly hash: Uint8Array
}

/** A new key with its token, which is shown once and stored nowhere. */
export interface IssuedKey extends KeyIdentity {
  readonly token: string
}

/** Bytes of randomness in the secret of an issued key. */
const SECRET_BYTES = 32

/** What `issueKey` makes: the random part of the key's ID, and the secret. */
const ISSUED = /^gk_([0-9a-f]{32})_[A-Za-z0-9_-]{43}$/

/** Makes a key `gk_<key id>_<secret>`; the key ID stands in the token without its `key_`. */
export const issueKey = (): IssuedKey => {
  const keyId = newId('key')
  const token = `gk_${keyId.slice('key_'.length)}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { keyId, hash: hashToken(token), token }
}

/**
 * Identifies any bearer token. The ID of an issued key stands in it; other tokens are literal strings that an operator
 * chose (D-48), and theirs is derived from their hash, so that no part of a secret shows in it and no two are alike.
 */
export const identifyKey = (token: string): KeyIdentity => {
  const tokenHash = hashToken(token)
  return { keyId: `key_${ISSUED.exec(token)?.[1] ?? tokenHash.toString('hex', 0, 16)}`, hash: tokenHash }
}

/** SHA-256 of a whole token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Whether two hashes are equal, in a time that does not tell where they differ. */
export const equalHashes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)
