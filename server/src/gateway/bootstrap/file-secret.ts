import { hash } from 'node:crypto'
import type { SecretBox } from '../../domain/secret-box.ts'
import { openOrNull } from '../../domain/secret-box.ts'

/**
 * A hash of the secret that a bootstrap file has set. It is stored encrypted, like the secret, because a plain hash
 * would allow a weak secret to be guessed.
 */

/** @param id The entry's ID; for a service, its application's ID, `/` and its own ID. */
export const fileSecretContext = (kind: 'webhook' | 'callback' | 'service', id: string): string => `${kind}-file:${id}`

export const sealFileSecret = (secrets: SecretBox, context: string, secret: string): Uint8Array =>
  secrets.seal(hashOf(secret), context)

/** Whether the file set this secret; null if it set none or the hash cannot be decrypted. */
export const isFileSecret = (
  secrets: SecretBox,
  context: string,
  sealed: Uint8Array | null,
  secret: string,
): boolean | null => {
  const stored = sealed && openOrNull(secrets, sealed, context)
  return stored === null ? null : stored === hashOf(secret)
}

const hashOf = (secret: string): string => hash('sha256', secret, 'hex')
