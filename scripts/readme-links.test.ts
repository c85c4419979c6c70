import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const LINK = /\]\(([^)\s]+)\)/g

/** The anchor of a heading in rendered Markdown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const hasAnchor = (file: string, anchor: string): boolean =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor)

const isBroken = (from: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), path)
  return !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !hasAnchor(target, anchor))
}

it.each(globSync('{*.md,*/README.md}', { cwd: ROOT }))('%s links to files and headings that exist', (name) => {
  const file = join(ROOT, name)
  const links = [...readFileSync(file, 'utf8').matchAll(LINK)].map(([, link = '']) => link)
  expect(links.filter((link) => !/^(https?:|mailto:|\/)/.test(link) && isBroken(file, link))).toEqual([])
})
