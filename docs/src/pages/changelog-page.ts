import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../folders.ts'

/** The repository's changelog as a page. */
export const changelogPage = (): string => {
  const file = join(REPOSITORY, 'CHANGELOG.md')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '# Changelog\n\nNothing has been released.'
  return `---\ntitle: Changelog\ndescription: What changed, for whom, and when.\n---\n\n${text}`
}
