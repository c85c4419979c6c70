import type { Path } from '../../domain/json/read-value.ts'
import type { OpenApiDocument } from '../site/document.ts'
import { locate } from '../site/document.ts'

/** The keywords of a schema that this search uses. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly 'x-verbatim'?: boolean
}

/** The paths of objects in this media type that must be kept as the sent text (`x-verbatim`). */
export const findVerbatim = (document: OpenApiDocument, media: { readonly schema?: Schema }): readonly Path[] =>
  media.schema === undefined ? [] : findIn(document, media.schema, [])

const findIn = (document: OpenApiDocument, given: Schema, path: Path): readonly Path[] => {
  const schema = locate<Schema>(document.components.schemas, given, '').part
  if (schema['x-verbatim'] === true) return [path]
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => findIn(document, member, [...path, name]))
}
