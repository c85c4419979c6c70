import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { DOCS } from '../../src/folders.ts'

/** Adds to each picture `/…-light.png` its twin for the dark theme, if there is one; the style shows one of them. */
export const themePictures = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('theme-pictures', ({ tokens, Token }) => {
    for (const token of tokens)
      token.children = (token.children ?? []).flatMap((child) => {
        const light = child.type === 'image' ? String(child.attrGet('src')) : ''
        const dark = light.replace(/-light\.png$/, '-dark.png')
        if (dark === light || !existsSync(join(DOCS, 'public', dark))) return [child]
        const twin = new Token('image', 'img', 0)
        Object.assign(twin, { content: child.content, children: child.children })
        twin.attrs = (child.attrs ?? []).map(([name, value]) => [name, name === 'src' ? dark : value])
        child.attrJoin('class', 'light-only')
        twin.attrJoin('class', 'dark-only')
        return [child, twin]
      })
  })
}
