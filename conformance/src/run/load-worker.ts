import { WORKER_MEMBERS } from '../kit/config/known-members.ts'
import { loadConfig, nameOfConfig } from '../kit/config/load-config.ts'
import { requireKnownMembers } from '../kit/config/unknown-members.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import type { WorkerConfig } from '../kit/config/worker-config.ts'
import { requireSdk } from './require-sdk.ts'

/**
 * Loads the configuration that `--config` names: a file, or `sdk` for the SDK's worker.
 * @throws {UsageError} It cannot be loaded or is invalid, or the SDK is not installed.
 */
export async function loadWorker(config: unknown, concurrency?: number): Promise<WorkerConfig> {
  if (config === 'sdk') requireSdk()
  const ready = config === 'sdk' ? (await import('../../adapters/worker/config.ts')).default : undefined
  const loaded: WorkerConfig = await loadConfig(ready ?? config)
  requireKnownMembers(nameOfConfig(config), loaded, WORKER_MEMBERS)
  const { command } = loaded
  if (!Array.isArray(command) || command.length === 0 || !command.every((part) => typeof part === 'string'))
    throw new UsageError(
      `${nameOfConfig(config)}: command must be a program and its arguments, such as ['python3', 'worker.py'].`,
    )
  return concurrency === undefined ? loaded : { ...loaded, concurrency }
}
