/** Texts of contract and rules as Markdown for the site: Vue reads the result as a template, so both are escaped. */

const CODE_SPAN = /(`+)(?:(?!`).|\n)*?\1/g

/** HTML-escaped text, for attributes and for elements that contain no Markdown. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('{{', '&#123;&#123;')

/**
 * Prose with code spans as Markdown: HTML and templates outside the spans are escaped, and numbers of decisions
 * (`D-12`) become links to the page of decisions by number.
 */
export const prose = (text: string): string => {
  let result = ''
  let end = 0
  for (const { 0: span, index } of text.matchAll(CODE_SPAN)) {
    result += escapeProse(text.slice(end, index)) + span
    end = index + span.length
  }
  return result + escapeProse(text.slice(end))
}

const escapeProse = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(/([*_[\]|~])/g, '\\$1')
    .replaceAll(/\bD-(\d\d)\b/g, `[D-$1](${DECISIONS_PAGE}#d-$1)`)

const DECISIONS_PAGE = '/decisions-by-number'

/** Prose that keeps its Markdown blocks, such as the lists in the description of a document. */
export const blocks = (text: string): string =>
  text.replaceAll('{{', '&#123;&#123;').replaceAll(/\bD-(\d\d)\b(?!`)/g, `[D-$1](${DECISIONS_PAGE}#d-$1)`)

/** A fenced block. The text is not interpreted. */
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

export const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2))

/** Code in a line of HTML. */
export const code = (text: string): string => `<code v-pre>${escapeHtml(text)}</code>`

/** A Markdown table; cells are Markdown of one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n')

/** Parts with an empty line between them. Empty parts are left out. */
export const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** A page: front matter, title, and its parts. */
export const page = (
  {
    title,
    description,
    outline,
    pageClass,
  }: { title: string; description: string; outline?: string; pageClass?: 'dense' | 'operations' },
  parts: readonly string[],
): string =>
  joined([
    [
      '---',
      `title: ${JSON.stringify(title)}`,
      `description: ${JSON.stringify(description)}`,
      ...(outline === undefined ? [] : [`outline: ${outline}`]),
      ...(pageClass === undefined ? [] : [`pageClass: ${pageClass}`]),
      'editLink: false',
      '---',
    ].join('\n'),
    `# ${prose(title)}`,
    ...parts,
  ])

/** `sendMessage` → `send-message`, the anchor of an operation; `RunState` → `run-state`. */
export const kebab = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
