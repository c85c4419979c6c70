// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shell = process.platform === 'win32'
const folder = fileURLToPath(new URL('./pnpm', import.meta.url))

/**
 * How to run pnpm: a program and its first arguments. Where there is a build for this machine its bytes are those that
 * scripts/pnpm/package-lock.json has the hash of; elsewhere npx brings the same version.
 * @returns {string[]}
 */
export function providePnpm() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const name = `@pnpm/exe.${process.platform}-${process.arch}`
  runStep('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder)
  const program = join(folder, 'node_modules', name, 'pnpm')
  return existsSync(program)
    ? [program]
    : ['npx', '--yes', '--prefer-offline', `pnpm@${Object.values(optionalDependencies)[0]}`]
}

/**
 * Runs a step of an installation, and ends this process with it when it fails. Standard output is the command's.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function runStep(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2], shell })
  if (status === 0) return
  console.error('The installation failed; its messages are above. Is the npm registry reachable?')
  process.exit(status ?? 1)
}
