import type { Document, Schema } from '../document/document.ts'
import { banner, toSource } from './source-text.ts'

/** The open enumerations: the values that this version knows, and a guard for each. */
export function generateSdkEnums(document: Document): string {
  const open = Object.entries(document.components.schemas).filter(([, schema]) => schema['x-open-enum'])
  return `${banner('the open enumerations of openapi/gateway.yaml')}
const has = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value)
${open.map(([name, schema]) => enumSource(name, schema)).join('')}`
}

function enumSource(name: string, schema: Schema): string {
  const values = schema.anyOf?.find((member) => member.enum)?.enum ?? []
  const constant = plural(name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())
  return `
/** Every {@link ${name}} that this version knows (D-15). */
export const ${constant} = ${toSource(values)} as const

/** A {@link ${name}} that this version knows. */
export type Known${name} = (typeof ${constant})[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnown${name} = (value: string): value is Known${name} => has(${constant}, value)
`
}

const plural = (word: string): string => (word.endsWith('S') ? `${word}ES` : `${word}S`)
