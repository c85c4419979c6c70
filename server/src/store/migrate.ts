import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Db, type Statement, UniqueViolation } from './db.ts'

export interface MigrateOptions {
  /** Folder with the files `NNNN-name.sql`, numbered from 0001 without a gap. Default: the gateway's own. */
  readonly folder?: string
}

/** The database does not match the migrations of this version. The message says why and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

interface Migration {
  readonly version: number
  readonly file: string
  readonly checksum: string
  readonly sql: string
}

interface AppliedMigration {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

const OWN_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))
const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

// Two processes that create the table at the same time would fail in the catalog. So a lock is held to the end of the
// text, which runs as one transaction, like the text of each migration. Migrations have no timeout.
const CREATE_TABLE = `
set local statement_timeout to 0; set local lock_timeout to 0;
select pg_advisory_xact_lock(hashtextextended('conversation-gateway:migrations', 0));
create table if not exists migrations (
  version integer constraint migrations_version primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);`

const READ_APPLIED: Statement = {
  name: 'applied_migrations',
  access: 'read',
  text: 'select version, name, checksum from migrations order by version',
}

/**
 * Brings the schema up to date and returns the names of the files that this call applied. Several processes may call it
 * at once. The row of a version is written first, so all but one process wait for it and continue with the next
 * version.
 * @throws {MigrationRefused} the database is newer than this gateway, or an applied file has been changed.
 */
export const migrate = async (db: Db, { folder = OWN_FOLDER }: MigrateOptions = {}): Promise<string[]> => {
  const known = await readMigrations(folder)
  await db.exec(CREATE_TABLE)
  const done: string[] = []
  for (;;) {
    const applied = await db.query<AppliedMigration>(READ_APPLIED, [])
    checkApplied(applied, known)
    const next = known[applied.length]
    if (next === undefined) return done
    if (await apply(db, next)) done.push(next.file)
  }
}

/** A fingerprint of this version's migrations. */
export const fingerprintMigrations = async (): Promise<string> => {
  const migrations = await readMigrations()
  return hash('sha256', migrations.map(({ checksum }) => checksum).join(''))
}

/** Returns false when another process was faster. */
const apply = async (db: Db, { version, file, checksum, sql }: Migration): Promise<boolean> => {
  try {
    await db.exec(`
set local statement_timeout to 0; set local lock_timeout to 0;
insert into migrations (version, name, checksum) values (${version}, '${file}', '${checksum}');
${sql}`)
    return true
  } catch (error) {
    if (error instanceof UniqueViolation && error.constraint === 'migrations_version') return false
    throw error
  }
}

/**
 * @throws {MigrationRefused} a file's number is not the next one, for example after two branches added the same number.
 */
export const readMigrations = async (folder = OWN_FOLDER): Promise<Migration[]> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(FILE_NAME.exec(file)?.[1])
      if (version !== index + 1) {
        const expected = String(index + 1).padStart(4, '0')
        throw new MigrationRefused(`${join(folder, file)}: the next migration must be named ${expected}-some-name.sql`)
      }
      // Normalise line ends, which a checkout may have changed.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return { version, file, checksum: hash('sha256', sql), sql }
    }),
  )
}

const checkApplied = (applied: readonly AppliedMigration[], known: readonly Migration[]): void => {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const file = known[index]
    if (file === undefined) {
      throw new MigrationRefused(
        `The database is newer than this gateway: it has migration ${name}, and the newest known here is ` +
          `${known.at(-1)?.file ?? 'none'}. Start the gateway version that made it, or a later one.`,
      )
    }
    if (version !== file.version || name !== file.file || checksum !== file.checksum) {
      throw new MigrationRefused(
        `The database was migrated with another ${file.file} (there: ${name}, checksum ${checksum.slice(0, 12)}; here: ` +
          `${file.checksum.slice(0, 12)}). An applied migration must not be changed: restore the file and add a new one.`,
      )
    }
  }
}
