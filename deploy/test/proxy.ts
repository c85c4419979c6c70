import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { eventually } from '../../server/test/support/client.ts'
import { debianProgram } from './debian-programs.ts'

const DEPLOY = join(import.meta.dirname, '..')
const TLS = join(DEPLOY, '../server/test/support/tls')
export const CERTIFICATE = join(TLS, 'cert.pem')
export const KEY = join(TLS, 'key.pem')

/** A proxy that terminates TLS with the certificate of the tests. */
export interface RunningProxy {
  readonly baseUrl: string
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

/** Starts a program with its files in a separate folder, on a separate port. */
export type Launch = (folder: string, port: number) => ChildProcess

/** Lets this process trust the certificate of the tests. */
export const trustProxies = (): void =>
  setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')])

/** The published file, with other addresses, paths and certificate. */
export const adapt = (path: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(DEPLOY, path), 'utf8'),
  )

/** Starts a proxy and waits until a gateway answers behind it. */
export const startProxy = async (launch: Launch): Promise<RunningProxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-proxy-'))
  // Workers of nginx run as another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const child = launch(folder, port)
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const baseUrl = `https://127.0.0.1:${port}`
  const proxy = {
    baseUrl,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    stop: async () => {
      if (child.exitCode === null) {
        const ending = once(child, 'exit')
        child.kill('SIGTERM')
        await ending
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const reached = () =>
    fetch(`${baseUrl}/healthz`).then(
      ({ status }) => status,
      (error: Error) => String(error.cause),
    )
  await eventually(reached, (status) => status === 200).catch(async (cause: unknown) => {
    await proxy.stop()
    throw new Error(`the proxy does not serve: ${log}`, { cause })
  })
  return proxy
}

/** Starts a program whose only output is its log. */
export const launchProgram = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })

/** Starts nginx with one site, as `/etc/nginx/nginx.conf` would include it. */
export const launchNginx = (folder: string, site: string): ChildProcess => {
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const main = `pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`
  writeFileSync(join(folder, 'nginx.conf'), main)
  const program = debianProgram('nginx', '/usr/sbin/nginx')
  return launchProgram(program, ['-e', 'stderr', '-g', 'daemon off;', '-c', join(folder, 'nginx.conf')])
}

/** A free port below the ephemeral range, so that no other program takes it before the proxy does. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : freePort()
}
