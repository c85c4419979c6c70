import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBootstrap } from '../support/bootstrap-file.ts'
import type { CrashSetup } from './crash-run.ts'
import { CRASH_SETTINGS } from './crash-run.ts'

/** One process on the embedded database. Each round kills it. */
export const onEmbedded = async (): Promise<{ setup: CrashSetup; remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  const settings = { ...CRASH_SETTINGS, GATEWAY_BOOTSTRAP: await writeBootstrap(), GATEWAY_DATA_DIR: folder }
  return {
    setup: { name: 'embedded', processes: [settings], victim: () => 0, endpointId: 'ep_echo' },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** An API process and a device process on PostgreSQL. The rounds kill them in turn. */
export const onPostgres = async (url: string): Promise<CrashSetup> => {
  const settings = { ...CRASH_SETTINGS, GATEWAY_BOOTSTRAP: await writeBootstrap(), DATABASE_URL: url }
  return {
    name: 'postgres',
    processes: [
      { ...settings, GATEWAY_ROLES: 'api,maintenance' },
      { ...settings, GATEWAY_ROLES: 'device' },
    ],
    victim: (round) => round % 2,
    endpointId: 'ep_echo',
  }
}
