import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { type HTMLElement, parse } from 'node-html-parser'
import { listFiles } from './write-pages.ts'

interface BuiltPage {
  readonly anchors: ReadonlySet<string>
  readonly links: readonly string[]
}

/**
 * The broken internal links of the built site, each with the page that contains it:
 * `guides/attachments.html: /docs/errors#NO_SUCH_CODE (no such anchor)`.
 */
export const checkLinks = async (folder: string, base = '/docs/'): Promise<string[]> => {
  const files = await listFiles(folder)
  const pages = new Map<string, BuiltPage>()
  for (const file of files.filter((each) => each.endsWith('.html')))
    pages.set(file, readPage(parse(await readFile(join(folder, file), 'utf8'), PARSER)))
  const exists = new Set(files)
  return [...pages].flatMap(([file, { links }]) =>
    links.flatMap((link) => {
      const fault = faultOf(link, file, base, pages, exists)
      return fault === null ? [] : [`${file}: ${link} (${fault})`]
    }),
  )
}

/** Code blocks are skipped: they contain most of the elements, but no links. */
const PARSER = { blockTextElements: { script: false, style: false, pre: false } }

const readPage = (root: HTMLElement): BuiltPage => ({
  anchors: new Set(root.querySelectorAll('[id]').map(({ id }) => id)),
  links: [
    ...new Set([
      ...root.querySelectorAll('a[href]').map((each) => each.getAttribute('href') ?? ''),
      ...root.querySelectorAll('img[src]').map((each) => each.getAttribute('src') ?? ''),
    ]),
  ],
})

const faultOf = (
  link: string,
  from: string,
  base: string,
  pages: ReadonlyMap<string, BuiltPage>,
  exists: ReadonlySet<string>,
): string | null => {
  const address = new URL(link, `http://site${base}${from.replace(/(?<=^|\/)index\.html$|\.html$/, '')}`)
  if (address.host !== 'site' || address.protocol !== 'http:') return null
  if (!address.pathname.startsWith(base)) return `outside ${base}`
  const path = decodeURIComponent(address.pathname.slice(base.length))
  const file = [path, `${path}.html`, posix.join(path, 'index.html')].find((each) => exists.has(each))
  if (file === undefined) return 'no such page'
  const anchor = decodeURIComponent(address.hash.slice(1))
  if (anchor === '' || !pages.has(file)) return null
  return pages.get(file)?.anchors.has(anchor) === true ? null : 'no such anchor'
}
