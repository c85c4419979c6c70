import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import type { Document, Schema } from '../document/document.ts'
import { mapSchemas } from '../document/map-schemas.ts'
import { isInterface, nameTypes } from './name-types.ts'
import { banner } from './source-text.ts'

/** TypeScript types of a bundled document: `paths`, `operations`, `webhooks`, and every schema and query as a named export. */
export const generateTypes = async (document: Document, source: string): Promise<string> =>
  printTypes(await createTypes(document), source)

export async function createTypes(document: Document): Promise<ts.Node[]> {
  const nodes = await openapiTS(JSON.stringify(mapSchemas(document, dropConstraints)), {
    defaultNonNullable: false,
    silent: true,
    transform: transformSchema,
  })
  return nameTypes(nodes.map((node) => (isInterface(node, 'paths') ? dropAbsent(node) : node)))
}

export function printTypes(nodes: ts.Node[], source: string, imports: readonly string[] = []): string {
  const types = astToString(nodes)
  const unknown = types.includes(': UnknownEventType') ? [UNKNOWN_EVENT_TYPE] : []
  return [banner(source), ...imports, ...unknown, types].join('\n')
}

/** The paths without the methods and parameters that they do not have, which are most of the lines and say nothing. */
function dropAbsent(node: ts.InterfaceDeclaration): ts.Node {
  const isAbsent = (each: ts.Node): boolean =>
    ts.isPropertySignature(each) && each.questionToken !== undefined && each.type?.kind === ts.SyntaxKind.NeverKeyword
  const isEmpty = (each: ts.Node): boolean =>
    ts.isPropertySignature(each) &&
    each.type !== undefined &&
    ts.isTypeLiteralNode(each.type) &&
    each.type.members.length === 0
  const visit = (each: ts.Node): ts.Node | undefined => {
    if (isAbsent(each)) return undefined
    const kept = ts.visitEachChild(each, visit, undefined)
    return isEmpty(kept) ? undefined : kept
  }
  return ts.visitEachChild(node, visit, undefined)
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
