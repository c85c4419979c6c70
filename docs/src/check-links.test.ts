import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkLinks } from './check-links.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'))
  await mkdir(join(folder, 'guides'))
  await writeFile(join(folder, 'errors.html'), '<h2 id="BUSY">Busy</h2><a href="#BUSY">here</a>')
  await writeFile(join(folder, 'index.html'), '<a href="/docs/guides/a">a</a><img src="/docs/mark.svg">')
  await writeFile(join(folder, 'mark.svg'), '<svg/>')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const brokenOn = async (html: string): Promise<string[]> => {
  await writeFile(join(folder, 'guides/a.html'), html)
  return checkLinks(folder)
}

it('accepts pages, anchors, files and other hosts', async () => {
  const links = ['../errors#BUSY', '/docs/errors.html', '/docs/', 'https://example.com/x', '#top', './a']
  expect(await brokenOn(`<h1 id="top"></h1>${links.map((link) => `<a href="${link}">x</a>`).join('')}`)).toEqual([])
})

it.each([
  ['../nothing', 'no such page'],
  ['../errors#NO_SUCH_CODE', 'no such anchor'],
  ['#nowhere', 'no such anchor'],
  ['/errors', 'outside /docs/'],
  ['/openapi.json', 'outside /docs/'],
])('names the page, the link and what is wrong with it: %s', async (link, fault) => {
  expect(await brokenOn(`<a href="${link}">x</a>`)).toEqual([`guides/a.html: ${link} (${fault})`])
})

it('does not treat code as links', async () => {
  expect(await brokenOn('<pre><a href="/nowhere">x</a></pre><a href="../nothing">x</a>')).toHaveLength(1)
})
