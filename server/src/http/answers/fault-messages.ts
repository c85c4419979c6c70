import type { ErrorObject } from 'ajv/dist/2020.js'

/** A validator's error in words that a person understands. They never repeat the value. */
export const messageOf = (error: ErrorObject): string => {
  const { keyword, params } = error
  switch (keyword) {
    case 'type':
      return `must be ${typeOf(error)}`
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known member'
    case 'dependentRequired':
      return `needs ${params.missingProperty}`
    case 'uniqueItems':
      return 'repeats an earlier item'
    case 'enum':
      return `must be one of ${params.allowedValues.map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minLength':
      return `must have at least ${count(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${count(params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${count(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${count(params.limit, 'item')}`
    case 'minProperties':
      return `must have at least ${count(params.limit, 'member')}`
    case 'maxProperties':
      return `must have at most ${count(params.limit, 'member')}`
    case 'x-max-depth':
      return `must be nested at most ${count(params.limit, 'level')} deep`
    case 'x-max-bytes':
      return `must have at most ${count(Number(error.schema), 'byte')} of UTF-8`
    case 'format':
      return FORMAT_MESSAGES[params.format] ?? `must be of the format ${params.format}`
    case 'pattern':
      return `must match ${params.pattern}`
    default:
      return error.message ?? `breaks ${keyword}`
  }
}

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  'date-time': 'must be an RFC 3339 timestamp with a timezone',
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** What a type error asks for, in words; null for other errors. */
export const typeOf = ({ keyword, params }: ErrorObject): string | null => {
  if (keyword !== 'type') return null
  return orList(
    String(params.type)
      .split(',')
      .map((type) => TYPE_NAMES[type] ?? type),
  )
}

export const orList = (items: readonly string[]): string => [...new Set(items)].join(' or ')

const count = (limit: number, unit: string): string => `${limit} ${unit}${limit === 1 ? '' : 's'}`
