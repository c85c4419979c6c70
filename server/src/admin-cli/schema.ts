import { resolveIn } from '@conversation-gateway/openapi/document'

/** The parts of a JSON Schema that say how a value is written on a command line. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly examples?: readonly unknown[]
}

export type Schemas = Readonly<Record<string, Schema>>

/** How a value is written: a boolean as a switch, a list as items separated by commas, a composed value as JSON. */
export interface ValueType {
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'
  /** The allowed texts, or those of a list's items; null for any text. */
  readonly values: readonly string[] | null
  readonly nullable: boolean
}

/** The schema with its reference resolved; members beside the reference override it. */
export const resolveSchema = (schema: Schema, schemas: Schemas): Schema => {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  return { ...resolveSchema(resolveIn<Schema>(schemas, { $ref }), schemas), ...beside }
}

/** The alternatives of which a value has to satisfy one, if all are objects; otherwise only the schema itself. */
export const alternativesOf = (schema: Schema, schemas: Schemas): readonly Schema[] => {
  const resolved = resolveSchema(schema, schemas)
  const choice = resolved.anyOf?.map((member) => resolveSchema(member, schemas))
  return choice?.every(({ properties }) => properties !== undefined) ? choice : [resolved]
}

export const valueTypeOf = (schema: Schema, schemas: Schemas): ValueType => {
  const resolved = resolveSchema(schema, schemas)
  const members = (resolved.anyOf ?? []).map((member) => resolveSchema(member, schemas))
  const [only, ...others] = members.filter(({ type }) => type !== 'null')
  if (only !== undefined) {
    if (others.length > 0) return { kind: 'json', values: null, nullable: false }
    return { ...valueTypeOf(only, schemas), nullable: members.length > 1 }
  }
  const types = [resolved.type ?? (resolved.enum === undefined ? 'object' : 'string')].flat()
  const nullable = types.includes('null')
  const type = types.find((name) => name !== 'null')
  if (type === 'array') {
    const item = valueTypeOf(resolved.items ?? { type: 'object' }, schemas)
    return item.kind === 'text'
      ? { kind: 'list', values: item.values, nullable }
      : { kind: 'json', values: null, nullable }
  }
  if (type === 'integer' || type === 'number' || type === 'boolean') return { kind: type, values: null, nullable }
  if (type !== 'string') return { kind: 'json', values: null, nullable }
  return { kind: 'text', values: resolved.enum?.map(String) ?? null, nullable }
}
