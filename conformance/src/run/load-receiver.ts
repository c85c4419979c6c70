import { fileURLToPath } from 'node:url'
import { RECEIVER_MEMBERS } from '../kit/config/known-members.ts'
import { acceptConfig, loadConfig, nameOfConfig } from '../kit/config/load-config.ts'
import type { ReceiverConfig } from '../kit/config/receiver-config.ts'
import { requireKnownMembers } from '../kit/config/unknown-members.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import { requireSdk } from './require-sdk.ts'

const PYTHON = fileURLToPath(new URL('../../examples/python-client/receiver.config.mjs', import.meta.url))

/**
 * Loads the configuration that `--config` names: a file, `sdk` for the SDK's receiver kit, or `python` for the example.
 * @throws {UsageError} It cannot be loaded or is invalid, or the SDK is not installed.
 */
export async function loadReceiver(config: unknown, concurrency?: number): Promise<ReceiverConfig> {
  if (config === 'sdk') requireSdk()
  const ready = config === 'sdk' ? (await import('../../adapters/receiver/config.ts')).default : undefined
  const loaded: ReceiverConfig = await loadConfig(ready ?? (config === 'python' ? PYTHON : config))
  return acceptConfig(loaded, () => {
    requireKnownMembers(nameOfConfig(config), loaded, RECEIVER_MEMBERS)
    if (!URL.canParse(String(loaded.url)))
      throw new UsageError(`${nameOfConfig(config)}: url must be the URL that receives callbacks.`)
    if (typeof loaded.secret !== 'string' || loaded.secret === '')
      throw new UsageError(`${nameOfConfig(config)}: secret must be the receiver's secret, a string.`)
    return concurrency === undefined ? loaded : { ...loaded, concurrency }
  })
}
