import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { loadRuleList } from '../../openapi/src/rules.ts'
import { REPOSITORY } from '../src/folders.ts'
import { githubSlug } from '../src/github-slug.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
const texts = tracked.filter((file) => file.endsWith('.md'))

/** Files and folders, by their path in the repository. */
const existing = new Set(tracked.flatMap((file) => [file, ...foldersOf(file)]))

function foldersOf(file: string): string[] {
  const folder = posix.dirname(file)
  return folder === '.' ? [folder] : [folder, ...foldersOf(folder)]
}

/** Code is ignored. Finds links of Markdown, and of the HTML that GitHub shows. */
const linksIn = (text: string): string[] => {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^(https?|mailto):/.test(link))
}

const withoutCode = (text: string): string => text.replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, '')

const anchors = new Map<string, ReadonlySet<string>>()
const anchorsOf = (file: string): ReadonlySet<string> => {
  const found = anchors.get(file) ?? readAnchors(file)
  anchors.set(file, found)
  return found
}

const readAnchors = (file: string): Set<string> => {
  if (file === 'openapi/rules.yaml') return new Set(Object.keys(loadRuleList().topics))
  const found = new Set<string>()
  for (const [, heading = ''] of withoutCode(readFileSync(join(REPOSITORY, file), 'utf8')).matchAll(
    /^#{1,6} +(.+)$/gm,
  )) {
    const slug = githubSlug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    let anchor = slug
    for (let count = 1; found.has(anchor); count++) anchor = `${slug}-${count}`
    found.add(anchor)
  }
  return found
}

const faultOf = (file: string, link: string): string | null => {
  if (link.startsWith('/')) return 'the repository has no root address'
  const [path = '', anchor = ''] = link.split('#')
  const target = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path)).replace(/\/$/, '')
  if (!existing.has(target)) return 'no such file'
  if (anchor === '' || anchorsOf(target).has(decodeURIComponent(anchor))) return null
  return 'no such heading'
}

it('every link between the texts of the repository leads to an existing file and heading', () => {
  const broken = texts.flatMap((file) =>
    linksIn(readFileSync(join(REPOSITORY, file), 'utf8')).flatMap((link) => {
      const fault = faultOf(file, link)
      return fault === null ? [] : [`${file}: ${link} (${fault})`]
    }),
  )
  expect(broken).toEqual([])
})
