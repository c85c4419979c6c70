import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

const POSTGRES_FOLDER = '/usr/lib/postgresql'
const PGBOUNCER = '/usr/sbin/pgbouncer'
const GO = '/usr/bin/go'
const PATRONI = '/usr/bin/patroni'
const ETCD = '/usr/bin/etcd'

/** The folder with the programs of Debian's newest PostgreSQL, installed if it is missing. */
export const debianPostgres = (): string => {
  const find = (): string | undefined =>
    (existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(POSTGRES_FOLDER, version, 'bin'))
      .find((folder) => ['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(folder, name))))
  return find() ?? installed(['postgresql'], find)
}

/** Debian's PgBouncer, installed if it is missing. */
export const debianPgBouncer = (): string => {
  const find = (): string | undefined => (existsSync(PGBOUNCER) ? PGBOUNCER : undefined)
  return find() ?? installed(['pgbouncer'], find)
}

/** Debian's Go compiler, installed if it is missing. */
export const debianGo = (): string => {
  const find = (): string | undefined => (existsSync(GO) ? GO : undefined)
  return find() ?? installed(['golang-go'], find)
}

/** Debian's Patroni, with its library for etcd, installed if it is missing. */
export const debianPatroni = (): string => {
  const find = (): string | undefined => (existsSync(PATRONI) ? PATRONI : undefined)
  return find() ?? installed(['patroni', 'python3-etcd'], find)
}

/** Debian's etcd, installed if it is missing. */
export const debianEtcd = (): string => {
  const find = (): string | undefined => (existsSync(ETCD) ? ETCD : undefined)
  return find() ?? installed(['etcd-server'], find)
}

const installed = (packages: readonly string[], find: () => string | undefined): string => {
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages]
  const name = packages.join(' ')
  if (userInfo().uid !== 0)
    throw new Error(`This test needs the Debian package ${name}. Install it: sudo ${command.join(' ')}`)
  console.error(`installing the Debian package ${name}`)
  const [program = '', ...args] = command
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore', env: environment })
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment })
  } catch (cause) {
    throw new Error(`The Debian package ${name} cannot be installed.`, { cause })
  }
  const found = find()
  if (found === undefined) throw new Error(`The Debian package ${name} does not bring what this test needs.`)
  return found
}
