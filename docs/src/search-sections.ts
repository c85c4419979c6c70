import { type HTMLElement, parse } from 'node-html-parser'

/** An entry of the search index: its titles, from the title of the page down to its own, and its text. */
export interface SearchSection {
  readonly anchor: string
  readonly titles: string[]
  readonly text: string
}

/**
 * The search entries of a page. They omit code, output and folded text, the headings that repeat under every name of
 * the SDK reference, and the page of the mutants.
 * @param path of the page's Markdown, with `/` between the names
 */
export const searchSections = (path: string, html: string): SearchSection[] => {
  if (/\/rules\/mutants\.md$/.test(path)) return []
  const isSdk = path.includes('/reference/sdk/')
  const root = parse(html, { blockTextElements: { pre: false, style: false, script: false } })
  for (const each of root.querySelectorAll('pre, details, svg, button, .lang, .header-anchor, .marks, TryIt'))
    each.remove()
  const sections = SETTINGS.test(path) ? [...sectionsOf(root), ...settingsOf(root)] : sectionsOf(root)
  if (CONSTANT.test(path)) return sections.slice(0, 1).map(shorten)
  return isSdk ? sections.filter(({ titles }) => !REPEATED.has(titles.at(-1) ?? '')).map(shorten) : sections
}

const SETTINGS = /\/reference\/settings\.md$/
/**
 * Constants that hold a table: only their names are indexed, because the pages of errors, operations and limits have
 * the text.
 */
const CONSTANT = /\/variables\/[A-Z_]+\.md$/

/** Headings that TypeDoc repeats under every name. */
const REPEATED: ReadonlySet<string> = new Set([
  'Parameters',
  'Returns',
  'Throws',
  'Type Parameters',
  'Extends',
  'Extended by',
  'Inherited from',
  'Overrides',
  'Default',
  'Properties',
  'Methods',
  'Constructors',
  'Constructor',
  'Type declaration',
  'Union Members',
  'Classes',
  'Interfaces',
  'Functions',
  'Variables',
  'Type Aliases',
])

/** Headings inside an operation. The text below them belongs to the entry of the operation. */
const PARTS: ReadonlySet<string> = new Set(['Parameters', 'Request body', 'Answer', 'Errors', 'Example'])

const HEADING = /^H([1-6])$/

const sectionsOf = (root: HTMLElement): SearchSection[] => {
  const sections: { anchor: string; titles: string[]; text: string }[] = []
  const path: string[] = []
  for (const node of root.childNodes) {
    const level = HEADING.exec('tagName' in node ? String(node.tagName) : '')?.[1]
    if (level === undefined) {
      const section = sections.at(-1)
      if (section !== undefined) section.text += ` ${textOf(node.text)}`
      continue
    }
    const element = node as HTMLElement
    if (level === '3' && PARTS.has(textOf(element.text))) continue
    path.length = Math.min(path.length, Number(level) - 1)
    path.push(textOf(element.text))
    sections.push({ anchor: level === '1' ? '' : element.id, titles: [...path], text: '' })
  }
  return sections
}

/** An entry for each setting, although settings have no headings. */
const settingsOf = (root: HTMLElement): SearchSection[] =>
  root.querySelectorAll('dl.fields > div').map((setting) => ({
    anchor: setting.querySelector('dt')?.id ?? '',
    titles: ['Settings', textOf(setting.querySelector('dt > code')?.text ?? '')],
    text: textOf(setting.querySelector('dd')?.text ?? ''),
  }))

/** The first sentences of a method describe it, so the entry keeps only the beginning of the text. */
const SDK_CHARACTERS = 400
const shorten = (section: SearchSection): SearchSection => ({
  ...section,
  titles: section.titles
    .map((title) => title.replace(/^(Class|Interface|Function|Variable|Type Alias): /, '').replace(/\(\)$/, ''))
    .filter((title) => !REPEATED.has(title)),
  text: section.text.slice(0, SDK_CHARACTERS),
})

const textOf = (text: string): string =>
  text
    .replaceAll(/&#?\w+;|​/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
