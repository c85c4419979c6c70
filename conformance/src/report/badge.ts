import { escapeXml } from './escape-xml.ts'
import type { KeptReport } from './read-report.ts'

const CHARACTER_WIDTH = 6.6
const PADDING = 12
const COLOURS = { conformant: '#1a7f37', broken: '#b42318' } as const

/** A badge in SVG for a README: target and profile, and how many of the examined checks passed. */
export function renderBadge({ target, profile, conformant, checks, subject }: KeptReport): string {
  const examined = checks.filter(({ status }) => status !== 'untestable' && status !== 'not-run')
  const passed = examined.filter(({ status }) => status === 'passed').length
  const label = `${target} ${profile}`
  const verdict = `${passed} of ${examined.length}${conformant ? '' : ', not conformant'}`
  const width = (text: string): number => Math.round(text.length * CHARACTER_WIDTH) + PADDING
  const [left, right] = [width(label), width(verdict)]
  const text = (x: number, content: string) => `<text x="${x}" y="14">${escapeXml(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img">`,
    `<title>${escapeXml(`${subject}: ${label}, ${verdict}`)}</title>`,
    `<rect width="${left}" height="20" fill="#444c56"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${conformant ? COLOURS.conformant : COLOURS.broken}"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    text(left / 2, label),
    text(left + right / 2, verdict),
    '</g></svg>\n',
  ].join('')
}
