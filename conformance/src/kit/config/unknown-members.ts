import { throwIfAny } from './usage-error.ts'

const KINDS = {
  string: { says: 'a string', holds: (value: unknown) => typeof value === 'string' },
  number: { says: 'a number', holds: (value: unknown) => typeof value === 'number' },
  boolean: { says: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  strings: { says: 'a list of strings', holds: (value: unknown) => Array.isArray(value) && value.every(isString) },
  'strings by name': {
    says: 'an object of strings',
    holds: (value: unknown) => isObject(value) && Object.values(value).every(isString),
  },
  function: { says: 'a function', holds: (value: unknown) => typeof value === 'function' },
  /** Validated elsewhere. */
  any: { says: 'anything', holds: () => true },
} as const

/** The kind of a member's value. With `?` the member is optional. */
export type MemberKind = keyof typeof KINDS | `${keyof typeof KINDS}?`

/**
 * The members that an object of a configuration may have. A nested object lists the members of that member, which is
 * optional.
 */
export interface KnownMembers {
  readonly [member: string]: MemberKind | KnownMembers
}

/**
 * Yields a sentence for each unknown member, missing member and member of another kind. For an unknown member it names
 * the nearest known name, or all known names if none is near.
 */
export function* findFaultyMembers(value: unknown, known: KnownMembers, path = ''): Generator<string> {
  if (!isObject(value)) {
    if (value !== undefined) yield `${path.replace(/\.$/, '') || 'it'}: must be an object, not ${kindOf(value)}`
    return
  }
  const members: Readonly<Record<string, unknown>> = Object(value)
  for (const name of Object.keys(value))
    if (!Object.hasOwn(known, name)) yield `${path}${name}: unknown member${didYouMean(name, Object.keys(known))}`
  for (const [name, kind] of Object.entries(known))
    if (typeof kind === 'object') yield* findFaultyMembers(members[name], kind, `${path}${name}.`)
    else yield* findFaultOfMember(`${path}${name}`, members[name], kind)
}

function* findFaultOfMember(name: string, value: unknown, kind: MemberKind): Generator<string> {
  const { says, holds } = KINDS[kind.replace('?', '') as keyof typeof KINDS]
  if (value === undefined) {
    if (!kind.endsWith('?') && kind !== 'any') yield `${name}: is missing; it must be ${says}`
  } else if (!holds(value))
    yield `${name}: must be ${says}, not ${kindOf(value)}${says === 'a function' ? '; only a module can contain one' : ''}`
}

/** @throws {UsageError} The configuration has such faults. */
export const requireKnownMembers = (name: string, config: unknown, known: KnownMembers): void =>
  throwIfAny(name, [...findFaultyMembers(config, known)])

const isString = (value: unknown): boolean => typeof value === 'string'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Describes the kind of a value. The value itself may be a secret. */
const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`

const didYouMean = (name: string, names: readonly string[]): string => {
  const [nearest] = names
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(2, each.length / 3))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest === undefined ? `; known members are ${names.join(', ')}` : `; did you mean ${nearest.each}?`
}

/** The Levenshtein distance: the number of characters to change, add or remove. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
