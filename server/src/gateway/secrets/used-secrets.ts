import type { SecretBox } from '../../domain/secret-box.ts'
import { openOrNull } from '../../domain/secret-box.ts'
import { listSealedCallbackSecrets } from '../../store/admin/callbacks.ts'
import { listSealedServiceSecrets } from '../../store/admin/services.ts'
import { listSealedSecrets } from '../../store/admin/webhooks.ts'
import type { Queryable } from '../../store/db.ts'
import { callbackSecretContext, serviceSecretContext, webhookSecretContext } from './signing-secret.ts'

/** A stored secret that cannot be decrypted is unusable, so it is equal to no text here. */

/** Whether a text is the secret of one of the application's incoming webhooks. No callback or service may share it. */
export const isIncomingSecret = async (
  secrets: SecretBox | null,
  db: Queryable,
  appId: string,
  text: string,
): Promise<boolean> =>
  secrets !== null &&
  (await listSealedSecrets(db, appId)).some(
    ({ integrationId, sealedSecret }) =>
      openOrNull(secrets, sealedSecret, webhookSecretContext(integrationId)) === text,
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
  ((await listSealedCallbackSecrets(db, appId)).some(
    ({ callbackId, sealedSecret }) => openOrNull(secrets, sealedSecret, callbackSecretContext(callbackId)) === text,
  ) ||
    (await listSealedServiceSecrets(db, appId)).some(
      ({ endpointId, sealedSecret }) =>
        openOrNull(secrets, sealedSecret, serviceSecretContext({ appId, endpointId })) === text,
    ))
