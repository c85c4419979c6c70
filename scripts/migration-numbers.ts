/** Fails unless each migration has the next number: two branches that each add one may be merged without a conflict. */
import { MigrationRefused, readMigrations } from '../server/src/store/migrate.ts'

try {
  console.log(`${(await readMigrations()).length} migrations`)
} catch (error) {
  if (!(error instanceof MigrationRefused)) throw error
  console.log(error.message)
  process.exitCode = 1
}
