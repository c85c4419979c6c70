import { fileURLToPath } from 'node:url'
import { checkServerConfig } from '../kit/config/check-server-config.ts'
import { withControl } from '../kit/config/connect-control.ts'
import { acceptConfig, loadConfig } from '../kit/config/load-config.ts'
import type { ServerConfig } from '../kit/config/server-config.ts'
import { startReferenceGateway } from './reference/index.ts'

/** The name of the reference gateway, which the suite starts itself. */
const REFERENCE = 'reference'

/**
 * Loads the configuration that `--config` names: a file or `reference`. With `reference` it starts the checkout in
 * GATEWAY_DIR on the database at DATABASE_URL (absent: the embedded one).
 */
export async function loadServer(config: unknown): Promise<ServerConfig> {
  if (config !== REFERENCE)
    return acceptConfig(await loadConfig<ServerConfig>(config), (loaded) => withControl(checkServerConfig(loaded)))
  const { DATABASE_URL: databaseUrl, GATEWAY_DIR: gatewayDir = fileURLToPath(new URL('../../..', import.meta.url)) } =
    process.env
  return startReferenceGateway({ gatewayDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
}
