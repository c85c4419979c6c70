import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'
import type { SealedSecrets } from '../../store/secret-columns.ts'
import { isFileSecret, sealFileSecret } from './file-secret.ts'

/** What a bootstrap file's secret means for one that is stored. */
export interface FileSecretVerdict {
  /**
   * `equal`: it is the stored one. `edited`: it takes the stored one's place. `kept`: the stored one was rotated since
   * the file set it, and stays. `unknown`: the stored one is another, and nobody knows which is newer; it stays.
   */
  readonly kind: 'equal' | 'edited' | 'kept' | 'unknown'
  /** What the file has set, to be remembered. */
  readonly sealedFileSecret: Uint8Array
}

/**
 * Tells an edited file from a rotated secret: the file's secret is the initial one, and what an operator rotated later
 * wins until the file is edited. A stored secret that no key opens is of no use, and the file's takes its place.
 * @param open gives the stored secret.
 */
export const judgeFileSecret = (
  secrets: SecretBox,
  fileContext: string,
  stored: SealedSecrets,
  secret: string,
  open: (sealed: Uint8Array) => string,
): FileSecretVerdict => {
  const current = openOrNull(() => open(stored.sealedSecret))
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

const openOrNull = (open: () => string): string | null => {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}
