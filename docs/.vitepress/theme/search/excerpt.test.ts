import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const LONG = `${'one two three '.repeat(20)}needle ${'four five six '.repeat(20)}`.trim()

describe('an excerpt', () => {
  it('is the whole text if the text is short', () => {
    expect(excerptOf('The gateway listens here.', ['gateway'])).toBe('The gateway listens here.')
  })

  it('surrounds the first word that was found, and begins and ends between words', () => {
    const excerpt = excerptOf(LONG, ['needle'])
    expect(excerpt).toMatch(/^… (?:one|two|three) .* three needle four .* (?:four|five|six) …$/)
    expect(excerpt.length).toBeLessThan(210)
  })

  it('is the beginning of the text if only titles contain the words', () => {
    expect(excerptOf(LONG, ['absent'])).toMatch(/^one two three one .* …$/)
  })

  it('shows characters of HTML as they are', () => {
    expect(excerptOf('a <b> & c', [])).toBe('a &lt;b> &amp; c')
  })
})
