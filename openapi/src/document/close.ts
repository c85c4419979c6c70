import type { Document, Schema } from './document.ts'
import { mapSchemas } from './map-schemas.ts'

/**
 * The strict form of the document that the gateway itself must satisfy: open enumerations have only their known values,
 * there are no fallbacks for unknown events, and objects have no undeclared members. Values that clients must tolerate
 * from later versions (D-15, D-26) are faults of this version.
 */
export function closeDocument(document: Document): Document {
  const { schemas } = document.components
  const isFallback = ({ $ref }: Schema): boolean =>
    schemas[$ref?.slice('#/components/schemas/'.length) ?? '']?.['x-open'] === true
  const known = Object.entries(schemas).filter(([, schema]) => !schema['x-open'])
  return mapSchemas(
    { ...document, components: { ...document.components, schemas: Object.fromEntries(known) } },
    (schema) => closeSchema(schema, isFallback),
  )
}

function closeSchema(schema: Schema, isFallback: (member: Schema) => boolean): Schema {
  if (schema['x-open-enum']) {
    const { 'x-open-enum': _, anyOf, ...rest } = schema
    return { type: 'string', ...rest, enum: anyOf?.find((member) => member.enum)?.enum ?? [] }
  }
  if (schema.anyOf?.some(isFallback)) return { ...schema, anyOf: schema.anyOf.filter((member) => !isFallback(member)) }
  const isOpenObject = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
  return isOpenObject ? { ...schema, unevaluatedProperties: false } : schema
}
