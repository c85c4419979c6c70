// Installs the missing or outdated dependencies of the given command, and then runs the command: with the user's Node
// if it is recent enough, otherwise with the pinned one.
// This file and its imports are plain JavaScript without dependencies: an older Node with nothing installed has to run
// them.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseNode } from './choose-node.mjs'
import { chooseSet, contains, installArguments } from './dependency-sets.mjs'
import { holdInstallLock } from './install-lock.mjs'
import { readStamp, writeStamp } from './install-stamp.mjs'
import { providePnpm, runStep } from './provide-pnpm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const shell = process.platform === 'win32'
const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('usage: node scripts/with-deps.mjs <command> [arguments]')
  process.exit(2)
}

const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// Once the pinned Node is installed, npm puts it before the user's Node in PATH. This is the user's Node, which runs
// npm.
const present = process.env.npm_node_execpath ?? process.execPath
const choice = chooseNode({
  version:
    present === process.execPath
      ? process.versions.node
      : spawnSync(present, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim(),
  platform: process.platform,
  arch: process.arch,
  pinned: Object.keys(optionalDependencies),
})
if (choice.kind === 'none') {
  console.error(choice.message)
  process.exit(1)
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
const needed = chooseSet([command, ...args], choice.kind)
const isReady = () => {
  const installation = readStamp(root)
  return installation?.hash === wanted && contains(installation.set, needed)
}
if (!isReady())
  await holdInstallLock(join(root, 'node_modules', '.install-lock'), async () => {
    if (isReady()) return
    const before = readStamp(root)
    // Installing a smaller set would remove packages that other commands need.
    const set = before !== undefined && contains(before.set, needed) ? before.set : needed
    // During the installation, the folder contains packages of both lockfiles. After an interruption, neither may be
    // considered installed.
    if (before !== undefined && before.hash !== wanted) writeStamp(root, { hash: 'unfinished', set: before.set })
    console.error(
      set === 'everything'
        ? 'Installing all dependencies (once, and again when the lockfile changes) …'
        : 'Installing the packages that serving needs (once, and again when the lockfile changes) …',
    )
    const [pnpm, ...first] = await providePnpm()
    await runStep(pnpm, [...first, ...installArguments(set)], root)
    writeStamp(root, { hash: wanted, set })
  })

const installed = join(root, 'node_modules', '.bin')
const path = choice.kind === 'present' ? [dirname(present), installed] : [installed]
const env = {
  // Node keeps compiled code there, which saves half a second at each start of a gateway.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  ...process.env,
  PATH: [...path, process.env.PATH].join(delimiter),
}

const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', shell })
let isTerminated = false
const end = () => {
  if (isTerminated) return
  isTerminated = true
  child.kill('SIGTERM')
}
// A terminal sends SIGINT to the child as well. SIGTERM and SIGHUP reach only this process, so it ends the child.
process
  .on('SIGINT', () => {})
  .on('SIGTERM', end)
  .on('SIGHUP', end)
// npm starts this process in a shell. That shell ends on SIGTERM without forwarding it, so watch for its end.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) end()
}, 250).unref()
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
