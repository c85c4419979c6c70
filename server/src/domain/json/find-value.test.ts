import { describe, expect, it } from 'vitest'
import { scanned } from '../../../test/support/json.ts'
import { depthOf, findMember, nodesOf, textOf } from './find-value.ts'
import { ROOT } from './scanned-json.ts'

const member = (text: string, name: string): string | null => {
  const json = scanned(text)
  const found = findMember(json, ROOT, name)
  return found === null ? null : textOf(json, found)
}

describe('finding a member', () => {
  it('returns its value unchanged', () => {
    expect(member('{"b": {"10": 1, "9": [ 2 ]} , "a": 0}', 'b')).toBe('{"10": 1, "9": [ 2 ]}')
    expect(member('{"x":{"a":1},"a":"\\u0041"}', 'a')).toBe('"\\u0041"')
  })

  it('recognises every spelling of a name, and takes the last of several, as every parser does', () => {
    expect(member('{"\\u0061b":1}', 'ab')).toBe('1')
    expect(member('{"é":1}', 'é')).toBe('1')
    expect(member('{"a":1,"b":2,"\\u0061":3}', 'a')).toBe('3')
    expect(member('{"__proto__":1}', '__proto__')).toBe('1')
  })

  it('finds nothing under other names or in values that are not objects', () => {
    for (const text of ['{"ab":1}', '{"A":1}', '{"x":"a"}', '{"b":{"a":1}}', '{}', '["a",1]', '"a"'])
      expect(member(text, 'a')).toBeNull()
  })
})

describe('measuring a value', () => {
  it('counts its levels, and its values and members', () => {
    for (const [text, depth, nodes] of [
      ['0', 0, 1],
      ['{}', 1, 1],
      ['{"a":[]}', 2, 3],
      ['[{"a":1,"b":{"c":[0,0]}},[]]', 4, 11],
    ] as const) {
      const json = scanned(text)
      expect([text, depthOf(json, ROOT), nodesOf(json, ROOT)]).toEqual([text, depth, nodes])
    }
  })
})
