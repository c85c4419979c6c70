import { describe, expect, it } from 'vitest'
import { createValidators } from './validators.ts'

const SCHEMAS = {
  Flat: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 3 },
      size: { type: ['integer', 'null'], minimum: 1, maximum: 9 },
      bytes: { type: 'string', 'x-max-bytes': 4 },
      tags: { type: 'array', maxItems: 2, uniqueItems: true, items: { $ref: '#/components/schemas/Tag' } },
      when: { type: 'string', format: 'date-time' },
      mode: { type: 'string', enum: ['a', 'b'] },
      'odd/na~me': { type: 'string' },
    },
    dependentRequired: { size: ['mode'] },
  },
  Tag: { type: 'string', pattern: '^[a-z]+$' },
  Empty: { type: 'object', additionalProperties: false, maxProperties: 0 },
  Input: {
    type: 'object',
    additionalProperties: false,
    properties: { text: { type: 'string' }, list: { type: 'array' } },
    anyOf: [
      { required: ['text'], properties: { text: { minLength: 1 } } },
      { required: ['list'], properties: { list: { minItems: 1 } } },
    ],
  },
  Tagged: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: {
      propertyName: 'type',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    },
  },
  Cat: pet('cat', 'lives'),
  Dog: pet('dog', 'bones'),
  Either: { anyOf: [{ $ref: '#/components/schemas/Flat' }, { $ref: '#/components/schemas/Cat' }] },
  Nullable: { anyOf: [{ $ref: '#/components/schemas/Tag' }, { type: 'null' }] },
  Holder: { type: 'object', properties: { pet: { $ref: '#/components/schemas/Tagged' } } },
}

function pet(type: string, member: string) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['type', member],
    properties: { type: { const: type }, [member]: { type: 'integer' } },
  }
}

const document = { openapi: '3.1.0', paths: {}, components: { schemas: SCHEMAS } }
const compile = createValidators(document)

const faultsOf = (schema: keyof typeof SCHEMAS, value: unknown): string[] =>
  compile(`/components/schemas/${schema}`)(value).map(({ pointer, message }) => `${pointer}: ${message}`)

