import { hash } from 'node:crypto'
import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'

/**
 * What a bootstrap file has set as somebody's secret, remembered as a hash, and encrypted as the secret itself is: a hash
 * in the clear would let a weak secret be guessed.
 */

/** @param id Of a service: its application's ID, `/` and its own. */
export const fileSecretContext = (kind: 'webhook' | 'callback' | 'service', id: string): string => `${kind}-file:${id}`

export const sealFileSecret = (secrets: SecretBox, context: string, secret: string): Uint8Array =>
  secrets.seal(hashOf(secret), context)

/** Whether the file set this secret; null where it set none, or what it set cannot be read any more. */
export const isFileSecret = (
  secrets: SecretBox,
  context: string,
  sealed: Uint8Array | null,
  secret: string,
): boolean | null => {
  try {
    return sealed === null ? null : secrets.open(sealed, context) === hashOf(secret)
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}

const hashOf = (secret: string): string => hash('sha256', secret, 'hex')
