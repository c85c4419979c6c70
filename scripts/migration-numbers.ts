/** Fails unless the migrations have consecutive numbers. If two branches add the same number, git merges them without a conflict. */
import { MigrationRefused, readMigrations } from '../server/src/store/migrate.ts'

try {
  console.log(`${(await readMigrations()).length} migrations`)
} catch (error) {
  if (!(error instanceof MigrationRefused)) throw error
  console.log(error.message)
  process.exitCode = 1
}
