import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import manifest from '../../server/package.json' with { type: 'json' }
import { BRIEF, EDITED_AT } from '../src/folders.ts'
import { githubSlug } from '../src/github-slug.ts'
import { searchSections } from '../src/search-sections.ts'
import { inlinePictures } from './markdown/inline-pictures.ts'
import { labelCode } from './markdown/label-code.ts'
import { linkToPages } from './markdown/link-to-pages.ts'
import { themePictures } from './markdown/theme-pictures.ts'
import { navigation, sidebar } from './navigation.ts'

/** The code colours in light and dark; both have enough contrast with the background of the pages. */
const CODE_THEMES = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const

type Highlight = ((code: string, language: string, attributes: string) => string) | null | undefined

/** Highlighting takes most of the build time, and both the pages and the search index highlight each block. */
const remember = (highlight: Highlight): NonNullable<Highlight> => {
  const known = new Map<string, string>()
  return (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes])
    const coloured = known.get(key) ?? highlight?.(code, language, attributes) ?? ''
    known.set(key, coloured)
    return coloured
  }
}

/** Makes the search box of VitePress load its index with the ranking of `theme/search`. */
const rankSearch = {
  name: 'rank-search',
  enforce: 'pre' as const,
  resolveId: (id: string, importer: string | undefined) =>
    id === 'minisearch' && importer?.includes('VPLocalSearchBox') === true
      ? join(import.meta.dirname, 'theme/search/ranked-search.ts')
      : undefined,
}

/** Set by the publisher of the site: the URL at which its sources are edited. */
const editedAt = process.env[EDITED_AT]

/** The pages of single objects of the contracts and single types of the client: four fifths of all pages. */
const SINGLE_OBJECTS = ['generated/reference/*/objects/**', 'generated/reference/sdk/**/{interfaces,type-aliases}/**']

export default defineConfig({
  title: 'Conversation Gateway',
  description: 'Durable conversations, runs, events and callbacks between your backends and assistant services.',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  // A reader opens few of the pages that a page links to, and some are large.
  router: { prefetchLinks: false },
  srcExclude: [
    ...['README.md', 'decisions.md', 'src/**', 'test/**'],
    ...(process.env[BRIEF] === undefined ? [] : SINGLE_OBJECTS),
  ],
  // Generated and handwritten pages share one URL space.
  rewrites: { 'generated/:path(.*)': ':path' },
  // check-links.ts checks the links of the built pages, including anchors.
  ignoreDeadLinks: true,
  // Generated pages have no source that a reader could edit.
  transformPageData: ({ filePath, frontmatter }) => {
    if (filePath.startsWith('generated/')) frontmatter.editLink = false
  },
  transformHead: ({ siteData, title, description, pageData }) => [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteData.base}mark.svg` }],
    ['link', { rel: 'alternate', type: 'text/markdown', href: `${siteData.base}${pageData.relativePath}` }],
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
    ['meta', { property: 'og:type', content: 'article' }],
  ],
  markdown: {
    theme: CODE_THEMES,
    anchor: { slugify: githubSlug },
    config: (markdown) => {
      // Readers can scroll a table that is wider than their screen by keyboard.
      markdown.renderer.rules.table_open = () => '<table tabindex="0">\n'
      markdown.options.highlight = remember(markdown.options.highlight)
      labelCode(markdown)
      inlinePictures(markdown)
      linkToPages(markdown)
      themePictures(markdown)
    },
  },
  // The search index is one large file, which is loaded on the first search.
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4096 }, plugins: [rankSearch] },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: navigation,
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: {
          _splitIntoSections: (file: string, html: string) => searchSections(file.replaceAll('\\', '/'), html),
          // The excerpts need the text.
          options: { storeFields: ['title', 'titles', 'text'] },
          searchOptions: { prefix: true, boost: { title: 4, titles: 2, text: 1 } },
        },
      },
    },
    ...(editedAt === undefined ? {} : { editLink: { pattern: `${editedAt}docs/:path`, text: 'Edit this page' } }),
    notFound: {
      title: 'This page does not exist',
      quote: 'The address may be misspelt, or the page was renamed. Search for it, or begin at the first page.',
      linkText: 'Go to the first page',
      linkLabel: 'Go to the first page',
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: { message: `Conversation Gateway ${manifest.version} · Apache-2.0` },
  },
})
