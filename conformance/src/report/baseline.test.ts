import { describe, expect, it } from 'vitest'
import { parseBaseline } from './baseline.ts'

describe('a baseline', () => {
  it('lists checks with the reasons for their known failures, in YAML or JSON', () => {
    const entries = [{ check: 'cancel/a', reason: 'not built yet' }]
    expect(parseBaseline('- check: cancel/a\n  reason: not built yet\n')).toEqual(entries)
    expect(parseBaseline(JSON.stringify(entries))).toEqual(entries)
    expect(parseBaseline('')).toEqual([])
  })

  it.each([
    ['{ check: a }', 'must be a list'],
    ['- { check: a }', 'entry 1: must have a check and a reason'],
    ['- { check: a, reason: b, until: c }', 'entry 1: must have a check and a reason, nothing else'],
    ['- { check: a, reason: b }\n- { check: a, reason: c }', 'entry 2: a occurs twice'],
  ])('refuses %j and names the fault', (text, message) => {
    expect(() => parseBaseline(text)).toThrow(message)
  })
})
