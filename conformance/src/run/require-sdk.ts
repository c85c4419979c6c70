import { findPackageJSON } from 'node:module'
import { UsageError } from '../kit/config/load-config.ts'

const SDK = '@conversation-gateway/sdk'

/**
 * Makes sure that there is an SDK to examine for `--config sdk`; the suite itself does without it.
 * @throws {UsageError} it is not installed beside the suite, with the command that installs it.
 */
export function requireSdk(from: string = import.meta.url): void {
  try {
    if (findPackageJSON(SDK, from) !== undefined) return
  } catch {
    // The look-up throws where nothing is found.
  }
  throw new UsageError(`--config sdk examines ${SDK}, which is not installed here. Run: npm install ${SDK}`)
}
