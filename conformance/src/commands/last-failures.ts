import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Target } from '../kit/check.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import type { SuiteReport } from '../report/suite-report.ts'

function fileOf(target: Target, config: string): string {
  const caches = process.env.XDG_CACHE_HOME ?? process.env.LOCALAPPDATA ?? join(homedir(), '.cache')
  const name = hash('sha256', `${target} ${resolve(config)}`).slice(0, 16)
  return join(caches, 'gateway-conformance', `${name}.json`)
}

/**
 * Records failed, undecided and not run checks for `--only-failed`. Entries of checks outside this run stay unchanged.
 */
export async function noteFailures(target: Target, config: string, { checks }: SuiteReport): Promise<void> {
  const looked = new Set(checks.map(({ id }) => id))
  const failed = checks.filter(({ status }) => FAILED.has(status)).map(({ id }) => id)
  const earlier = (await read(target, config)) ?? []
  const file = fileOf(target, config)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify([...earlier.filter((id) => !looked.has(id)), ...failed]))
  } catch {
    // If the file cannot be written, only `--only-failed` is unavailable.
  }
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'undecided', 'not-run'])

/**
 * IDs of the checks that `--only-failed` selects for this configuration.
 * @throws {UsageError} No run of this configuration is recorded, or none of the recorded checks failed.
 */
export async function readFailures(target: Target, config: string): Promise<readonly string[]> {
  const failures = await read(target, config)
  if (failures === null) throw new UsageError(`--only-failed: there was no run with --config ${config} yet.`)
  if (failures.length === 0) throw new UsageError('--only-failed: nothing failed last time.')
  return failures
}

const read = async (target: Target, config: string): Promise<string[] | null> => {
  try {
    const list: unknown = JSON.parse(await readFile(fileOf(target, config), 'utf8'))
    return Array.isArray(list) && list.every((id) => typeof id === 'string') ? list : null
  } catch {
    return null
  }
}
