import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS } from '../folders.ts'
import { guideGroups, titleIn } from '../guide-groups.ts'
import { page } from '../markdown.ts'

/** All guides in their groups, each with its description. */
export const guidesPage = (): string =>
  page({ title: 'Guides', description: 'All guides: to build with the gateway, to run it, and to implement it.' }, [
    'Each guide is one task, with programs to copy and what can go wrong.',
    ...guideGroups().map(({ title, names }) => `## ${title}\n\n${names.map(item).join('\n')}`),
  ])

const item = (name: string): string => {
  const file = join(DOCS, 'guides', `${name}.md`)
  const description = /^description: *(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  return `- [${titleIn(file)}](/guides/${name}): ${description.replace(/^(["'])(.*)\1$/, '$2')}`
}
