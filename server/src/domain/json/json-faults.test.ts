import { LISTED_FAULTS } from '@conversation-gateway/openapi/behaviour/refusal'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../../test/support/json.ts'
import { findMember } from './find-value.ts'
import { findJsonFaults } from './json-faults.ts'
import { ROOT } from './scanned-json.ts'

const faultsOf = (text: string) => findJsonFaults(scanned(text), ROOT)
const messages = (text: string): string[] => faultsOf(text).map(({ message }) => message)

const BEYOND = 'is beyond the range of numbers'
const INEXACT = 'is an integer with more digits than a number holds exactly; send it as a string'

describe('the faults of a JSON value', () => {
  it.each([
    ['{"a":{"b":["x","\\u0000"]}}', '/a/b/1'],
    ['{"a":"\\ud800"}', '/a'],
    ['{"a":"x\\udc00x"}', '/a'],
    ['{"a":"\\udc00\\ud800"}', '/a'],
    ['{"a":"\\ud83d\\\\ude00"}', '/a'],
    ['{"a":"\\ud83d😀"}', '/a'],
    ['{"a":"\\uD83D\\uD83D\\uDE00"}', '/a'],
    ['"\\u0000"', ''],
    ['{"a/b~c":"\\ud800"}', '/a~1b~0c'],
    ['{"x":{"k\\u0000":1}}', '/x/k\u0000'],
    ['{"x":{"k\\ud800":1}}', '/x/k\ufffd'],
  ])('are lone surrogates and NUL, each with its location: %s [MSG-32]', (text, pointer) =>
    expect(faultsOf(text).map((fault) => fault.pointer)).toEqual([pointer]),
  )

  it('exclude all other characters, in every spelling', () => {
    expect(faultsOf('{"a":"\\ud83d\\ude00 \\u0001 \\\\u0000 \\u00e9 😀","\\u0061\\n":"\\uD83D\\uDE00"}')).toEqual([])
  })

  it.each([
    '1e309',
    '-1e309',
    '1e999',
    `1${'0'.repeat(309)}`,
    '9'.repeat(100_000),
    `1${'0'.repeat(400)}.5`,
    '1.5E+400',
  ])('are numbers beyond the range of a double: %.20s [REQ-15]', (number) => expect(messages(number)).toEqual([BEYOND]))

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '10000000000000001',
    '12345678901234567890',
    '18014398509481985',
    `1${'0'.repeat(22)}1`,
    `${2n ** 1023n + 1n}`,
  ])('are integers that a double cannot hold: %s [REQ-14]', (number) => {
    expect(messages(number)).toEqual([INEXACT])
    expect(faultsOf(`{"a":[{"b":${number}}]}`)).toEqual([{ pointer: '/a/0/b', message: INEXACT }])
  })

  it.each([
    '0',
    '-0',
    '999999999999999',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '18014398509481984',
    '1000000000000000000000',
    `${2n ** 1023n}`,
    '0.1',
    '0.12345678901234567890123456789',
    '9007199254740993.0',
    '9007199254740993e0',
    '123456789012345678901234567890.5',
    '1e308',
    '1e-400',
    `0.${'1'.repeat(400)}`,
  ])(
    'exclude exact integers, and fractions and numbers with an exponent that a double rounds: %.40s [REQ-16]',
    (number) => expect(faultsOf(number)).toEqual([]),
  )

  it.each([
    '{"__proto__":{}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":null}',
    '{"constructor":{"prototype":{}}}',
    '{"constructor":{"\\u0070rototype":1}}',
    '{"\\u0063onstructor":{"x":1,"prototype":1}}',
  ])('are members that reach a prototype: %s', (text) => expect(faultsOf(text)).toHaveLength(1))

  it('exclude members whose names only resemble these', () => {
    expect(
      faultsOf('{"constructor":"Ada","prototype":{},"__proto":1,"__proto___":1,"constructors":{"prototype":1}}'),
    ).toEqual([])
  })

  it('are searched only in the given value, up to one fault more than an answer lists [ERR-40]', () => {
    const json = scanned(`{"a":"\\u0000","b":[${Array(100_000).fill('1e999').join()}]}`)
    const b = findMember(json, ROOT, 'b')
    expect(findJsonFaults(json, b ?? 0)).toHaveLength(LISTED_FAULTS + 1)
    expect(findJsonFaults(json, b ?? 0).at(-1)).toEqual({ pointer: `/${LISTED_FAULTS}`, message: BEYOND })
    expect(faultsOf(`{${Array.from({ length: 500 }, (_, index) => `"${index}":"\\u0000"`).join()}}`)).toHaveLength(
      LISTED_FAULTS + 1,
    )
  })
})
