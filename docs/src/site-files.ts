import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { stringify } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { ADMIN, GATEWAY, WORKER } from './contract.ts'
import { DOCS, GENERATED, REPOSITORY } from './folders.ts'
import { guideGroups, startNames } from './guide-groups.ts'
import { PROTOCOL } from './pages/protocol-parts.ts'
import { toSiteLinks } from './site-links.ts'
import { listFiles } from './write-pages.ts'

interface Page {
  readonly path: string
  readonly title: string
  readonly description: string
  /** Its Markdown. */
  readonly text: string
}

/**
 * Adds files for programs to a built site: the Markdown of every page beside it (`guides/direct-runs.md`), `llms.txt`,
 * which lists the pages by folder, and `llms-full.txt`, which contains the guides and other pages to read as a whole.
 */
export const addMarkdown = async (site: string, base: string): Promise<void> => {
  const pages = (await listFiles(site)).filter((file) => file.endsWith('.html') && file !== '404.html')
  const paths = pages.map((page) => page.replace(/\.html$/, '.md'))
  const written: Page[] = []
  for (const path of inReadingOrder(paths)) {
    const source = await sourceOf(path)
    const text = plainMarkdown(source, path).replaceAll('](/', `](${base}`)
    await writeFile(join(site, path), text)
    written.push({
      path,
      title: memberOf(source, 'title') ?? path,
      description: withoutLinks(memberOf(source, 'description') ?? ''),
      text,
    })
  }
  await writeFile(join(site, 'llms.txt'), listOfPages(written, base))
  await writeFile(join(site, 'llms-full.txt'), wholePages(written, base))
}

/** Pages with a reading order come first, in that order. */
const inReadingOrder = (paths: readonly string[]): string[] => {
  const texts = [
    ...startNames().map((name) => `start/${name}.md`),
    'guides/index.md',
    ...guideGroups().flatMap(({ names }) => names.map((name) => `guides/${name}.md`)),
    'protocol/index.md',
    ...PROTOCOL.map(({ name }) => `protocol/${name}.md`),
  ].filter((path) => paths.includes(path))
  return [...new Set([...texts, ...paths])]
}

const sourceOf = (path: string): Promise<string> =>
  readFile(join(DOCS, path), 'utf8').then(
    (byHand) => toSiteLinks(byHand, `docs/${path}`),
    () => readFile(join(GENERATED, path), 'utf8'),
  )

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/

const memberOf = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.+)$`, 'm')
    .exec(FRONT_MATTER.exec(text)?.[1] ?? '')?.[1]
    ?.trim()
    .replace(/^"(.*)"$/, '$1')

const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Removes components, drawings and layout, which only a rendered page can show. */
const plainMarkdown = (text: string, path: string): string => {
  const body = text
    .replace(FRONT_MATTER, '')
    .replaceAll(/<(TryIt|ObjectPicture)\b[^>]*\/>/g, '')
    .replaceAll(/<figure[\s\S]*?<\/figure>/g, '')
    .replaceAll(/<\/?(div|p|dl|dt|dd|ul|li|span|details|summary|small|code|svg)\b[^>]*>/g, (tag) =>
      /^<\/?code/.test(tag) ? '`' : '',
    )
    .replaceAll(/ \{#[\w-]+\}$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return path === 'index.md' ? `# ${memberOf(text, 'title') ?? ''}\n\n${body}\n` : `${body}\n`
}

/** The folders whose pages `llms-full.txt` contains, each with its heading in `llms.txt`. */
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ['Start here', /^start\//],
  ['Guides', /^guides\//],
  ['The protocol', /^protocol\//],
]
/** The folders of `llms.txt` in order, each with its heading. */
const FOLDERS: readonly (readonly [string, RegExp])[] = [
  ...TEXTS,
  ['HTTP reference', /^reference\/http\//],
  ["Operator's API", /^reference\/admin\//],
  ['Worker API', /^reference\/worker\//],
  ['SDK', /^reference\/sdk\/(index|functions\/[^/]*|client-methods\/[^/]*\/[^/]*)\.md$/],
  ['Background', /^[\w-]+\.md$/],
]

const HEAD = `# Conversation Gateway

> Durable conversations, runs, events and callbacks between backends and assistant endpoints. Version ${manifest.version}.`

const listOfPages = (pages: readonly Page[], base: string): string =>
  [
    HEAD,
    'Each page is Markdown at its own address with `.md` at the end. The contract is at ' +
      `${base}openapi.json and ${base}openapi.yaml. Texts, guides and protocol in one file: ${base}llms-full.txt.`,
    ...FOLDERS.map(([title, pattern]) =>
      [
        `## ${title}`,
        pages
          .filter(({ path }) => pattern.test(path) && path !== 'index.md')
          .map(
            (page) => `- [${page.title}](${base}${page.path})${page.description === '' ? '' : `: ${page.description}`}`,
          )
          .join('\n'),
      ].join('\n\n'),
    ),
  ].join('\n\n')

/** The concatenated pages, each with its URL. */
const wholePages = (pages: readonly Page[], base: string): string =>
  [
    HEAD,
    `This file does not contain the references. ${base}llms.txt links to them.`,
    ...TEXTS.flatMap(([, pattern]) =>
      pages.filter(({ path }) => pattern.test(path)).map(({ path, text }) => `---\n\nFrom ${base}${path}\n\n${text}`),
    ),
  ].join('\n\n')

/** Copies of the contracts, in both formats. */
export const addContracts = async (site: string): Promise<void> => {
  for (const [{ document }, name] of [
    [GATEWAY, 'openapi'],
    [ADMIN, 'admin-openapi'],
    [WORKER, 'worker-openapi'],
  ] as const) {
    await writeFile(join(site, `${name}.json`), JSON.stringify(document))
    await writeFile(join(site, `${name}.yaml`), stringify(document))
  }
}

/** Copies of the examples as text, which a browser shows instead of saving it: `examples/chat/page.js.txt`. */
export const addExamples = async (site: string): Promise<void> => {
  const examples = join(REPOSITORY, 'examples')
  for (const file of await listFiles(examples)) {
    if (/(^|\/)node_modules\//.test(file)) continue
    const copy = join(site, 'examples', `${file}.txt`)
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(join(examples, file), copy)
  }
}

const COMPRESSED = /\.(html|js|css|svg|json|yaml|md|txt)$/
/** Smaller files are not worth a compressed copy. */
const LEAST_BYTES = 1024
/** Puts a compressed copy (`.gz`) beside each text file of a site, for servers that send precompressed files. */
export const compressSite = async (site: string): Promise<void> => {
  for (const file of (await listFiles(site)).filter((each) => COMPRESSED.test(each))) {
    const bytes = await readFile(join(site, file))
    if (bytes.length < LEAST_BYTES) continue
    await writeFile(join(site, `${file}.gz`), await promisify(gzip)(bytes))
  }
}
