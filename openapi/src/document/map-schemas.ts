import type { Document, Schema } from './document.ts'

/** Members whose values are data, not schemas. */
const DATA = new Set(['examples', 'example', 'enum', 'const', 'default'])

/** A copy of the document in which every object that could be a schema has been replaced by what `change` makes of it,
 *  the innermost first. `change` must leave alone what it does not recognise. */
export const mapSchemas = (document: Document, change: (schema: Schema) => Schema): Document => visit(document, change)

// The structure is kept, so the type is: JSON in, JSON of the same shape out.
function visit<T>(value: T, change: (schema: Schema) => Schema): T
function visit(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, DATA.has(key) ? member : visit(member, change)])
  return change(Object.fromEntries(members))
}
