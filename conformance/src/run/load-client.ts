import { fileURLToPath } from 'node:url'
import type { ClientConfig } from '../kit/config/client-config.ts'
import { CLIENT_MEMBERS } from '../kit/config/known-members.ts'
import { loadConfig, nameOfConfig } from '../kit/config/load-config.ts'
import { requireKnownMembers } from '../kit/config/unknown-members.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import { requireSdk } from './require-sdk.ts'

const PYTHON = fileURLToPath(new URL('../../examples/python-client/client.config.mjs', import.meta.url))

/**
 * Loads the configuration that `--config` names: a file, `sdk` or `python`.
 * @throws {UsageError} It cannot be loaded or is invalid, or the SDK is not installed.
 */
export async function loadClient(config: unknown, concurrency?: number): Promise<ClientConfig> {
  if (config === 'sdk') requireSdk()
  const ready = config === 'sdk' ? (await import('../../adapters/sdk/config.ts')).default : undefined
  const loaded: ClientConfig = await loadConfig(ready ?? (config === 'python' ? PYTHON : config))
  requireKnownMembers(nameOfConfig(config), loaded, CLIENT_MEMBERS)
  const { command } = loaded
  if (!Array.isArray(command) || command.length === 0 || !command.every((part) => typeof part === 'string'))
    throw new UsageError(
      `${nameOfConfig(config)}: command must be a program and its arguments, such as ['python3', 'adapter.py'].`,
    )
  return concurrency === undefined ? loaded : { ...loaded, concurrency }
}
