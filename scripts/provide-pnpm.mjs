// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shell = process.platform === 'win32'
const folder = fileURLToPath(new URL('./pnpm', import.meta.url))

/** npm may retry requests for more than a minute without any output. */
export const SILENT_MS = 15_000

/**
 * The command of pnpm: a program and its first arguments. If there is a build for this machine, npm verifies it with
 * the hash in scripts/pnpm/package-lock.json; otherwise npx installs the same version.
 * @returns {Promise<string[]>}
 */
export async function providePnpm() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const name = `@pnpm/exe.${process.platform}-${process.arch}`
  await runStep('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder)
  const program = join(folder, 'node_modules', name, 'pnpm')
  return existsSync(program)
    ? [program]
    : ['npx', '--yes', '--prefer-offline', `pnpm@${Object.values(optionalDependencies)[0]}`]
}

/**
 * Runs a step of an installation, and exits with its status if it fails. The step writes to standard error, because
 * standard output belongs to the command.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export async function runStep(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2], shell })
  const timer = setTimeout(
    () =>
      console.error(
        'Still trying. With a slow connection this takes time. If the registry cannot be reached, npm gives up after some minutes.',
      ),
    SILENT_MS,
  )
  const status = await new Promise((resolve) => child.on('error', () => resolve(null)).on('close', resolve))
  clearTimeout(timer)
  if (status === 0) return
  console.error(FAILED)
  process.exit(status ?? 1)
}

const FAILED = `The installation failed; its messages are above. If the npm registry cannot be reached, check:
  - the variable HTTPS_PROXY, if you reach the internet through a proxy
  - registry=… in ~/.npmrc, if you use a mirror of the registry
  - cafile=… in ~/.npmrc, if you use your own certificate authority`
