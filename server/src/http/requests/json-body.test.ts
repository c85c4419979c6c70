import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonText } from '../../domain/json/json-text.ts'
import { BODY_LIMITS } from '../../domain/json/limits.ts'
import type { Path } from '../../domain/json/read-value.ts'
import { readValue } from '../../domain/json/read-value.ts'
import { checkJsonBody, UnusableJson } from './json-body.ts'

const read = (text: string | Uint8Array, verbatim: readonly Path[] = []): unknown => {
  const json = checkJsonBody(Buffer.from(text))
  return json instanceof UnusableJson ? json : readValue(json, verbatim)
}
const faultsOf = (text: string | Uint8Array) => {
  const value = read(text)
  return value instanceof UnusableJson ? value.faults : []
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const zeros = (count: number) => `[${Array(count).fill(0).join()}]`

describe('reading a JSON body', () => {
  it('returns any JSON value unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        // Integers beyond 2^53 may have digits that no double holds.
        fc.pre(!/__proto__|constructor|\\u|(?<![.\d])\d{16,}(?![\d.e])/.test(text))
        expect(JSON.stringify(read(text))).toBe(text)
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
    '{}\ufeff',
    '\ufeff\ufeff{}',
    '{"a":"\u0000"}',
    '01',
  ])('refuses invalid JSON: %j', (text) =>
    expect(faultsOf(text)).toEqual([{ pointer: '', message: 'is not valid JSON' }]),
  )

  it.each([
    ['a byte that begins no character', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xc3, 0x22]],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('refuses invalid UTF-8: %s', (_, bytes) =>
    expect(faultsOf(Uint8Array.from(bytes))).toEqual([{ pointer: '', message: 'is not valid UTF-8' }]),
  )

  it('refuses values that cannot be stored, with their location', () => {
    expect(faultsOf('{"a":["\\u0000",1e999,9007199254740993]}').map(({ pointer }) => pointer)).toEqual([
      '/a/0',
      '/a/1',
      '/a/2',
    ])
  })

  it('accepts nesting up to its limit and reports where it is exceeded, at any depth', () => {
    expect(faultsOf(nested(BODY_LIMITS.depth))).toEqual([])
    expect(faultsOf(nested(BODY_LIMITS.depth + 1))).toEqual([
      { pointer: '/0'.repeat(BODY_LIMITS.depth), message: `is nested deeper than ${BODY_LIMITS.depth} levels` },
    ])
    expect(faultsOf(`{"a":0,"b":[{},${nested(500_000)}`)).toMatchObject([
      { pointer: `/b/1${'/0'.repeat(BODY_LIMITS.depth - 2)}` },
    ])
    expect(faultsOf(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toHaveLength(1)
  })

  it('accepts at most 50,000 values and members [REQ-17]', () => {
    const tooMany = [{ pointer: '', message: 'has more than 50000 values and members' }]
    expect(faultsOf(zeros(49_999))).toEqual([])
    expect(faultsOf(zeros(50_000))).toEqual(tooMany)
    const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`
    expect(faultsOf(members(24_999))).toEqual([])
    expect(faultsOf(members(25_000))).toEqual(tooMany)
  })

  it('keeps an object as the sent text at the given paths', () => {
    const data = '{ "10": 1.0, "9":"\\u0041" ,"b":{}, "a":[1e2]}'
    expect(read(`{"a":1,"input":{"data":${data} , "text":"x"}}`, [['input', 'data']])).toEqual({
      a: 1,
      input: { text: 'x', data: new JsonText(data, 2, false) },
    })
    expect(read('{"input":{"data":{ }}}', [['input', 'data']])).toEqual({
      input: { data: new JsonText('{ }', 1, true) },
    })
  })

  it('parses values other than objects there, and everything elsewhere', () => {
    for (const text of ['{"input":{"data":[1]}}', '{"input":[{"data":{}}]}', '{"data":{"a":1}}', '{"input":null}', '7'])
      expect(read(text, [['input', 'data']])).toEqual(JSON.parse(text))
  })

  it('keeps the last of equally named members, as a parser does', () => {
    const text = '{"input":{"data":{"a":1}},"input":{"data":{"b":1},"data":{"c":1}}}'
    expect(read(text, [['input', 'data']])).toEqual({ input: { data: new JsonText('{"c":1}', 1, false) } })
    expect(read('{"input":{"data":{"a":1}},"input":{}}', [['input', 'data']])).toEqual({ input: {} })
  })
})
