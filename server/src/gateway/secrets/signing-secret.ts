import { randomBytes } from 'node:crypto'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'

/**
 * Signing secrets of callbacks, of services with an `http` assistant and of webhook integrations. Each is encrypted for
 * its owner and cannot be used by another one (D-36, D-66).
 */

export interface ServiceRef {
  readonly appId: string
  readonly endpointId: string
}

/** A new signing secret of 256 random bits (D-36). */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`

/** The refusal of a gateway that cannot store secrets. */
export const NO_SECRET_KEY: Refusal = refuse(
  'CAPABILITY_UNAVAILABLE',
  'Secrets cannot be stored: set GATEWAY_SECRET_KEY to what `openssl rand -hex 32` prints, the same for all processes.',
  { retryAfterSeconds: 60 },
)

export const callbackSecretContext = (callbackId: string): string => `callback:${callbackId}`

export const serviceSecretContext = ({ appId, endpointId }: ServiceRef): string => `service:${appId}/${endpointId}`

export const webhookSecretContext = (integrationId: string): string => `webhook:${integrationId}`

export const sealCallbackSecret = (secrets: SecretBox, callbackId: string, secret: string): Uint8Array =>
  secrets.seal(secret, callbackSecretContext(callbackId))

export const sealServiceSecret = (secrets: SecretBox, service: ServiceRef, secret: string): Uint8Array =>
  secrets.seal(secret, serviceSecretContext(service))

export const sealWebhookSecret = (secrets: SecretBox, integrationId: string, secret: string): Uint8Array =>
  secrets.seal(secret, webhookSecretContext(integrationId))

/** @throws {SecretBoxError} the key that the secret was stored with is missing. */
export const openCallbackSecret = (secrets: SecretBox | null, callbackId: string, sealed: Uint8Array): string =>
  openSecret(secrets, sealed, callbackSecretContext(callbackId))

/** @throws {SecretBoxError} the key that the secret was stored with is missing. */
export const openServiceSecret = (secrets: SecretBox | null, service: ServiceRef, sealed: Uint8Array): string =>
  openSecret(secrets, sealed, serviceSecretContext(service))

/** @throws {SecretBoxError} the key that the secret was stored with is missing. */
export const openWebhookSecret = (secrets: SecretBox | null, integrationId: string, sealed: Uint8Array): string =>
  openSecret(secrets, sealed, webhookSecretContext(integrationId))

const openSecret = (secrets: SecretBox | null, sealed: Uint8Array, context: string): string => {
  if (secrets === null) throw new SecretBoxError('GATEWAY_SECRET_KEY is not set, so the stored secret cannot be read.')
  return secrets.open(sealed, context)
}
