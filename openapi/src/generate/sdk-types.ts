import type { Document, Schema } from '../document/document.ts'
import { queryTypeName } from './name-types.ts'
import { listMethods } from './sdk-methods.ts'
import { banner } from './source-text.ts'

/** The types that the client exports: all except plain strings and numbers, and the queries of its methods. */
export function generateSdkTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas)
  const names = [
    ...schemas.filter(([, schema]) => !isScalar(schema)).map(([name]) => name),
    ...listMethods(document)
      .filter(({ query }) => query !== 'none')
      .map(({ operationId }) => queryTypeName(operationId)),
  ]
  return `${banner('openapi/gateway.yaml')}
export type {
${names
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './gateway.ts'
`
}

const isScalar = ({ type, enum: values, ...schema }: Schema): boolean =>
  (type === 'string' || type === 'integer') && values === undefined && schema['x-open-enum'] === undefined
