import type { MarkdownRenderer } from 'vitepress'
import { toSiteLinks } from '../../src/site-links.ts'

/** Redirects links to files of the repository to the pages that show these files. */
export const linkToPages = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.before('normalize', 'link-to-pages', (state) => {
    state.src = toSiteLinks(state.src, String(state.env.path))
  })
}
