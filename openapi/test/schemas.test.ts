import { describe, expect, it } from 'vitest'
import { closeDocument } from '../src/document/close.ts'
import type { Schema } from '../src/document/document.ts'
import { mapSchemas } from '../src/document/map-schemas.ts'
import { createValidator, schemaAt } from '../src/document/validator.ts'
import { DOCUMENTS, gateway } from './support/documents.ts'

const ajv = createValidator(gateway)
const accepts = (name: string) => ajv.compile({ $ref: schemaAt('components', 'schemas', name) })

describe('an event', () => {
  const known = gateway.components.schemas.RunCompletedEvent?.examples?.[0]
  const later = gateway.components.schemas.UnknownEvent?.examples?.[0]

  it('of a known type matches KnownEvent and EventEnvelope', () => {
    expect(accepts('KnownEvent')(known)).toBe(true)
    expect(accepts('EventEnvelope')(known)).toBe(true)
  })

  it('of a later type matches EventEnvelope but not KnownEvent', () => {
    expect(accepts('KnownEvent')(later)).toBe(false)
    expect(accepts('EventEnvelope')(later)).toBe(true)
  })

  it('of a known type with another payload matches neither', () => {
    const broken = { ...Object(known), payload: {} }
    expect(accepts('KnownEvent')(broken)).toBe(false)
    expect(accepts('EventEnvelope')(broken)).toBe(false)
  })

  it('has one schema for each type, and each is in the union', () => {
    const types = gateway.components.schemas.EventType?.enum
    expect(Object.keys(gateway.components.schemas.KnownEvent?.discriminator?.mapping ?? {})).toEqual(types)
  })
})

describe('the closed document', () => {
  const closed = createValidator(closeDocument(gateway))
  const run = Object(gateway.components.schemas.Run?.examples?.[0])
  const valid = closed.compile({ $ref: schemaAt('components', 'schemas', 'Run') })

  it('refuses members and values that only a later version may send', () => {
    expect(valid(run)).toBe(true)
    expect(valid({ ...run, extra: 1 })).toBe(false)
    expect(valid({ ...run, state: 'paused' })).toBe(false)
    expect(valid({ ...run, result: { text: 'x', extra: 1 } })).toBe(false)
    expect(accepts('Run')({ ...run, extra: 1, state: 'paused' })).toBe(true)
  })

  it('has no fallback for unknown events', () => {
    const envelope = closed.compile({ $ref: schemaAt('components', 'schemas', 'EventEnvelope') })
    expect(envelope(gateway.components.schemas.UnknownEvent?.examples?.[0])).toBe(false)
    expect(envelope(gateway.components.schemas.RunFailedEvent?.examples?.[0])).toBe(true)
  })
})

describe.each(DOCUMENTS)('the schemas of %s', (_name, document) => {
  it.each(Object.entries(document.components.schemas))(
    '%s describes every member that it requires',
    (_schema, schema) => {
      const { required, described } = collectMembers(schema)
      expect(required.filter((name) => !described.has(name))).toEqual([])
    },
  )

  it('declare the type of unique items inline, because comparing them otherwise takes quadratic time', () => {
    const slow: unknown[] = []
    mapSchemas(document, (schema) => {
      if (schema.uniqueItems === true && schema.items?.type === undefined) slow.push(schema)
      return schema
    })
    expect(slow).toEqual([])
  })

  it.each(Object.entries(document.components.schemas))('%s is described in a sentence', (_schema, schema) => {
    expect(schema.description).toMatch(/\.$/)
  })
})

/** The members that a schema names at any depth, without references. */
function collectMembers(schema: Schema): { required: string[]; described: Set<string> } {
  const required: string[] = []
  const described = new Set<string>()
  const visit = (value: unknown, key: string): void => {
    if (key === 'examples' || typeof value !== 'object' || value === null) return
    if (key === 'required' && Array.isArray(value)) required.push(...value.map(String))
    if (key === 'properties') for (const name of Object.keys(value)) described.add(name)
    for (const [name, member] of Object.entries(value)) visit(member, name)
  }
  visit(schema, '')
  return { required, described }
}
