import { describe, expect, it } from 'vitest'
import { scanned } from '../../test/support/json.ts'
import { pointerOfPath, readField } from './field-path.ts'
import { parsedOf } from './json/find-value.ts'

const event = {
  type: 'order.question',
  customer: { message: 'hi', age: 7, 'odd name': 'x', nothing: null, list: ['a', { b: 1 }] },
  a: { b: { c: { d: { e: 'deep' } } } },
  empty: '',
  zero: 0,
  no: false,
}

const json = scanned(JSON.stringify(event))
const read = (path: string, body = json): unknown => {
  const reading = readField(body, path)
  return reading.kind === 'value' ? parsedOf(body, reading.entry) : reading
}

describe('a field path', () => {
  it.each([
    ['type', 'order.question'],
    ['customer.message', 'hi'],
    ['customer.age', 7],
    ['customer.odd name', 'x'],
    ['a.b.c.d.e', 'deep'],
    ['a.b', event.a.b],
    ['customer.list', event.customer.list],
    ['empty', ''],
    ['zero', 0],
    ['no', false],
  ])('%s leads to the unchanged value', (path, value) => {
    expect(read(path)).toEqual(value)
  })

  it.each(['nobody', 'customer.nobody', 'nobody.x.y', 'customer.nothing', 'customer.nothing.more', 'Type', '*', '$'])(
    '%s is absent, because a member is missing or null',
    (path) => {
      expect(read(path)).toEqual({ kind: 'absent' })
    },
  )

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'customer.hasOwnProperty',
    'constructor.prototype',
    'a.__proto__.b',
  ])('%s does not reach inherited properties', (path) => {
    expect(read(path)).toEqual({ kind: 'absent' })
  })

  it.each([
    ['type.length', '/type'],
    ['customer.list.0', '/customer/list'],
    ['customer.list.length', '/customer/list'],
    ['customer.list.map', '/customer/list'],
    ['customer.age.toFixed', '/customer/age'],
    ['no.x', '/no'],
  ])('%s stops at a value that is not an object, and reports its location', (path, pointer) => {
    expect(read(path)).toEqual({ kind: 'blocked', pointer })
  })

  it('reads an own member of any name', () => {
    const odd = scanned('{"constructor":{"name":"mine"},"toString":"too","__proto__":{"x":"also"}}')
    expect(read('constructor.name', odd)).toBe('mine')
    expect(read('toString', odd)).toBe('too')
    expect(read('__proto__.x', odd)).toBe('also')
  })

  it('leads to the last of equally named members, as in every parser', () => {
    expect(read('a.b', scanned('{"a":{"b":1},"a":{"b":2,"\\u0062":3}}'))).toBe(3)
    expect(read('a.b', scanned('{"a":{"b":1},"a":{}}'))).toEqual({ kind: 'absent' })
  })

  it('becomes a pointer with its special characters escaped', () => {
    expect(pointerOfPath('a.b/c.d~e')).toBe('/a/b~1c/d~0e')
  })
})
