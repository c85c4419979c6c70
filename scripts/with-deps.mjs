// Installs what the lockfile asks for when something changed, then runs the given command under the pinned Node.
// Plain JavaScript without dependencies: an older Node with nothing installed has to run it, and what it imports.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { providePnpm, runStep } from './provide-pnpm.mjs'

const MINIMUM_NODE_MAJOR = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const shell = process.platform === 'win32'
const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('usage: node scripts/with-deps.mjs <command> [arguments]')
  process.exit(2)
}

const inputs = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'package.json',
  '.pnpmfile.cjs',
  'scripts/pnpm/package-lock.json',
  ...readdirSync(root).map((entry) => join(entry, 'package.json')),
]
const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
for (const file of inputs) {
  const path = join(root, file)
  if (existsSync(path)) hash.update(file).update(readFileSync(path))
}
const wanted = hash.digest('hex')
const stamp = join(root, 'node_modules', '.install-stamp')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing dependencies (once, and again when the lockfile changes) …')
  const [pnpm, ...first] = providePnpm()
  runStep(pnpm, [...first, 'install', '--frozen-lockfile'], root)
  writeFileSync(stamp, wanted)
}

const env = {
  // Compiled code is kept: a gateway's start takes half a second less.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH,
}
const version = spawnSync('node', ['-p', 'process.versions.node'], { env, encoding: 'utf8', shell }).stdout.trim()
if (Number.parseInt(version, 10) < MINIMUM_NODE_MAJOR) {
  console.error(
    `Node ${MINIMUM_NODE_MAJOR} or later is needed and found ${version}: no pinned build exists for ${process.platform}-${process.arch}, so install one yourself.`,
  )
  process.exit(1)
}

const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', shell })
let told = false
const end = () => {
  if (told) return
  told = true
  child.kill('SIGTERM')
}
// A terminal sends SIGINT to the child as well; SIGTERM reaches only this process and is passed on.
process
  .on('SIGINT', () => {})
  .on('SIGTERM', end)
  .on('SIGHUP', end)
// The shell that npm starts dies of SIGTERM without passing it on.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) end()
}, 250).unref()
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
