import type { SecretBox } from '../../domain/secret-box.ts'
import { openOrNull } from '../../domain/secret-box.ts'

/**
 * Tokens of runs that `http` assistants execute (D-66). A token contains the encrypted run ID, so it cannot be forged
 * and need not be stored. The run's record tells whether the token is still valid.
 */

export interface TokenRun {
  readonly appId: string
  readonly runId: string
}

const CONTEXT = 'run-token'
const PREFIX = 'gr_'

export const sealRunToken = (secrets: SecretBox, { appId, runId }: TokenRun): string =>
  PREFIX + Buffer.from(secrets.seal(JSON.stringify([appId, runId]), CONTEXT)).toString('base64url')

/** The run of a token; null for any other text. */
export const openRunToken = (secrets: SecretBox, token: string): TokenRun | null => {
  if (!/^gr_[A-Za-z0-9_-]{1,2000}$/.test(token)) return null
  const text = openOrNull(secrets, Buffer.from(token.slice(PREFIX.length), 'base64url'), CONTEXT)
  if (text === null) return null
  const [appId, runId]: string[] = JSON.parse(text)
  return appId === undefined || runId === undefined ? null : { appId, runId }
}
