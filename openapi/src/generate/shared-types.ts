import { astToString } from 'openapi-typescript'
import ts from 'typescript'

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

export const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

/** Names of the declarations of `ours` that are identical in `theirs`, including everything that they refer to. */
export function findShared(theirs: readonly ts.Node[], ours: readonly ts.Node[]): Set<string> {
  const texts = new Map(theirs.filter(isDeclaration).map((node) => [node.name.text, astToString([node])]))
  const declarations = ours.filter(isDeclaration)
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

/** Names of the types that a node refers to. */
export function namesIn(node: ts.Node): string[] {
  const names: string[] = []
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) && ts.isIdentifier(each.typeName)) names.push(each.typeName.text)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return names
}
