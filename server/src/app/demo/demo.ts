import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { createDemo, DEMO, findDemoState, isDemoKey } from '../../gateway/bootstrap/demo.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import { ADMIN_PROGRAM } from '../program.ts'
import type { Config } from '../settings/config.ts'
import { isLoopback } from '../settings/setting-values.ts'

/** The demo application and its key. */
export interface Demo {
  /** Null if no valid key was kept. */
  readonly key: string | null
  /** The file that stores the key for later starts; null if only this start shows it. */
  readonly keptIn: string | null
  /** Whether this start created it. */
  readonly isNew: boolean
}

/**
 * Creates the demo at the first start with an empty database, and finds its key at later ones (D-48).
 * @param dataDir the embedded database's folder, whose file `demo-key` contains the key, readable by its owner only;
 *   null for another database.
 * @returns null if there is no demo.
 */
export const prepareDemo = async (context: GatewayContext, dataDir: string | null): Promise<Demo | null> => {
  const keptIn = dataDir === null ? null : join(dataDir, 'demo-key')
  const created = await createDemo(context, async (key) => {
    if (keptIn !== null) await keepSecret(keptIn, key)
  })
  if (created !== null) return { key: created, keptIn, isNew: true }
  if ((await findDemoState(context)) === null) return null
  const kept = keptIn === null ? null : await readKept(keptIn)
  return { key: kept !== null && (await isDemoKey(context, kept)) ? kept : null, keptIn, isNew: false }
}

/**
 * A demo from an earlier start may now be reachable by more people, so warn the operator. Returns null, because this
 * start offers no demo.
 */
export const warnOfDemo = async (context: GatewayContext, { host }: Config, log: Logger): Promise<null> => {
  if (!isLoopback(host) && (await findDemoState(context)) === 'active')
    log.warn(
      { app_id: DEMO.appId },
      `others can reach the demo application; \`${ADMIN_PROGRAM} apps update ${DEMO.appId} --state disabled\` closes it`,
    )
  return null
}

const OWNER_ONLY = 0o600

const keepSecret = async (file: string, secret: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${secret}\n`, { mode: OWNER_ONLY })
  // An existing file keeps its mode, so set it.
  await chmod(file, OWNER_ONLY)
}

const readKept = async (file: string): Promise<string | null> => {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
