import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import type { Document, Schema } from '../document/document.ts'
import { mapSchemas } from '../document/map-schemas.ts'
import { nameTypes } from './name-types.ts'
import { reduceOperations } from './reduce-operations.ts'
import { findShared, isDeclaration, namesIn } from './shared-types.ts'
import { banner } from './source-text.ts'

/** The types of a document: `operations`, and every schema and query as a named export. */
export interface Types {
  /** The specifier by which modules of the same folder import them. */
  readonly module: string
  readonly nodes: readonly ts.Node[]
}

export async function createTypes(document: Document, module: string): Promise<Types> {
  const nodes = await openapiTS(JSON.stringify(mapSchemas(reduceOperations(document), dropConstraints)), {
    defaultNonNullable: false,
    silent: true,
    transform: transformSchema,
  })
  return { module, nodes: nameTypes(nodes).filter((node) => !isDeclaration(node) || !UNUSED.has(node.name.text)) }
}

/** What openapi-typescript declares besides schemas and operations. */
const UNUSED = new Set(['paths', 'webhooks', 'components', '$defs'])

/** The source of a module. Types with an identical declaration in one of `others` are re-exported from there. */
export function printTypes(types: Types, source: string, others: readonly Types[] = []): string {
  let own = types.nodes
  const shared = others.map((other) => {
    const names = findShared(other.nodes, own)
    own = own.filter((node) => !isDeclaration(node) || !names.has(node.name.text))
    return { module: other.module, names }
  })
  const used = new Set(own.flatMap(namesIn))
  const text = astToString([...own])
  return [
    banner(source),
    ...shared.flatMap(({ module, names }) => nameImports(module, names, used)),
    ...(text.includes(': UnknownEventType') ? [UNKNOWN_EVENT_TYPE] : []),
    text,
  ].join('\n')
}

/** Statements that re-export types of another module, and import those that this module uses. */
function nameImports(module: string, shared: ReadonlySet<string>, used: ReadonlySet<string>): string[] {
  const names = [...shared].toSorted()
  const imported = names.filter((name) => used.has(name))
  return [
    ...(imported.length > 0 ? [`import type { ${imported.join(', ')} } from '${module}'`] : []),
    ...(names.length > 0 ? [`export type { ${names.join(', ')} } from '${module}'\n`] : []),
  ]
}

/**
 * A distinct type that no string literal is assignable to: in a `switch` over event types, only the `default` case has
 * unknown types, and the others narrow. With `string`, no case would narrow.
 */
const UNKNOWN_EVENT_TYPE = `/** Any event type that this version does not know, at run time a string like the others. */
declare enum UnknownEventType {
    unknown = "(unknown)"
}
`

/** Drops members of `anyOf` and `allOf` that only constrain (`required`, `if`), because types cannot express them. */
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
