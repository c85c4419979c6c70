import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../folders.ts'
import { toSiteLinks } from '../site-links.ts'

/** Files of the repository's root that the site shows as pages. */
export const repositoryPages = (): Map<string, string> =>
  new Map([
    ['changelog.md', pageOf('CHANGELOG.md', 'Changelog', 'What changed, for whom, and when.')],
    ['security.md', pageOf('SECURITY.md', 'Security', 'How to report a weakness, and what is defended.')],
  ])

const pageOf = (file: string, title: string, description: string): string =>
  `---\ntitle: ${title}\ndescription: ${description}\n---\n\n${toSiteLinks(readFileSync(join(REPOSITORY, file), 'utf8'), file)}`
