import { loadConfig, nameOfConfig, UsageError } from '../../config/load-config.ts'
import type { ReceiverConfig } from '../../config/receiver-config.ts'
import { requireSdk } from '../require-sdk.ts'

/** The configuration that `--config` names: a file, or `sdk` for the SDK's receiver kit. @throws {UsageError} it has no URL or secret. */
export async function loadReceiver(config: unknown, concurrency?: number): Promise<ReceiverConfig> {
  if (config === 'sdk') requireSdk()
  const ready = config === 'sdk' ? await import('../../../adapters/receiver/config.ts') : undefined
  const loaded: ReceiverConfig = await loadConfig(ready?.default ?? config)
  if (!URL.canParse(String(loaded.url)))
    throw new UsageError(`${nameOfConfig(config)}: url must be where the receiver takes callbacks.`)
  if (typeof loaded.secret !== 'string' || loaded.secret === '')
    throw new UsageError(`${nameOfConfig(config)}: secret must be the text that the receiver verifies with.`)
  return concurrency === undefined ? loaded : { ...loaded, concurrency }
}
