import type { SecretBox } from '../../domain/secret-box.ts'
import { openOrNull, SecretBoxError } from '../../domain/secret-box.ts'
import type { SealedSecrets } from '../../store/secret-columns.ts'
import { isFileSecret, sealFileSecret } from './file-secret.ts'

/** Returns the secret box. A file that needs it without GATEWAY_SECRET_KEY has been refused before. */
export const requireSecrets = (secrets: SecretBox | null): SecretBox => {
  if (secrets === null) throw new SecretBoxError('GATEWAY_SECRET_KEY is not set')
  return secrets
}

/** How a bootstrap file's secret relates to the stored one. */
export interface FileSecretVerdict {
  /**
   * `equal`: it is the stored one. `edited`: it replaces the stored one. `kept`: the stored one was rotated since the
   * file set it, and stays. `unknown`: it differs from the stored one and it is unknown which is newer; the stored one
   * stays.
   */
  readonly kind: 'equal' | 'edited' | 'kept' | 'unknown'
  /** The hash of the file's secret, to store. */
  readonly sealedFileSecret: Uint8Array
}

/**
 * Distinguishes an edited file from a rotated secret. The file's secret is the initial one; a later rotation by an
 * operator wins until the file is edited. A stored secret that no key decrypts is replaced by the file's.
 * @param context The context of the stored secret.
 */
export const judgeFileSecret = (
  secrets: SecretBox,
  context: string,
  fileContext: string,
  stored: SealedSecrets,
  secret: string,
): FileSecretVerdict => {
  const current = openOrNull(secrets, stored.sealedSecret, context)
  const isRemembered = isFileSecret(secrets, fileContext, stored.sealedFileSecret, secret)
  const remembered = isRemembered === true ? stored.sealedFileSecret : null
  const verdict = (kind: FileSecretVerdict['kind']): FileSecretVerdict => ({
    kind,
    sealedFileSecret: remembered ?? sealFileSecret(secrets, fileContext, secret),
  })
  if (current === secret) return verdict('equal')
  if (current === null || isRemembered === false) return verdict('edited')
  return verdict(isRemembered === null ? 'unknown' : 'kept')
}
