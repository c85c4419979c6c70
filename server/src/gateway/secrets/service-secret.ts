import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'

/** Signing secrets of services with an `http` assistant: each is encrypted for its service and cannot be used in another one (D-66). */

export interface ServiceRef {
  readonly appId: string
  readonly endpointId: string
}

export const serviceSecretContext = ({ appId, endpointId }: ServiceRef): string => `service:${appId}/${endpointId}`

export const sealServiceSecret = (secrets: SecretBox, service: ServiceRef, secret: string): Uint8Array =>
  secrets.seal(secret, serviceSecretContext(service))

/** @throws {SecretBoxError} the key that the secret was stored with is missing. */
export const openServiceSecret = (secrets: SecretBox | null, service: ServiceRef, sealed: Uint8Array): string => {
  if (secrets === null) throw new SecretBoxError('GATEWAY_SECRET_KEY is not set, so the stored secret cannot be read.')
  return secrets.open(sealed, serviceSecretContext(service))
}
