import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsedOf } from './find-value.ts'
import type { ScanLimits } from './scan-json.ts'
import { scanJson } from './scan-json.ts'
import type { ScannedJson } from './scanned-json.ts'
import { ENTRY_SIZE, entryAfter, ROOT } from './scanned-json.ts'

const ROOMY: ScanLimits = { nodes: 1_000_000, depth: 1000 }
const scan = (text: string, limits = ROOMY) => scanJson(Buffer.from(text), limits)
const faultOf = (text: string, limits = ROOMY): string | null => {
  const scanned = scan(text, limits)
  return 'fault' in scanned ? scanned.fault : null
}
const scanned = (text: string): ScannedJson => {
  const json = scan(text)
  if ('fault' in json) throw new Error(`${json.fault}: ${text}`)
  return json
}
const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('scanning JSON', () => {
  it('finds the position of every value and every name', () => {
    const json = scanned(' {"a" : [1, "x\\"y"], "": {}} ')
    const entries = Array.from({ length: json.nodes }, (_, index) => parsedOf(json, index * ENTRY_SIZE))
    expect(entries).toEqual([{ a: [1, 'x"y'], '': {} }, 'a', [1, 'x"y'], 1, 'x"y', '', {}])
    expect(entryAfter(json, ROOT)).toBe(json.table.length)
    expect(entryAfter(json, 2 * ENTRY_SIZE)).toBe(5 * ENTRY_SIZE)
  })

  it('accepts exactly what a JSON parser accepts', () => {
    const pieces = ['{', '}', '[', ']', ':', ',', '"', '\\', 'u', '00e9', '"a"', '"\\n"', '1', '-', '0', '.', 'e', '+']
    const more = ['true', 'false', 'null', ' ', '\n', '\t', '\u0001', '\u00a0', '\ufeff', 'é', '😀', '1e5', '/', 'nul']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect([text, faultOf(text)]).toEqual([text, parses(text) ? null : 'syntax'])
      }),
      { numRuns: 20_000 },
    )
  })

  it('accepts any JSON value, with or without white space', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('', ' ', '\t', '\n  '), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parsedOf(scanned(text), ROOT)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    '',
    ' ',
    '[1',
    '{"a"',
    '{"a":',
    '{"a":1',
    '"a',
    '"\\',
    '"\\u12',
    '-',
    '1.',
    '1e',
    'tru',
    '[1,]',
    '{"a":1,}',
    '01',
    '+1',
    '1 2',
    "'a'",
  ])('refuses incomplete and other invalid JSON: %j', (text) => expect(faultOf(text)).toBe('syntax'))

  it('counts values and members, and stops at their limit', () => {
    expect(scanned('{"a":1}').nodes).toBe(3)
    expect(scanned('[0,0]').nodes).toBe(3)
    for (const text of ['{"a":1}', '[0,0]', '[[[]]]']) {
      expect(faultOf(text, { ...ROOMY, nodes: 3 })).toBeNull()
      expect(faultOf(text, { ...ROOMY, nodes: 2 })).toBe('nodes')
    }
    expect(faultOf(`[${'0,'.repeat(100)}`, { ...ROOMY, nodes: 10 })).toBe('nodes')
  })

  it('stops at the maximum nesting depth', () => {
    const limits = { ...ROOMY, depth: 3 }
    for (const text of [nested(3), '{"a":[{}]}', '0']) expect(faultOf(text, limits)).toBeNull()
    for (const text of [nested(4), '{"a":[{"b":{}}]}', '['.repeat(500_000)]) expect(faultOf(text, limits)).toBe('depth')
  })
})
