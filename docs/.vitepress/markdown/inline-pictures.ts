import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Puts the drawings of `docs/pictures` into the page itself, where they take the colours of the theme. A paragraph that
 * holds one such image and nothing else becomes a figure; the image's text is its accessible name.
 */
export const inlinePictures = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('inline-pictures', ({ tokens, env, Token }) => {
    tokens.forEach((token, index) => {
      const [image, ...others] = token.children ?? []
      if (image?.type !== 'image' || others.length > 0 || tokens[index - 1]?.type !== 'paragraph_open') return
      const source = String(image.attrGet('src'))
      if (!PICTURE.test(source)) return
      const picture = new Token('html_block', '', 0)
      const svg = readFileSync(join(dirname(String(env.path)), source), 'utf8')
      picture.content = `<figure class="drawing">${withName(svg, image.content)}</figure>\n`
      for (const paragraph of [tokens[index - 1], tokens[index + 1]]) if (paragraph) paragraph.hidden = true
      tokens[index] = picture
    })
  })
}

const PICTURE = /(^|\/)pictures\/[\w-]+\.svg$/

/** The colours and the title in the file are only for readers who open the file directly. */
const withName = (svg: string, name: string): string =>
  svg
    .replace(/<style>[\s\S]*?<\/style>\s*/, '')
    .replace(/<title>.*?<\/title>\s*/, '')
    .replace(/<svg [^>]*?viewBox="0 0 (\d+) (\d+)"[^>]*>/, (_, width: string, height: string) => {
      const label = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
      return `<svg class="picture" viewBox="0 0 ${width} ${height}" style="max-width: ${Math.round(Number(width) * SCALE)}px" role="img" aria-label="${label}">`
    })
    .replaceAll(/\n\s*/g, '\n')
    .trim()

/** Pixels per unit of a drawing, if there is room. */
const SCALE = 1.35
