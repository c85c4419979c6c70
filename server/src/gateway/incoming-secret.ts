import type { SecretBox } from '../domain/secret-box.ts'
import { SecretBoxError } from '../domain/secret-box.ts'
import { listSealedSecrets } from '../store/admin/webhooks.ts'
import type { Queryable } from '../store/db.ts'
import { openWebhookSecret } from './webhook-secret.ts'

/** Whether a text is the secret of one of the application's incoming webhooks, which no callback may share. */
export const isIncomingSecret = async (
  secrets: SecretBox | null,
  db: Queryable,
  appId: string,
  text: string,
): Promise<boolean> => {
  if (secrets === null) return false
  const stored = await listSealedSecrets(db, appId)
  return stored.some(({ integrationId, sealedSecret }) => {
    try {
      return openWebhookSecret(secrets, integrationId, sealedSecret) === text
    } catch (error) {
      // Stored with a key that is gone: nobody can use it.
      if (error instanceof SecretBoxError) return false
      throw error
    }
  })
}
