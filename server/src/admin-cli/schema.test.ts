import { expect, it } from 'vitest'
import { valueTypeOf } from './schema.ts'

const SCHEMAS = {
  Name: { type: 'string' },
  Scope: { type: 'string', enum: ['read', 'write'] },
  Echo: { type: 'object' },
}
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it.each([
  [{ type: 'string' }, 'text', null, false],
  [reference('Scope'), 'text', ['read', 'write'], false],
  [{ enum: ['a', 'b'] }, 'text', ['a', 'b'], false],
  [{ anyOf: [reference('Name'), { type: 'null' }] }, 'text', null, true],
  [{ type: ['integer', 'null'] }, 'integer', null, true],
  [{ type: 'boolean' }, 'boolean', null, false],
  [{ type: 'array', items: reference('Scope') }, 'list', ['read', 'write'], false],
  [{ type: 'array', items: reference('Echo') }, 'json', null, false],
  [{ description: 'A choice.', oneOf: [reference('Echo')] }, 'json', null, false],
  [{ anyOf: [reference('Echo'), reference('Name')] }, 'json', null, false],
])('the value of %j is written as %s', (schema, kind, values, nullable) => {
  expect(valueTypeOf(schema, SCHEMAS)).toEqual({ kind, values, nullable })
})

it('a reference without a target is an error', () => {
  expect(() => valueTypeOf(reference('Gone'), SCHEMAS)).toThrow('does not exist')
})
