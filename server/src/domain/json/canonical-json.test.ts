import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../../test/support/json.ts'
import { canonicalJson } from './canonical-json.ts'

const canonical = (text: string): string => canonicalJson(scanned(text)).toString()

/** Writes a value with its members in random order and with insignificant spaces and escapes. */
const writeOddly = (value: unknown, random: () => number): string => {
  const space = (): string => ['', ' ', '\n\t'][Math.floor(random() * 3)] ?? ''
  const string = (text: string): string =>
    `"${[...text.split('')]
      .map((unit) => {
        const plain = JSON.stringify(unit).slice(1, -1)
        const escaped = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        return random() < 0.3 || /[\ud800-\udfff]/.test(unit)
          ? random() < 0.5
            ? escaped
            : escaped.toUpperCase().replace('U', 'u')
          : plain
      })
      .join('')}"`
  if (typeof value === 'string') return string(value)
  if (typeof value === 'number') return random() < 0.3 ? value.toExponential() : JSON.stringify(value)
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => writeOddly(item, random)).join(`${space()},${space()}`)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .map(([name, member]) => ({
      at: random(),
      text: `${string(name)}${space()}:${space()}${writeOddly(member, random)}`,
    }))
    .sort((a, b) => a.at - b.at)
  return `{${space()}${members.map(({ text }) => text).join(`${space()},`)}${space()}}`
}

const wellFormed = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 })
const odd = fc.tuple(wellFormed, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })))

describe('the canonical form of JSON', () => {
  it('is the same for every spelling of the same content [IDEM-14]', () => {
    fc.assert(
      fc.property(odd, ([value, chances]) => {
        const text = writeOddly(value, () => chances.next().value ?? 0)
        expect(canonical(text)).toBe(canonical(JSON.stringify(JSON.parse(text))))
      }),
      { numRuns: 500 },
    )
  })

  it('has the same content as the text', () => {
    fc.assert(
      fc.property(odd, ([value, chances]) => {
        const text = writeOddly(value, () => chances.next().value ?? 0)
        expect(JSON.parse(canonical(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('equals RFC 8785 for ASCII names without escapes', () => {
    const name = fc.stringMatching(/^[ !#-[\]-~]{0,4}$/)
    fc.assert(
      fc.property(
        fc.dictionary(
          name,
          wellFormed.filter((value) => !/[{\\]/.test(JSON.stringify(value))),
        ),
        (value) => {
          const text = JSON.stringify(value)
          expect(canonical(text)).toBe(canonicalize(JSON.parse(text)))
        },
      ),
    )
  })

  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"aa":1,"a":2,"":3}', '{"":3,"a":2,"aa":1}'],
    ['{"10":1,"9":2}', '{"10":1,"9":2}'],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['{"a":1,"\\u0061":2}', '{"a":2}'],
    ['{"x\\"c":1,"x\\"b":2,"x":3}', '{"x":3,"x\\"b":2,"x\\"c":1}'],
    ['{"\\u00e9":1,"z":2}', '{"z":2,"é":1}'],
    ['[1.0,1e2,-0,0.1e1,1e21,123456789012345680000,-5]', '[1,100,0,1,1e+21,123456789012345680000,-5]'],
    ['"\\/\\u0041\\u000a\\u001f\\u0022\\u005c\\u007f\\u20ac\\ud83d\\ude00"', '"/A\\n\\u001f\\"\\\\\u007f€😀"'],
    [' [ true , false , null , { } , [ ] ] ', '[true,false,null,{},[]]'],
  ])('of %s is %s', (text, form) => expect(canonical(text)).toBe(form))

  it('sorts names that are crafted to be slow to sort', () => {
    const shuffled = (names: readonly string[]): string[] =>
      names
        .map((name, index) => ({ name, at: (index * 7919) % names.length }))
        .sort((a, b) => a.at - b.at)
        .map(({ name }) => name)
    const prefixes = Array.from({ length: 300 }, (_, length) => 'x'.repeat(length))
    const tree = prefixes
      .slice(0, 60)
      .flatMap((prefix) => Array.from({ length: 50 }, (_, at) => `${prefix}${String.fromCharCode(0x41 + at)}`))
    const long = ['b', 'a', 'c'].map((end) => 'x'.repeat(100_000) + end)
    for (const names of [shuffled(prefixes), shuffled(tree), long]) {
      const text = `{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`
      expect(Object.keys(JSON.parse(canonical(text)))).toEqual([...new Set(names)].sort())
    }
  })

  it('keeps the last of any number of equally named members', () => {
    const text = `{"z":0,${Array.from({ length: 500 }, (_, index) => `"a":${index}`).join()},"b":0}`
    expect(canonical(text)).toBe('{"a":499,"b":0,"z":0}')
  })
})
