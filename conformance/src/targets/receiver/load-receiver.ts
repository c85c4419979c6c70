import { loadConfig, resolveConfig, UsageError } from '../../config/load-config.ts'
import type { ReceiverConfig } from '../../config/receiver-config.ts'
import { requireSdk } from '../require-sdk.ts'

/** The configuration that `--config` names: a file, or `sdk` for the SDK's receiver kit. @throws {UsageError} it has no URL or secret. */
export async function loadReceiver(config: string, concurrency?: number): Promise<ReceiverConfig> {
  if (config === 'sdk') requireSdk()
  const loaded: ReceiverConfig = await (config === 'sdk'
    ? resolveConfig(config, (await import('../../../adapters/receiver/config.ts')).default)
    : loadConfig(config))
  if (!URL.canParse(String(loaded.url)))
    throw new UsageError(`${config}: url must be where the receiver takes callbacks.`)
  if (typeof loaded.secret !== 'string' || loaded.secret === '')
    throw new UsageError(`${config}: secret must be the text that the receiver verifies with.`)
  return concurrency === undefined ? loaded : { ...loaded, concurrency }
}
