import { escapeXml } from './escape-xml.ts'
import { judgeReport } from './judge.ts'
import type { KeptReport } from './read-report.ts'
import { toneOf, verdictOf } from './verdict.ts'

const CHARACTER_WIDTH = 6.6
const PADDING = 12
const COLOURS = { good: '#1a7f37', bad: '#b42318', open: '#7a5200' } as const

/**
 * An SVG badge for a README: target, profile, the number of counted checks that passed, and the verdict unless it is
 * conformant.
 */
export function renderBadge(report: KeptReport): string {
  const { target, profile, subject } = report
  const judgement = judgeReport(report)
  const label = `${target} ${profile}`
  const more = judgement.verdict === 'conformant' ? '' : `, ${verdictOf(judgement).toLowerCase()}`
  const verdict = `${judgement.passed} of ${judgement.counted}${more}`
  const colour = COLOURS[toneOf(judgement)]
  const width = (text: string): number => Math.round(text.length * CHARACTER_WIDTH) + PADDING
  const [left, right] = [width(label), width(verdict)]
  const text = (x: number, content: string) => `<text x="${x}" y="14">${escapeXml(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img">`,
    `<title>${escapeXml(`${subject}: ${label}, ${verdict}`)}</title>`,
    `<rect width="${left}" height="20" fill="#444c56"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${colour}"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    text(left / 2, label),
    text(left + right / 2, verdict),
    '</g></svg>\n',
  ].join('')
}
