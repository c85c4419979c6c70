const BEFORE = 60
const LENGTH = 200

/**
 * An excerpt as HTML: the text around the first of the words found in it, or its beginning if it contains none of them.
 */
export const excerptOf = (text: string, words: readonly string[]): string => {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const first = Math.min(...found, text.length)
  const from = first === text.length || first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1
  const to = text.length <= from + LENGTH ? text.length : text.lastIndexOf(' ', from + LENGTH)
  return `${from > 0 ? '… ' : ''}${escapeHtml(text.slice(from, to))}${to < text.length ? ' …' : ''}`
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
