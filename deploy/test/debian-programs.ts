import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/debian')

/**
 * A program of a Debian package: the installed one, or one unpacked from the downloaded package, which needs no root
 * and installs and starts nothing. Throws if the package is not available, so that a test is never skipped.
 */
export const debianProgram = (debianPackage: string, path: string): string => {
  const unpacked = join(FOLDER, debianPackage)
  const find = (): string | undefined => [path, join(unpacked, path)].find((file) => existsSync(file))
  return find() ?? unpack(debianPackage, unpacked, find)
}

/** The environment with which an unpacked program finds the libraries of its package. */
export const debianLibraries = (debianPackage: string): { readonly LD_LIBRARY_PATH: string } => {
  const libraries = join(FOLDER, debianPackage, 'usr/lib')
  const folders = existsSync(libraries) ? readdirSync(libraries) : []
  return { LD_LIBRARY_PATH: folders.map((name) => join(libraries, name)).join(':') }
}

const unpack = (debianPackage: string, folder: string, find: () => string | undefined): string => {
  mkdirSync(folder, { recursive: true })
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const plan = run('apt-get', 'install', '--simulate', '--no-install-recommends', debianPackage)
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    run('apt-get', 'download', ...missing)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) run('dpkg', '-x', file, '.')
  } catch (cause) {
    throw new Error(
      `This test needs the Debian package ${debianPackage}, which is not available. Run apt-get update?`,
      {
        cause,
      },
    )
  }
  const found = find()
  if (found === undefined)
    throw new Error(`The Debian package ${debianPackage} does not contain the program that this test needs.`)
  return found
}
