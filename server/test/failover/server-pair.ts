import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { queryOnce, startPostgres, type TestPostgres } from '../support/databases/postgres.ts'
import { findUser } from '../support/databases/postgres-binaries.ts'
import type { DatabaseServers } from './database-servers.ts'

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  wal_keep_size: '512',
  // A standby that is promoted when it has just lost its primary may sleep for this time first; the default is five
  // seconds.
  wal_retrieve_retry_interval: '500ms',
}

/**
 * Starts a primary and its synchronous standby. Each failover swaps them.
 * @param binaries Folder with PostgreSQL's programs, `pg_basebackup` among them.
 */
export const startServerPair = async (binaries: string): Promise<DatabaseServers> => {
  const options = { binaries, durable: true, settings: SETTINGS }
  let primary = await startPostgres(options)
  await primary.shutDown()
  let standby = await startPostgres({ ...options, standbyOf: primary })
  await primary.start()
  await waitForStandby(primary)
  const url = `postgres://postgres@${hostOf(primary)},${hostOf(standby)}/postgres`

  return {
    url,
    failOver: async () => {
      await primary.kill()
      const promoted = standby
      standby = primary
      primary = promoted
      await queryOnce(primary.url, 'select pg_promote()')
    },
    restore: async () => {
      for (const name of readdirSync(standby.dataFolder)) rmSync(join(standby.dataFolder, name), { recursive: true })
      const args = ['-D', standby.dataFolder, '-d', primary.url, '--write-recovery-conf', '--checkpoint=fast']
      execFileSync(join(binaries, 'pg_basebackup'), args, { ...findUser(), stdio: ['ignore', 'ignore', 'pipe'] })
      await standby.start()
      await waitForStandby(primary)
    },
    stop: async () => {
      await primary.stop()
      await standby.stop()
    },
  }
}

const hostOf = ({ url }: TestPostgres): string => new URL(url).host

/** Makes the server answer a commit only when the standby has it, and waits until the standby follows. */
const waitForStandby = async (primary: TestPostgres): Promise<void> => {
  await queryOnce(primary.url, `alter system set synchronous_standby_names = '*'`)
  await queryOnce(primary.url, 'select pg_reload_conf()')
  const deadline = performance.now() + 60_000
  for (;;) {
    const rows = await queryOnce(primary.url, `select 1 from pg_stat_replication where sync_state = 'sync'`)
    if (rows.length > 0) return
    if (performance.now() > deadline) throw new Error('the standby does not follow its primary')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
