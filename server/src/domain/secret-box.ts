import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** Encrypts secrets for storage (D-36). */
export interface SecretBox {
  /** Encrypts a text. Only `open` with an equal context gives it back, so a secret cannot be moved to another row. */
  seal(text: string, context: string): Uint8Array
  /** Decrypts the result of `seal`. @throws {SecretBoxError} another key, another context, or changed bytes. */
  open(sealed: Uint8Array, context: string): string
  /** Whether a secret is stored in the current form: under the first key, and naming it. */
  isCurrent(sealed: Uint8Array): boolean
}

/** A key or a stored secret is unusable. The message gives the likely reason and contains nothing of the secret. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError'
}

/** Decrypts the result of `seal`; null if `open` throws a SecretBoxError. */
export const openOrNull = (box: SecretBox, sealed: Uint8Array, context: string): string | null => {
  try {
    return box.open(sealed, context)
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}

/** The keys of GATEWAY_SECRET_KEY: the first encrypts, all decrypt. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]]

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_NAME_BYTES = 8

/** The first byte of sealed data: the version of the format. */
const WITHOUT_KEY_NAME = 1
const WITH_KEY_NAME = 2

interface NamedKey {
  readonly key: Uint8Array
  /** Identifies the key without revealing it. */
  readonly name: Buffer
}

/**
 * A box with the keys of GATEWAY_SECRET_KEY: AES-256-GCM under a nonce of its own for each secret, with the context as
 * additional authenticated data. Sealed: form (1 byte), name of the key (8), nonce (12), tag (16), ciphertext. Secrets
 * of the old format have no key name and are tried with every key.
 */
export const createSecretBox = (...keys: SecretKeys): SecretBox => {
  const named = keys.map(nameKey)
  const [current] = named
  if (current === undefined) throw new SecretBoxError('There is no secret key.')
  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.key, nonce).setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(WITH_KEY_NAME), current.name, nonce, cipher.getAuthTag(), ciphertext])
    },
    open: (sealed, context) => {
      const { keyName, encrypted } = readForm(sealed)
      const candidates = keyName === null ? named : named.filter(({ name }) => name.equals(keyName))
      for (const { key } of candidates) {
        const text = decrypt(encrypted, key, context)
        if (text !== null) return text
      }
      throw keyName !== null && candidates.length === 0 ? unknownKey() : unreadable()
    },
    isCurrent: (sealed) => readForm(sealed).keyName?.equals(current.name) === true,
  }
}

const nameKey = (key: Uint8Array): NamedKey => {
  if (key.byteLength !== KEY_BYTES) throw new SecretBoxError(`The secret key must have ${KEY_BYTES} bytes.`)
  return { key, name: createHmac('sha256', key).update('name of the key').digest().subarray(0, KEY_NAME_BYTES) }
}

const readForm = (sealed: Uint8Array): { readonly keyName: Buffer | null; readonly encrypted: Buffer } => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const nameEnd = 1 + (bytes[0] === WITH_KEY_NAME ? KEY_NAME_BYTES : 0)
  const isKnown = bytes[0] === WITH_KEY_NAME || bytes[0] === WITHOUT_KEY_NAME
  if (!isKnown || bytes.byteLength < nameEnd + NONCE_BYTES + TAG_BYTES)
    throw new SecretBoxError(
      'A stored secret has a form that this gateway does not know; a newer one may have written it.',
    )
  return { keyName: nameEnd === 1 ? null : bytes.subarray(1, nameEnd), encrypted: bytes.subarray(nameEnd) }
}

/** Null for another key, another context, or changed bytes. */
const decrypt = (encrypted: Buffer, key: Uint8Array, context: string): string | null => {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  try {
    const ciphertext = encrypted.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const unknownKey = (): SecretBoxError =>
  new SecretBoxError(
    'A stored secret was encrypted with a key that GATEWAY_SECRET_KEY does not have. Add that key after a comma, or rotate the secret.',
  )

const unreadable = (): SecretBoxError =>
  new SecretBoxError(
    'A stored secret cannot be decrypted: GATEWAY_SECRET_KEY does not have the key that it was stored with, or the row was changed. Add that key after a comma, or rotate the secret.',
  )
