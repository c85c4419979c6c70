import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'

/** Signing secrets of callbacks: each is encrypted for its configuration and cannot be used in another one (D-36). */

export const callbackSecretContext = (callbackId: string): string => `callback:${callbackId}`

export const sealCallbackSecret = (secrets: SecretBox, callbackId: string, secret: string): Uint8Array =>
  secrets.seal(secret, callbackSecretContext(callbackId))

/** @throws {SecretBoxError} the key that the secret was stored with is missing. */
export const openCallbackSecret = (secrets: SecretBox | null, callbackId: string, sealed: Uint8Array): string => {
  if (secrets === null) throw new SecretBoxError('GATEWAY_SECRET_KEY is not set, so the stored secret cannot be read.')
  return secrets.open(sealed, callbackSecretContext(callbackId))
}
