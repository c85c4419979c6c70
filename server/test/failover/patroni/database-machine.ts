import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { signalIfThere } from '../../support/databases/postgres.ts'
import { findUser } from '../../support/databases/postgres-binaries.ts'
import { debianEtcd, debianPatroni } from '../../support/debian-packages.ts'

/** One machine of the cluster: etcd, Patroni and PostgreSQL with their own folder and loopback address. */
export interface DatabaseMachine {
  readonly address: string
  start(): void
  /** Kills every process of the machine, as a loss of power does. */
  kill(): Promise<void>
  /** The last lines that Patroni wrote. */
  log(): string
}

export interface MachineFiles {
  readonly address: string
  /** Where the machine keeps all its files. PostgreSQL's user can write there. */
  readonly folder: string
  /** The contents of `etcd.env` and `node.env` for this machine. */
  readonly etcdEnv: string
  readonly nodeEnv: string
  /** The path of `patroni.yml`. */
  readonly patroniYml: string
}

const LOG_LINES = 30

export const createMachine = ({ address, folder, etcdEnv, nodeEnv, patroniYml }: MachineFiles): DatabaseMachine => {
  const patroni = debianPatroni()
  const etcd = debianEtcd()
  const logFile = join(folder, 'patroni.log')

  const run = (program: string, args: readonly string[], settings: string, log: string): void => {
    const output = openSync(log, 'a')
    spawn(program, args, {
      ...findUser(),
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...parseEnv(settings) },
      cwd: folder,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
  }
  const signalAll = (): number => {
    const pids = processesIn(folder)
    for (const pid of pids) signalIfThere(pid, 'SIGKILL')
    return pids.length
  }
  // Otherwise servers keep running after a test run that ends with an error.
  process.on('exit', signalAll)

  return {
    address,
    start: () => {
      run(etcd, [], etcdEnv, join(folder, 'etcd.log'))
      run(patroni, [patroniYml], nodeEnv, logFile)
    },
    kill: async () => {
      // A process may start another one while the list is read.
      while (signalAll() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(-LOG_LINES).join('\n') : ''),
  }
}

/** Processes that work in a folder. PostgreSQL leaves the process group of Patroni, so a signal to the group would miss it. */
const processesIn = (folder: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && `${workingFolderOf(pid)}/`.startsWith(`${folder}/`))

const workingFolderOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended, or belongs to another user.
    return ''
  }
}
