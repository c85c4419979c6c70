import type { Fault } from '../../../openapi/src/behaviour/refusal.ts'
import { messageOf, needsOneOf } from '../../../openapi/src/behaviour/requests/fault-messages.ts'
import { fitsInBytes, isWellFormed, isWithinDepth } from '../../../openapi/src/document/json-values.ts'
import type { BodySchema } from '../generated/contract.ts'
import { isObject } from '../is-object.ts'

/** A fault of a value. If all faults are unknown members, the body is refused with UNKNOWN_FIELD. */
export interface SchemaFault extends Fault {
  readonly isUnknownMember?: true
}

/**
 * The faults of a value against a schema of the contract; empty if it is valid. `pointer` is the location of the value.
 */
export const faultsOf = (schema: BodySchema, value: unknown, pointer = ''): readonly SchemaFault[] => {
  const inside = isObject(value) ? memberFaults(schema, value, pointer) : itemFaults(schema, value, pointer)
  const own = brokenKeywords(schema, value)
    // Omit `maxProperties` if unknown members are reported one by one.
    .filter((keyword) => keyword !== 'maxProperties' || !inside.some(({ isUnknownMember }) => isUnknownMember))
    .map((keyword) => fault(pointer, keyword, schema[keyword]))
  return [...own, ...inside, ...alternativeFaults(schema, value, pointer)]
}

const fault = (pointer: string, keyword: string, schema?: unknown): SchemaFault => ({
  pointer,
  message: messageOf({ keyword, schema, params: {} }),
})

const brokenKeywords = (schema: BodySchema, value: unknown): (keyof BodySchema)[] => {
  const { type, enum: values } = schema
  if (type !== undefined && !isOfType(value, type)) return ['type']
  const satisfied: { readonly [Keyword in keyof BodySchema]?: boolean } = {
    enum: values === undefined || values.some((one) => one === value),
    'x-well-formed': schema['x-well-formed'] !== true || isWellFormed(value),
    'x-max-depth': isWithinDepth(value, schema['x-max-depth'] ?? Infinity),
    ...boundsSatisfied(schema, value),
  }
  return Object.entries(satisfied).flatMap(([keyword, isSatisfied]) =>
    isSatisfied ? [] : [keyword as keyof BodySchema],
  )
}

const isOfType = (value: unknown, type: NonNullable<BodySchema['type']>): boolean => {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Whether a value is within the schema's bounds for its type. The length of a string is its number of code points. */
const boundsSatisfied = (schema: BodySchema, value: unknown): { readonly [Keyword in keyof BodySchema]?: boolean } => {
  const within = (size: number, least = 0, most = Infinity): readonly [boolean, boolean] => [
    size >= least,
    size <= most,
  ]
  if (typeof value === 'string') {
    const [minLength, maxLength] = within([...value].length, schema.minLength, schema.maxLength)
    return {
      minLength,
      maxLength,
      pattern: schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value),
      format: schema.format === undefined || isDateTime(value),
      'x-max-bytes': fitsInBytes(value, schema['x-max-bytes'] ?? Infinity),
    }
  }
  if (typeof value === 'number') {
    const [minimum, maximum] = within(value, schema.minimum ?? -Infinity, schema.maximum)
    return { minimum, maximum }
  }
  if (Array.isArray(value)) {
    const [minItems, maxItems] = within(value.length, schema.minItems, schema.maxItems)
    return { minItems, maxItems }
  }
  if (!isObject(value)) return {}
  const [minProperties, maxProperties] = within(Object.keys(value).length, schema.minProperties, schema.maxProperties)
  return { minProperties, maxProperties }
}

const memberFaults = (schema: BodySchema, value: Record<string, unknown>, pointer: string): SchemaFault[] => {
  const { properties = {}, required = [], dependentRequired = {}, additionalProperties } = schema
  const has = (name: string): boolean => Object.hasOwn(value, name)
  const at = (name: string): string => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const unknown =
    additionalProperties === false ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : []
  return [
    ...unknown.map((name) => ({ ...fault(at(name), 'additionalProperties'), isUnknownMember: true as const })),
    ...required.filter((name) => !has(name)).map((name) => fault(at(name), 'required')),
    ...Object.entries(dependentRequired).flatMap(([name, needed]) =>
      needed
        .filter((missing) => has(name) && !has(missing))
        .map((missingProperty) => ({
          pointer: at(name),
          message: messageOf({ keyword: 'dependentRequired', params: { missingProperty } }),
        })),
    ),
    ...Object.entries(properties).flatMap(([name, member]) =>
      has(name) ? faultsOf(member, value[name], at(name)) : [],
    ),
  ]
}

const itemFaults = ({ items = {}, uniqueItems }: BodySchema, value: unknown, pointer: string): SchemaFault[] => {
  if (!Array.isArray(value)) return []
  const repeated = uniqueItems === true ? value.findIndex((item, index) => value.indexOf(item) < index) : -1
  return [
    ...value.flatMap((item, index) => faultsOf(items, item, `${pointer}/${index}`)),
    ...(repeated === -1 ? [] : [fault(`${pointer}/${repeated}`, 'uniqueItems')]),
  ]
}

const alternativeFaults = ({ anyOf }: BodySchema, value: unknown, pointer: string): SchemaFault[] =>
  anyOf === undefined || anyOf.some((alternative) => faultsOf(alternative, value).length === 0)
    ? []
    : [{ pointer, message: needsOneOf(anyOf.flatMap(({ required }) => required)) }]

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

const isDateTime = (text: string): boolean =>
  RFC_3339.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10))

/** `Date` turns the 30th of February into a day in March. */
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day)
