/**
 * Serves the gateway. If all dependencies are installed and the sources of the documentation or the console have
 * changed, it also builds these in the background. Arguments are passed to the gateway.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { discardBuild } from '../docs/src/build-lock.ts'
import { isCurrent } from '../docs/src/stamp.ts'
import { readStamp } from './install-stamp.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CHAT = fileURLToPath(new URL('../examples/chat', import.meta.url))

const args = process.argv.slice(2)
// This script is for development: the gateway explains the demo, reloads changed modules and shows assistants' errors
// in runs. Without this script, a gateway explains the demo only on a terminal, does not reload modules, and only logs
// assistants' errors.
const server = spawn(
  process.execPath,
  [
    'server/src/main.ts',
    ...(args.length === 0 ? ['--greet', '--reload-modules', '--show-assistant-errors', '--demo-page', CHAT] : args),
  ],
  {
    stdio: 'inherit',
  },
)
const stopBuild = new AbortController()

// A terminal sends SIGINT to the server as well. The other signals reach only this process, so it passes them on.
process.on('SIGINT', () => stopBuild.abort())
for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopBuild.abort()
    server.kill(signal)
  })
server.on('exit', (code) => {
  stopBuild.abort()
  process.exitCode = code ?? 1
})
server.on('error', (error) => {
  log(`The gateway could not be started: ${error.message}`)
  process.exit(1)
})

// With arguments, the gateway prints help or runs an operator command instead of serving.
if (args.length === 0) await buildDocs(stopBuild.signal)

async function buildDocs(signal: AbortSignal): Promise<void> {
  if (await isCurrent()) return
  if (readStamp(ROOT)?.set !== 'everything') {
    log('For /docs and /console, run `npm run docs:build` in a second terminal: it installs what the build needs.')
    return
  }
  log('Building the documentation and the console in the background …')
  const startedMs = performance.now()
  const build = spawn(process.execPath, ['docs/src/build.ts', '--if-stale'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  signal.addEventListener('abort', () => build.kill())
  if (signal.aborted) build.kill()
  const chunks: Buffer[] = []
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const outcome = await once(build, 'close').then(
    ([code]: unknown[]) => (code === 0 ? null : Buffer.concat(chunks).toString().trim()),
    (error: Error) => error.message,
  )
  if (signal.aborted) return discardBuild(build.pid ?? 0)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  if (outcome === null) log(`The documentation is ready under /docs, the console under /console (${seconds} s).`)
  else
    log(`Building documentation and console failed; the gateway runs without them. Try npm run docs:build.\n${outcome}`)
}

function log(text: string): void {
  process.stderr.write(`${text}\n`)
}
