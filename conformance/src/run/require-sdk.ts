import { findPackageJSON } from 'node:module'
import { UsageError } from '../kit/config/usage-error.ts'

const SDK = '@conversation-gateway/sdk'

/**
 * Ensures that the SDK for `--config sdk` is installed. The suite itself does not need it.
 * @throws {UsageError} It is not installed. The error names the command that installs it.
 */
export function requireSdk(from: string = import.meta.url): void {
  try {
    if (findPackageJSON(SDK, from) !== undefined) return
  } catch {
    // The look-up throws if the package is not found.
  }
  throw new UsageError(`--config sdk examines ${SDK}, which is not installed here. Run: npm install ${SDK}`)
}
