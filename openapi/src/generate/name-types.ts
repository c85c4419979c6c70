import ts from 'typescript'

const { factory } = ts

/**
 * Declares every schema, and the query of every operation, as a named type, so that editors and compilers show its
 * name. They would show `components["schemas"]["Run"]` as a list of its members.
 */
export function nameTypes(nodes: readonly ts.Node[]): ts.Node[] {
  const named = nodes.map((node) => (isInterface(node, 'operations') ? nameQueries(node) : { node, declarations: [] }))
  return named.flatMap(({ node, declarations }) => {
    if (isInterface(node, 'components')) {
      const schemas = nameSchemas(node)
      return [useNames(schemas.node), ...schemas.declarations.map(useNames)]
    }
    return [useNames(node), ...declarations.map(useNames)]
  })
}

interface Named {
  readonly node: ts.Node
  readonly declarations: readonly ts.Node[]
}

/** Moves the type of each schema into a declaration. */
function nameSchemas(components: ts.InterfaceDeclaration): Named {
  const declarations: ts.Node[] = []
  const members = components.members.map((member) =>
    nameOf(member) === 'schemas'
      ? withType(
          member,
          factory.createTypeLiteralNode(
            membersOf(member).map((schema) => {
              declarations.push(declare(nameOf(schema), schema))
              return withType(schema, factory.createTypeReferenceNode(nameOf(schema)), false)
            }),
          ),
        )
      : member,
  )
  return { node: withMembers(components, members), declarations }
}

/** Moves the type of each operation's query into a declaration: `listRuns` has a `ListRunsQuery`. */
function nameQueries(operations: ts.InterfaceDeclaration): Named {
  const declarations: ts.Node[] = []
  const inMember = (
    member: ts.TypeElement,
    name: string,
    map: (member: ts.TypeElement) => ts.TypeElement,
  ): ts.TypeElement =>
    withType(
      member,
      factory.createTypeLiteralNode(membersOf(member).map((each) => (nameOf(each) === name ? map(each) : each))),
    )
  const members = operations.members.map((operation) =>
    inMember(operation, 'parameters', (parameters) =>
      inMember(parameters, 'query', (query) => {
        if (membersOf(query).length === 0) return query
        const name = queryTypeName(nameOf(operation))
        declarations.push(declare(name, query))
        return withType(query, factory.createTypeReferenceNode(name))
      }),
    ),
  )
  return { node: withMembers(operations, members), declarations }
}

/** The name of the type of an operation's query. */
export const queryTypeName = (operationId: string): string =>
  `${operationId.replace(/^./, (letter) => letter.toUpperCase())}Query`

/** An interface if the type has members, otherwise an alias; with the comments of the original member. */
function declare(name: string, member: ts.TypeElement): ts.Node {
  const type = typeOf(member)
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const declaration = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type)
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member))
}

/** Replaces each `components["schemas"]["Run"]` by `Run`. */
const useNames = (node: ts.Node): ts.Node => {
  const visit = (each: ts.Node): ts.Node => {
    const name = schemaNameOf(each)
    return name === null ? ts.visitEachChild(each, visit, undefined) : factory.createTypeReferenceNode(name)
  }
  return visit(node)
}

function schemaNameOf(node: ts.Node): string | null {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return null
  const { objectType, indexType } = node.objectType
  const isSchemas =
    ts.isTypeReferenceNode(objectType) &&
    ts.isIdentifier(objectType.typeName) &&
    objectType.typeName.text === 'components' &&
    textOf(indexType) === 'schemas'
  return isSchemas ? textOf(node.indexType) : null
}

export const isInterface = (node: ts.Node, name: string): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text === name

const textOf = (type: ts.TypeNode): string | null =>
  ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : null

function nameOf(member: ts.TypeElement): string {
  const { name } = member
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : ''
}

function typeOf(member: ts.TypeElement): ts.TypeNode {
  if (ts.isPropertySignature(member) && member.type) return member.type
  throw new Error(`${nameOf(member)} has no type`)
}

const membersOf = (member: ts.TypeElement): readonly ts.TypeElement[] => {
  const type = typeOf(member)
  return ts.isTypeLiteralNode(type) ? type.members : []
}

function withType(member: ts.TypeElement, type: ts.TypeNode, keepsComments = true): ts.TypeElement {
  if (!ts.isPropertySignature(member)) return member
  const changed = factory.createPropertySignature(member.modifiers, member.name, member.questionToken, type)
  return keepsComments ? ts.setSyntheticLeadingComments(changed, ts.getSyntheticLeadingComments(member)) : changed
}

const withMembers = (node: ts.InterfaceDeclaration, members: readonly ts.TypeElement[]): ts.InterfaceDeclaration =>
  factory.updateInterfaceDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  )
