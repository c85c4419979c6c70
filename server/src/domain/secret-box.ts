import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keeps secrets encrypted where they are stored (D-36). */
export interface SecretBox {
  /** Encrypts a text. Only `open` with an equal context gives it back, so a row's secret is of no use in another row. */
  seal(text: string, context: string): Uint8Array
  /** Decrypts what `seal` made. @throws {SecretBoxError} another key, another context, or changed bytes. */
  open(sealed: Uint8Array, context: string): string
}

/** A stored secret cannot be read. The message says what is the likely reason, and nothing of the secret. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError'
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of everything sealed: the form of the rest, so that another one can come beside it. */
const VERSION = 1

/**
 * A box with the key of GATEWAY_SECRET_KEY: AES-256-GCM under a nonce of its own for each secret, with the context as
 * additional authenticated data. Sealed: version (1 byte), nonce (12), tag (16), ciphertext.
 */
export const createSecretBox = (key: Uint8Array): SecretBox => {
  if (key.byteLength !== KEY_BYTES) throw new SecretBoxError(`The secret key must have ${KEY_BYTES} bytes.`)
  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext])
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes[0] !== VERSION || bytes.byteLength < 1 + NONCE_BYTES + TAG_BYTES)
        throw new SecretBoxError(
          'A stored secret has a form that this gateway does not know; a newer one may have written it.',
        )
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag)
      try {
        const ciphertext = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
      } catch {
        throw new SecretBoxError(
          'A stored secret cannot be decrypted: GATEWAY_SECRET_KEY is not the one that it was stored with, or the row was changed. Restore the key, or rotate the secret.',
        )
      }
    },
  }
}
