import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitPointer, MAX_DEPTH, parseJsonBody, UnusableJson } from './json-body.ts'

const parse = (text: string | Uint8Array): unknown => parseJsonBody(Buffer.from(text))
const faultsOf = (text: string | Uint8Array) => {
  const value = parse(text)
  return value instanceof UnusableJson ? value.faults : []
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('parseJsonBody', () => {
  it('gives back any JSON value as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/__proto__|constructor|\\u/.test(text))
        expect(JSON.stringify(parse(text))).toBe(text)
      }),
    )
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1}}',
    'undefined',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    'NaN',
    '\ufeff{}',
    '{"a":"\u0000"}',
    '01',
  ])('refuses what is not JSON: %j', (text) =>
    expect(faultsOf(text)).toEqual([{ pointer: '', message: 'is not valid JSON' }]),
  )

  it.each([
    ['a byte that begins nothing', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xc3, 0x22]],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('refuses invalid UTF-8: %s', (_, bytes) =>
    expect(faultsOf(Uint8Array.from(bytes))).toEqual([{ pointer: '', message: 'is not valid UTF-8' }]),
  )

  it.each([
    ['{"a":{"b":["x","\\u0000"]}}', '/a/b/1'],
    ['{"a":"\\ud800"}', '/a'],
    ['{"a":"x\\udc00x"}', '/a'],
    ['{"a":"\\udc00\\ud800"}', '/a'],
    ['"\\u0000"', ''],
    ['{"a/b~c":"\\ud800"}', '/a~1b~0c'],
    ['{"x":{"k\\u0000":1}}', '/x/k\u0000'],
    ['{"x":{"k\\ud800":1}}', '/x/k\ufffd'],
  ])('names the place of a lone surrogate or NUL in %s', (text, pointer) =>
    expect(faultsOf(text).map((fault) => fault.pointer)).toEqual([pointer]),
  )

  it('takes escaped characters that are none of these', () => {
    expect(parse('{"a":"\\ud83d\\ude00 \\u0001 \\\\u0000 \\u00e9"}')).toEqual({ a: '😀 \u0001 \\u0000 é' })
  })

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":null}',
    '{"constructor":{"prototype":{}}}',
  ])('refuses members that reach for a prototype: %s', (text) => expect(faultsOf(text)).toHaveLength(1))

  it('takes the name constructor for what it is otherwise', () => {
    expect(parse('{"constructor":"Ada","prototype":{}}')).toEqual({ constructor: 'Ada', prototype: {} })
  })

  it.each(['1e999', '-1e999', '{"a":[0,1e400]}'])('refuses numbers beyond double precision: %s', (text) =>
    expect(faultsOf(text)).toMatchObject([{ message: 'is beyond the range of numbers' }]),
  )

  it('takes nesting up to its limit and names where it is exceeded, however deep it goes on', () => {
    expect(faultsOf(nested(MAX_DEPTH))).toEqual([])
    expect(faultsOf(nested(MAX_DEPTH + 1))).toMatchObject([{ pointer: '/0'.repeat(MAX_DEPTH) }])
    expect(faultsOf(nested(500_000))).toHaveLength(1)
    expect(faultsOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toHaveLength(1)
  })

  it('stops looking after a hundred faults', () => {
    expect(faultsOf(JSON.stringify(Array(100_000).fill('\0')))).toHaveLength(100)
    expect(faultsOf(JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i, '\0']))))).toHaveLength(
      100,
    )
  })

  it('cuts a pointer that is too long back to an ancestor', () => {
    const name = 'x'.repeat(2000)
    expect(faultsOf(`{"a":{"${name}":"\\u0000"}}`)).toMatchObject([{ pointer: '/a' }])
    expect(fitPointer(`/${name}`)).toBe('')
    expect(fitPointer('/a/b')).toBe('/a/b')
  })
})
