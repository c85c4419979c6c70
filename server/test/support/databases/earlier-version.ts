import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
const MIGRATIONS = 'server/src/store/migrations'
/** The files of the gateway. */
const PARTS = ['package.json', 'server/package.json', 'server/src', 'openapi']
const NO_HISTORY = `This test needs the version before the newest migration, which the history of this clone lacks.
In a shallow clone, run \`git fetch --unshallow\`, and run the test again.`

export interface EarlierVersion {
  /** Its program, which runs with the dependencies of this version. */
  readonly main: string
  /** Its newest migration. */
  readonly newestMigration: string
  remove(): void
}

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] })

const migrationsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()

/** The last version without the newest migration, or the reason why it is not available. */
export const findEarlierVersion = (): { readonly commit: string } | { readonly reason: string } => {
  const newest = migrationsIn(join(ROOT, MIGRATIONS)).at(-1) ?? ''
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', join(MIGRATIONS, newest)).toString().trim()
    // A new migration may not be committed yet.
    const commit = git('rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`)
      .toString()
      .trim()
    git('cat-file', '-e', `${commit}:${MIGRATIONS}`)
    return { commit }
  } catch {
    return { reason: NO_HISTORY }
  }
}

/** Checks a version out into a new folder, ready to run. */
export const checkOutVersion = (commit: string): EarlierVersion => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-earlier-'))
  const archive = join(folder, 'version.tar')
  writeFileSync(archive, git('archive', commit, ...PARTS))
  execFileSync('tar', ['-xf', archive, '-C', folder])
  for (const part of ['server', 'openapi']) linkDependencies(join(ROOT, part), join(folder, part))
  mkdirSync(join(folder, 'server/node_modules/@conversation-gateway'))
  symlinkSync(join(folder, 'openapi'), join(folder, 'server/node_modules/@conversation-gateway/openapi'))
  return {
    main: join(folder, 'server/src/main.ts'),
    newestMigration: migrationsIn(join(folder, MIGRATIONS)).at(-1) ?? '',
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Links all packages except those of the repository, which must be those of the version. */
const linkDependencies = (from: string, to: string): void => {
  mkdirSync(join(to, 'node_modules'))
  for (const name of readdirSync(join(from, 'node_modules')))
    if (name !== '@conversation-gateway' && !name.startsWith('.'))
      symlinkSync(join(from, 'node_modules', name), join(to, 'node_modules', name))
}
