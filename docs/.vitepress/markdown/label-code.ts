import type { MarkdownRenderer } from 'vitepress'

/**
 * Labels each code block with `output` for the output of a command, which also has its own style, with the file to save
 * it as, or else with its language. docs/README.md lists the words after the language.
 */
export const labelCode = (markdown: MarkdownRenderer): void => {
  const { fence } = markdown.renderer.rules
  if (fence === undefined) throw new Error('The Markdown renderer has no rule for fenced blocks.')
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const [language = '', ...words] = (tokens[index]?.info ?? '').split(/\s+/)
    const html = fence(tokens, index, ...rest)
    const isOutput = words.includes('output')
    const label = isOutput ? 'output' : (fileIn(words) ?? LABELS.get(language) ?? language)
    return html
      .replace('<div class="language-', `<div class="${isOutput ? 'output ' : ''}language-`)
      .replace(/<span class="lang">[^<]*<\/span>/, `<span class="lang">${markdown.utils.escapeHtml(label)}</span>`)
  }
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['sh', 'shell'],
  ['ps1', 'PowerShell'],
  ['text', ''],
])

const fileIn = (words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith('file='))?.slice('file='.length)
