import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { SecretKeys } from '../../domain/secret-box.ts'
import { StartRefused } from '../program.ts'
import type { Config } from './config.ts'
import { secretKeys } from './setting-values.ts'

/**
 * A gateway on a loopback address may start without configured secrets. With the embedded database it creates them once
 * and stores them beside it. With PostgreSQL it creates none, since several processes would have to share them.
 */

/** Null if this process has no token, and therefore no operator API. */
export const ownAdminToken = async (config: Config, log: Logger): Promise<string | null> => {
  if (config.databaseUrl === undefined)
    return readOrCreate(config.dataDir, 'admin-token', () => randomBytes(32).toString('base64url'))
  log.warn('without GATEWAY_ADMIN_TOKEN this process does not serve /admin/v1')
  return null
}

/**
 * Null with PostgreSQL: this process then cannot encrypt secrets of webhooks and callbacks. Like GATEWAY_SECRET_KEY, the
 * file may contain several keys.
 */
export const ownSecretKeys = async (config: Config, log: Logger): Promise<SecretKeys | null> => {
  if (config.databaseUrl !== undefined) {
    log.warn('without GATEWAY_SECRET_KEY no webhook and no callback can be set up or used')
    return null
  }
  const keys = secretKeys.safeParse(
    await readOrCreate(config.dataDir, 'secret-key', () => randomBytes(32).toString('hex')),
  )
  if (keys.success) return keys.data
  throw new StartRefused(`${join(config.dataDir, 'secret-key')} ${keys.error.issues[0]?.message}`)
}

/** The file's content, which is created if needed. */
const readOrCreate = async (folder: string, name: string, create: () => string): Promise<string> => {
  const file = join(folder, name)
  const stored = await readFile(file, 'utf8').catch(() => null)
  if (stored !== null) return stored.trim()
  const created = create()
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${created}\n`, { mode: 0o600, flag: 'wx' })
  return created
}
