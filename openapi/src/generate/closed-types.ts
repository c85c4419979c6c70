import { closeDocument } from '../document/close.ts'
import type { Document } from '../document/document.ts'
import { findShared, isDeclaration } from './shared-types.ts'
import { banner } from './source-text.ts'
import { createTypes, type Types } from './types.ts'

/**
 * The types of answers and events of this version, derived from the open types by removing values of later versions.
 */
export async function generateClosedTypes(open: Types, document: Document, source: string): Promise<string> {
  const { nodes } = await createTypes(closeDocument(document), open.module)
  const same = findShared(open.nodes, nodes)
  const closed = nodes.filter(isDeclaration).filter(({ name }) => !same.has(name.text))
  const fallbacks = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    schema['x-open'] && schema.type === 'object' ? [`open.${name}`] : [],
  )
  const declare = (name: string): string =>
    `export type ${name} = Closed<${[`open.${name}`, ...fallbacks].join(', ')}>\n`
  return `${banner(source)}
import type { Closed } from '../src/document/closed.ts'
import type * as open from '${open.module}'

export type * from '${open.module}'
${closed.map(({ name }) => declare(name.text)).join('')}`
}
