/** A violated keyword of a schema, as validators report it. */
export interface BrokenKeyword {
  readonly keyword: string
  /** The value of the keyword in the schema. */
  readonly schema?: unknown
  /** For `dependentRequired`: the member that is missing. */
  readonly params: { readonly missingProperty?: string }
  /** The message of the validator. */
  readonly message?: string
}

/** The requirement of a keyword, as text for people. It never repeats the value. */
export const messageOf = (broken: BrokenKeyword): string => {
  const { keyword, schema: asked, params } = broken
  switch (keyword) {
    case 'type':
      return `must be ${typeOf(broken)}`
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
      return `must be one of ${[asked].flat().join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(asked)}`
    case 'minimum':
      return `must be at least ${asked}`
    case 'maximum':
      return `must be at most ${asked}`
    case 'minLength':
      return `must have at least ${count(asked, 'character')}`
    case 'maxLength':
      return `must have at most ${count(asked, 'character')}`
    case 'minItems':
      return `must have at least ${count(asked, 'item')}`
    case 'maxItems':
      return `must have at most ${count(asked, 'item')}`
    case 'minProperties':
      return `must have at least ${count(asked, 'member')}`
    case 'maxProperties':
      return `must have at most ${count(asked, 'member')}`
    case 'x-well-formed':
      return 'must not hold a lone surrogate or NUL in any string or member name'
    case 'x-max-depth':
      return `must be nested at most ${count(asked, 'level')} deep`
    case 'x-max-bytes':
      return `must have at most ${count(asked, 'byte')} of UTF-8`
    case 'format':
      return FORMAT_MESSAGES[String(asked)] ?? `must be of the format ${asked}`
    case 'pattern':
      return `must match ${asked}`
    default:
      return broken.message ?? `breaks ${keyword}`
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

/** The requirement of a type error, as text; null for other errors. */
export const typeOf = ({ keyword, schema }: BrokenKeyword): string | null =>
  keyword === 'type' ? orList([schema].flat().map((type) => TYPE_NAMES[String(type)] ?? String(type))) : null

/** The requirement of alternatives that each require a member. */
export const needsOneOf = (members: readonly string[]): string =>
  `needs at least one non-empty member of ${members.join(', ')}`

export const orList = (items: readonly string[]): string => [...new Set(items)].join(' or ')

const count = (limit: unknown, unit: string): string => `${limit} ${unit}${limit === 1 ? '' : 's'}`
