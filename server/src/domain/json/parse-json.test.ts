import { describe, expect, it } from 'vitest'
import { scanned } from '../../../test/support/json.ts'
import { storableJson } from '../storable-json.ts'
import { parseJson } from './parse-json.ts'
import { readValue } from './read-value.ts'

describe('parsing JSON', () => {
  it.each([
    ['\\', '\\n', '\n'],
    ['\\', '\\u00e9', 'é'],
    ['\\u', '\\u540d\\u5b57', '名字'],
    ['\\n', '\\nx', '\nx'],
  ])('reads names correctly after another text had the name %j in the same place', (poison, written, name) => {
    JSON.parse(`{"first":1,${JSON.stringify(poison)}:2}`)
    expect(parseJson(`{"first":1,"${written}":2}`)).toEqual({ first: 1, [name]: 2 })
    expect(parseJson(`{"in":[{"first":1,"${written}" \n:"\\"}"}]}`)).toEqual({ in: [{ first: 1, [name]: '"}' }] })
  })

  it.each([
    '{"\\u0062":[1,-0.5e3,true,null,"\\n\\u0041",{},[]],"2":1,"1":{"\\t":{"a":"\\\\"}}}',
    '{"a":1,"\\u0061":2,"b":3}',
    '{"\\u005f_proto__":{"a":1}}',
    '["\\"", ":", {"a":"\\\\"}]',
    '"\\n:"',
    ` {"\\n" : 1}\n`,
    `${'['.repeat(2000)}{"\\n":1}${']'.repeat(2000)}`,
  ])('returns the same value as JSON.parse: %j', (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(parseJson(text))).toBe(Object.getPrototypeOf(JSON.parse(text)))
  })

  it.each(['', '{', '{"\\n":', '{"\\n":1', '{"\\x":1}', '"\\', '{"\\n":1}}'])('refuses invalid JSON: %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })
})

describe('names from another application', () => {
  it('do not get into the body of a request or the output of an assistant', () => {
    JSON.parse('{"first":1,"\\\\":2}')
    expect(readValue(scanned('{"first":1,"\\n":2}'), [])).toEqual({ first: 1, '\n': 2 })
    expect(readValue(scanned('{"data":{},"in":{"first":1,"\\n":2}}'), [['data']])).toMatchObject({
      in: { first: 1, '\n': 2 },
    })
    expect(storableJson({ first: 1, '\n': 2 })).toMatchObject({ value: { first: 1, '\n': 2 } })
  })
})
