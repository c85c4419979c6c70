import type { Document } from '../document/document.ts'

/** One schema of a document as a self-contained JSON Schema, with the other schemas under `$defs`. */
export function generateJsonSchema(document: Document, name: string): unknown {
  const { [name]: root, ...others } = document.components.schemas
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...root, $defs: others }
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/'))
}
