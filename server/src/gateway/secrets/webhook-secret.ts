import type { SecretBox } from '../../domain/secret-box.ts'

/** Signing secrets of integrations: each is encrypted for its integration and cannot be used in another one (D-36). */

export const webhookSecretContext = (integrationId: string): string => `webhook:${integrationId}`

export const sealWebhookSecret = (secrets: SecretBox, integrationId: string, secret: string): Uint8Array =>
  secrets.seal(secret, webhookSecretContext(integrationId))

/** @throws {SecretBoxError} the secret was stored with another key. */
export const openWebhookSecret = (secrets: SecretBox, integrationId: string, sealed: Uint8Array): string =>
  secrets.open(sealed, webhookSecretContext(integrationId))
