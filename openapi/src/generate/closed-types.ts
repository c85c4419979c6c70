import { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { closeDocument } from '../document/close.ts'
import type { Document } from '../document/document.ts'
import { isInterface } from './name-types.ts'
import { createTypes, printTypes } from './types.ts'

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

/**
 * Types of what this version of a gateway sends: without the values that a later one may add. What is the same in both is taken
 * from `openModule`. The `paths`, which nobody who serves the operations needs, are left out.
 */
export async function generateClosedTypes(document: Document, source: string, openModule: string): Promise<string> {
  const open = await createTypes(document)
  const closed = (await createTypes(closeDocument(document))).filter((node) => !isInterface(node, 'paths'))
  const shared = findShared(open, closed)
  const own = closed.filter((node) => !isDeclaration(node) || !shared.has(node.name.text))
  const used = new Set(own.flatMap(namesIn))
  const list = (names: readonly string[]): string => names.toSorted().join(', ')
  return printTypes(own, source, [
    `import type { ${list([...shared].filter((name) => used.has(name)))} } from '${openModule}'`,
    `export type { ${list([...shared])} } from '${openModule}'\n`,
  ])
}

/** Names of the declarations that say the same in both, as does all that they refer to. */
function findShared(open: readonly ts.Node[], closed: readonly ts.Node[]): Set<string> {
  const texts = new Map(open.filter(isDeclaration).map((node) => [node.name.text, astToString([node])]))
  const declarations = closed.filter(isDeclaration).filter(({ name }) => !ROOTS.has(name.text))
  const shared = new Set(
    declarations.filter((node) => texts.get(node.name.text) === astToString([node])).map(({ name }) => name.text),
  )
  const all = new Set(declarations.map(({ name }) => name.text))
  const dependsOnOwn = (node: ts.Node): boolean => namesIn(node).some((name) => all.has(name) && !shared.has(name))
  for (let before = -1; before !== shared.size; ) {
    before = shared.size
    for (const node of declarations) if (dependsOnOwn(node)) shared.delete(node.name.text)
  }
  return shared
}

/** What openapi-typescript declares besides the schemas. */
const ROOTS = new Set(['operations', 'components', 'webhooks', '$defs'])

const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

/** Names of the types that a node refers to. */
function namesIn(node: ts.Node): string[] {
  const names: string[] = []
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) && ts.isIdentifier(each.typeName)) names.push(each.typeName.text)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return names
}