describe('a validator', () => {
  it.each<[keyof typeof SCHEMAS, unknown, string[]]>([
    ['Flat', { name: 'abc', size: null, mode: 'a' }, []],
    ['Flat', {}, ['/name: is required']],
    ['Flat', [], [': must be an object']],
    ['Flat', null, [': must be an object']],
    ['Flat', { name: 1 }, ['/name: must be a string']],
    ['Flat', { name: '' }, ['/name: must have at least 1 character']],
    ['Flat', { name: 'abcd' }, ['/name: must have at most 3 characters']],
    ['Flat', { name: 'a', size: '1', mode: 'a' }, ['/size: must be an integer or null']],
    ['Flat', { name: 'a', size: 1.5, mode: 'a' }, ['/size: must be an integer or null']],
    ['Flat', { name: 'a', size: 0, mode: 'a' }, ['/size: must be at least 1']],
    ['Flat', { name: 'a', size: 10, mode: 'a' }, ['/size: must be at most 9']],
    ['Flat', { name: 'a', size: 1 }, ['/size: needs mode']],
    ['Flat', { name: 'a', mode: 'c' }, ['/mode: must be one of a, b']],
    ['Flat', { name: 'a', bytes: '1234' }, []],
    ['Flat', { name: 'a', bytes: '12345' }, ['/bytes: must have at most 4 bytes of UTF-8']],
    ['Flat', { name: 'a', bytes: 'éé' }, []],
    ['Flat', { name: 'a', bytes: '😀' }, []],
    ['Flat', { name: 'a', bytes: 'éé1' }, ['/bytes: must have at most 4 bytes of UTF-8']],
    ['Flat', { name: 'a', tags: ['x', 'y', 'z'] }, ['/tags: must have at most 2 items']],
    ['Flat', { name: 'a', tags: ['x', 'x'] }, ['/tags/1: repeats an earlier item']],
    ['Flat', { name: 'a', tags: ['X'] }, ['/tags/0: must match ^[a-z]+$']],
    ['Flat', { name: 'a', when: 'tomorrow' }, ['/when: must be an RFC 3339 timestamp with a timezone']],
    ['Flat', { name: 'a', 'odd/na~me': 1 }, ['/odd~1na~0me: must be a string']],
    ['Flat', { name: 'a', 'x/y~z': 1 }, ['/x~1y~0z: is not a known member']],
    ['Flat', { a: 1, b: 2 }, ['/name: is required', '/a: is not a known member', '/b: is not a known member']],
    ['Empty', {}, []],
    ['Empty', { a: 1 }, ['/a: is not a known member']],
    ['Nullable', null, []],
    ['Nullable', 5, [': must be a string or null']],
  ])('validates against %s the value %j: %j', (schema, value, faults) => {
    expect(faultsOf(schema, value).sort()).toEqual([...faults].sort())
  })

  it('reports missing content as one fault that names the possible members', () => {
    const message = ': needs at least one non-empty member of text, list'
    for (const value of [{}, { text: '' }, { list: [] }, { text: '', list: [] }])
      expect(faultsOf('Input', value)).toEqual([message])
    expect(faultsOf('Input', { text: 'x' })).toEqual([])
    expect(faultsOf('Input', { list: [1], more: 1 })).toEqual(['/more: is not a known member'])
    expect(faultsOf('Input', { text: '', more: 1 }).sort()).toEqual(['/more: is not a known member', message])
  })

  it('reports the faults of a tagged value against the alternative of its tag', () => {
    expect(faultsOf('Tagged', { type: 'cat', lives: 9 })).toEqual([])
    expect(faultsOf('Tagged', { type: 'cat', lives: '9' })).toEqual(['/lives: must be an integer'])
    expect(faultsOf('Tagged', { type: 'dog', lives: 9 }).sort()).toEqual([
      '/bones: is required',
      '/lives: is not a known member',
    ])
    expect(faultsOf('Tagged', { type: 'cow' })).toEqual(['/type: must be one of cat, dog'])
    expect(faultsOf('Tagged', {})).toEqual(['/type: is required'])
    expect(faultsOf('Tagged', 1)).toEqual([': must be an object'])
    expect(faultsOf('Holder', { pet: { type: 'cat' } })).toEqual(['/pet/lives: is required'])
  })

  it('reports the faults of an untagged value against the nearest alternative', () => {
    expect(faultsOf('Either', { name: 'a', more: 1 })).toEqual(['/more: is not a known member'])
    expect(faultsOf('Either', { type: 'cat', lives: 'x' })).toEqual(['/lives: must be an integer'])
  })

  it('marks unknown members, also within alternatives', () => {
    const marks = (schema: keyof typeof SCHEMAS, value: unknown) =>
      compile(`/components/schemas/${schema}`)(value).map(({ unknownMember }) => unknownMember)
    expect(marks('Either', { name: 'a', more: 1 })).toEqual([true])
    expect(marks('Flat', { more: 1 })).toContain(false)
    expect(marks('Empty', { a: 1, b: 2 })).toEqual([true, true])
  })

  it('never changes the value', () => {
    const value = { name: 'a', size: '1', more: {} }
    faultsOf('Flat', value)
    expect(value).toEqual({ name: 'a', size: '1', more: {} })
  })

  it('finds repeated items in linear time', () => {
    // Comparing all pairs would take minutes.
    const tags = Array.from({ length: 200_000 }, (_, index) => `t${index}`)
    expect(compile('/components/schemas/Flat')({ name: 'a', tags: [...tags, 't0'] }).at(-1)).toBeDefined()
  })

  it('is not created for an invalid or missing schema', () => {
    const broken = { openapi: '3.1.0', paths: {}, components: { schemas: { A: { typ: 'string' } } } }
    expect(() => createValidators(broken)('/components/schemas/A')).toThrow('typ')
    expect(() => compile('/components/schemas/Nothing')).toThrow()
  })
})
