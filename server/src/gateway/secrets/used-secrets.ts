import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'
import { listSealedCallbackSecrets } from '../../store/admin/callbacks.ts'
import { listSealedServiceSecrets } from '../../store/admin/services.ts'
import { listSealedSecrets } from '../../store/admin/webhooks.ts'
import type { Queryable } from '../../store/db.ts'
import { openCallbackSecret, openServiceSecret, openWebhookSecret } from './signing-secret.ts'

/** Whether a text is the secret of one of the application's incoming webhooks. No callback or service may share it. */
export const isIncomingSecret = async (
  secrets: SecretBox | null,
  db: Queryable,
  appId: string,
  text: string,
): Promise<boolean> =>
  secrets !== null &&
  (await listSealedSecrets(db, appId)).some(({ integrationId, sealedSecret }) =>
    opensAs(text, () => openWebhookSecret(secrets, integrationId, sealedSecret)),
  )

/**
 * Whether a text is the secret of one of the application's callbacks or services, which no incoming webhook may share:
 * otherwise the gateway's own requests, sent back, would be accepted.
 */
export const isOutgoingSecret = async (
  secrets: SecretBox | null,
  db: Queryable,
  appId: string,
  text: string,
): Promise<boolean> =>
  secrets !== null &&
  ((await listSealedCallbackSecrets(db, appId)).some(({ callbackId, sealedSecret }) =>
    opensAs(text, () => openCallbackSecret(secrets, callbackId, sealedSecret)),
  ) ||
    (await listSealedServiceSecrets(db, appId)).some(({ endpointId, sealedSecret }) =>
      opensAs(text, () => openServiceSecret(secrets, { appId, endpointId }, sealedSecret)),
    ))

const opensAs = (text: string, open: () => string): boolean => {
  try {
    return open() === text
  } catch (error) {
    // It cannot be decrypted, for example because its key is lost, so it is unusable.
    if (error instanceof SecretBoxError) return false
    throw error
  }
}
