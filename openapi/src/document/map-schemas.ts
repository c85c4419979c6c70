import type { Document, Schema } from './document.ts'

/** Members whose values are data, not schemas. */
const DATA = new Set(['examples', 'example', 'enum', 'const', 'default'])

/**
 * A copy of the document in which `change` has replaced every object that could be a schema, innermost first. `change`
 * must return objects that it does not recognise unchanged.
 */
export const mapSchemas = (document: Document, change: (schema: Schema) => Schema): Document => visit(document, change)

// The result has the structure of the input, and therefore its type.
function visit<T>(value: T, change: (schema: Schema) => Schema): T
function visit(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, DATA.has(key) ? member : visit(member, change)])
  return change(Object.fromEntries(members))
}
