import { describe, expect, it } from 'vitest'
import type { Document, Schema } from '../src/document/document.ts'
import { mapSchemas } from '../src/document/map-schemas.ts'
import { control, DOCUMENTS, gateway } from './support/documents.ts'

const LARGEST_INT32 = 2_147_483_647

describe.each([...DOCUMENTS, ['control', control] as const])('the schemas of %s', (_name, document) => {
  it('bound every list', () => {
    expect(schemasOf(document).filter(({ type, maxItems }) => type === 'array' && maxItems === undefined)).toEqual([])
  })

  it('declare the width of every integer, for clients in languages with sized integers', () => {
    const wrong = schemasOf(document).filter(
      ({ format, maximum, ...schema }) =>
        isInteger(schema) && !(Number(maximum) > LARGEST_INT32 ? ['int64'] : ['int32', 'int64']).includes(format ?? ''),
    )
    expect(wrong).toEqual([])
  })
})

describe('the limits', () => {
  it('are positive integers with a unit in their names, each described in a sentence', () => {
    for (const [name, { value, description }] of Object.entries(gateway.components['x-limits'] ?? {})) {
      expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true])
      expect(name).toMatch(/_(records|bytes|messages|runs|seconds)$/)
      expect(description).toMatch(/\.$/)
    }
  })
})

const isInteger = ({ type }: Schema): boolean => [type].flat().includes('integer')

function schemasOf(document: Document): Schema[] {
  const schemas: Schema[] = []
  mapSchemas(document, (schema) => {
    schemas.push(schema)
    return schema
  })
  return schemas
}
