import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const REPOSITORY = join(import.meta.dirname, '../..')

/** The output of `npm run build`, copied to a folder outside the repository. */
export const buildGateway = (): { readonly folder: string; remove(): void } => {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'inherit'] })
  const parent = mkdtempSync('/var/tmp/gateway-built-')
  const folder = join(parent, 'gateway')
  cpSync(join(REPOSITORY, 'dist/gateway'), folder, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', parent])
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) }
}

export interface ConfinedGateway {
  readonly baseUrl: string
  readonly pid: number
  readonly readyMs: number
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** The confinement of a container: a read-only file system, and the user `nobody` without capabilities. */
const CONFINED = [
  'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && mount -o remount,ro,bind / && cd "$1" &&',
  'exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all',
  '"$2" main.js',
].join(' ')

/**
 * Starts a built gateway in a separate mount namespace. @throws {Error} without root, which is needed to create one.
 */
export const startConfined = async (
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ConfinedGateway> => {
  if (userInfo().uid !== 0) throw new Error('Only root can create a file system that is read-only for one process.')
  const startedMs = performance.now()
  const child = spawn(
    'unshare',
    ['--mount', '--propagation=private', 'sh', '-c', CONFINED, 'sh', folder, process.execPath],
    { env: { PATH: process.env.PATH, GATEWAY_PORT: '0', ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const exited = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then((code) => {
      throw new Error(`the gateway ended with ${code} before it was ready:\n${log}`)
    }),
  ])
  return {
    baseUrl: JSON.parse(String(line)).base_url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedMs,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}
