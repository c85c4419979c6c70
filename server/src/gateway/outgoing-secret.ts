import type { SecretBox } from '../domain/secret-box.ts'
import { SecretBoxError } from '../domain/secret-box.ts'
import { listSealedCallbackSecrets } from '../store/admin/callbacks.ts'
import type { Queryable } from '../store/db.ts'
import { openCallbackSecret } from './callback-secret.ts'

/** Whether a text is the secret of one of the application's callbacks, which no incoming webhook may share. */
export const isOutgoingSecret = async (
  secrets: SecretBox | null,
  db: Queryable,
  appId: string,
  text: string,
): Promise<boolean> => {
  if (secrets === null) return false
  const stored = await listSealedCallbackSecrets(db, appId)
  return stored.some(({ callbackId, sealedSecret }) => {
    try {
      return openCallbackSecret(secrets, callbackId, sealedSecret) === text
    } catch (error) {
      // Stored with a key that is gone: nobody can use it.
      if (error instanceof SecretBoxError) return false
      throw error
    }
  })
}
