import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

const POSTGRES_FOLDER = '/usr/lib/postgresql'

/** The folder with the programs of the newest installed PostgreSQL. Installs Debian's if there is none. */
export const debianPostgres = (): string => {
  const find = (): string | undefined =>
    (existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(POSTGRES_FOLDER, version, 'bin'))
      .find((folder) => ['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(folder, name))))
  return find() ?? installed(['postgresql'], find)
}

const program = (path: string, ...packages: readonly string[]): string => {
  const find = (): string | undefined => (existsSync(path) ? path : undefined)
  return find() ?? installed(packages, find)
}

/** Each returns the path of a Debian program, and installs it if it is missing. */
export const debianPgBouncer = (): string => program('/usr/sbin/pgbouncer', 'pgbouncer')
export const debianGo = (): string => program('/usr/bin/go', 'golang-go')
export const debianEtcd = (): string => program('/usr/bin/etcd', 'etcd-server')
/** Patroni needs the Python library for etcd. */
export const debianPatroni = (): string => program('/usr/bin/patroni', 'patroni', 'python3-etcd')

const installed = (packages: readonly string[], find: () => string | undefined): string => {
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages]
  const name = packages.join(' ')
  if (userInfo().uid !== 0)
    throw new Error(`This test needs the Debian package ${name}. Install it: sudo ${command.join(' ')}`)
  console.error(`installing the Debian package ${name}`)
  const [apt = '', ...args] = command
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore', env: environment })
    execFileSync(apt, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment })
  } catch (cause) {
    throw new Error(`The Debian package ${name} cannot be installed.`, { cause })
  }
  const found = find()
  if (found === undefined) throw new Error(`The Debian package ${name} lacks the program that this test needs.`)
  return found
}
