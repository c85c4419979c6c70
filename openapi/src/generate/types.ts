import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import type { Document, Schema } from '../document.ts'
import { mapSchemas } from '../map-schemas.ts'
import { banner } from './banner.ts'
import { nameTypes } from './name-types.ts'

/** TypeScript types of a bundled document: `paths`, `operations`, `webhooks`, and every schema and query as a named export. */
export async function generateTypes(document: Document, source: string): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(mapSchemas(document, dropConstraints)), {
    defaultNonNullable: false,
    silent: true,
    transform: transformSchema,
  })
  const types = astToString(nameTypes(nodes))
  return [banner(source), ...(types.includes(': UnknownEventType') ? [UNKNOWN_EVENT_TYPE] : []), types].join('\n')
}

/** A type of its own, which no literal equals: a `switch` over the known event types then leaves the unknown ones to its
 *  default, and narrows in every other case. A `string` would stay in all of them. */
const UNKNOWN_EVENT_TYPE = `/** Any event type that this version does not know, at run time a string like the others. */
declare enum UnknownEventType {
    unknown = "(unknown)"
}
`

/** Members of `anyOf` and `allOf` that only constrain (`required`, `if`) say nothing that a type could express. */
function dropConstraints(schema: Schema): Schema {
  const { anyOf, allOf, ...rest } = schema
  return {
    ...rest,
    ...(anyOf?.every(isConstraint) ? {} : { anyOf }),
    ...(allOf?.every(isConstraint) ? {} : { allOf }),
  }
}

const isConstraint = (member: Schema): boolean =>
  member.if !== undefined || (member.required !== undefined && member.type === undefined)

function transformSchema(schema: SchemaObject): ts.TypeNode | undefined {
  if (schema['x-open-enum']) return openEnum(knownValues(schema))
  if (schema['x-open'] && schema.type === 'string') return ts.factory.createTypeReferenceNode('UnknownEventType')
  if (schema.format === 'binary') return ts.factory.createTypeReferenceNode('Blob')
  return undefined
}

function knownValues(schema: SchemaObject): unknown[] {
  const known = schema.anyOf?.find((member) => 'enum' in member)
  return known && 'enum' in known ? (known.enum ?? []) : []
}

/** The known values as literals, and any other string: editors complete the former, callers must handle the latter. */
const openEnum = (values: unknown[]): ts.TypeNode =>
  ts.factory.createUnionTypeNode([
    ...values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(String(value)))),
    ts.factory.createIntersectionTypeNode([string(), ts.factory.createTypeLiteralNode([])]),
  ])

const string = (): ts.TypeNode => ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
