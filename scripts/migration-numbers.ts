/**
 * Fails unless the migrations have consecutive numbers: git merges two branches with the same number without a
 * conflict.
 */
import { MigrationRefused, readMigrations } from '../server/src/store/migrate.ts'

try {
  console.log(`${(await readMigrations()).length} migrations`)
} catch (error) {
  if (!(error instanceof MigrationRefused)) throw error
  console.log(error.message)
  process.exitCode = 1
}
