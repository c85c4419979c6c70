import { describe, expect, it } from 'vitest'
import { pointerOfPath, readField } from './field-path.ts'

const event = {
  type: 'order.question',
  customer: { message: 'hi', age: 7, 'odd name': 'x', nothing: null, list: ['a', { b: 1 }] },
  a: { b: { c: { d: { e: 'deep' } } } },
  empty: '',
  zero: 0,
  no: false,
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
  ])('%s leads to the value as it is', (path, value) => {
    expect(readField(event, path)).toEqual({ kind: 'value', value })
  })

  it.each(['nobody', 'customer.nobody', 'nobody.x.y', 'customer.nothing', 'customer.nothing.more', 'Type', '*', '$'])(
    '%s leads nowhere, and null is nothing',
    (path) => {
      expect(readField(event, path)).toEqual({ kind: 'absent' })
    },
  )

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'customer.hasOwnProperty',
    'constructor.prototype',
    'a.__proto__.b',
  ])('%s does not reach what is not of the body itself', (path) => {
    expect(readField(event, path)).toEqual({ kind: 'absent' })
  })

  it.each([
    ['type.length', '/type'],
    ['customer.list.0', '/customer/list'],
    ['customer.list.length', '/customer/list'],
    ['customer.list.map', '/customer/list'],
    ['customer.age.toFixed', '/customer/age'],
    ['no.x', '/no'],
  ])('%s does not go through what is no object, and says where it stood', (path, pointer) => {
    expect(readField(event, path)).toEqual({ kind: 'blocked', pointer })
  })

  it('reads an own member of any name', () => {
    const odd: Record<string, unknown> = JSON.parse('{"constructor":{"name":"mine"},"toString":"too"}')
    expect(readField(odd, 'constructor.name')).toEqual({ kind: 'value', value: 'mine' })
    expect(readField(odd, 'toString')).toEqual({ kind: 'value', value: 'too' })
  })

  it('stands in a pointer with its special characters escaped', () => {
    expect(pointerOfPath('a.b/c.d~e')).toBe('/a/b~1c/d~0e')
  })
})
