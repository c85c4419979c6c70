import {
  breaking,
  type Change,
  compatible,
  type Direction,
  isNode,
  isSame,
  membersOf,
  type Node,
  narrower,
  toList,
  toNode,
  wider,
} from './change.ts'

/** The two documents that references are resolved in, and the comparisons in progress. */
export interface Compared {
  readonly before: Node
  readonly after: Node
  readonly direction: Direction
  readonly seen: Set<string>
  /** Whether the contract allows later versions to add alternatives. */
  readonly isOpen?: boolean
}

/** Keywords that are only for readers. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'summary',
  'example',
  'examples',
  'deprecated',
  'discriminator',
  'x-open',
])
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-bytes', 'x-max-depth']
/** Keywords that have their own comparison. */
const STRUCTURE = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'x-open-enum',
  'x-item-schema',
]
const HANDLED: ReadonlySet<string> = new Set([...ANNOTATIONS, ...LOWER, ...UPPER, ...STRUCTURE])

/** The differences of two schemas for values in one direction. */
export function* compareSchemas(before: unknown, after: unknown, at: string, compared: Compared): Generator<Change> {
  const names = `${refOf(before)}|${refOf(after)}|${compared.direction}|${compared.isOpen === true}`
  if (names.includes('#')) {
    if (compared.seen.has(names)) return
    compared.seen.add(names)
  }
  const [a, b] = [follow(before, compared.before), follow(after, compared.after)]
  if (isSame(a, b) && !JSON.stringify(a).includes('$ref') && a['x-item-schema'] === undefined) return
  yield* compareTypes(a, b, at, compared.direction)
  yield* compareBounds(a, b, at, compared.direction)
  yield* compareOthers(a, b, at, compared.direction)
  yield* compareObjects(a, b, at, compared)
  if (a.items !== undefined || b.items !== undefined)
    yield* compareSchemas(a.items ?? {}, b.items ?? {}, `${at}[]`, { ...compared, isOpen: false })
  yield* compareFrames(a, b, at, compared)
  if (a['x-open-enum'] === true && b['x-open-enum'] === true) yield* compareOpenEnums(a, b, at, compared.direction)
  else for (const keyword of ['anyOf', 'oneOf', 'allOf']) yield* compareBranches(keyword, a, b, at, compared)
}

/** The schema at the end of a chain of references. */
export function follow(schema: unknown, document: Node): Node {
  let node = toNode(schema)
  while (typeof node.$ref === 'string')
    node = toNode(
      node.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, part) => toNode(at)[part.replaceAll('~1', '/').replaceAll('~0', '~')], document),
    )
  return node
}

const refOf = (schema: unknown): string => String(toNode(schema).$ref ?? '')

function* compareTypes(a: Node, b: Node, at: string, direction: Direction): Generator<Change> {
  yield* compareValues([a.type ?? []].flat(), [b.type ?? []].flat(), at, direction, 'type')
  yield* compareValues(valuesOf(a), valuesOf(b), at, direction, 'value')
}

const valuesOf = (schema: Node): readonly unknown[] =>
  schema.const === undefined ? toList(schema.enum) : [schema.const]

/** Compares two sets of values. An empty set allows everything. */
function* compareValues(
  a: readonly unknown[],
  b: readonly unknown[],
  at: string,
  direction: Direction,
  what: string,
): Generator<Change> {
  if (a.length === 0 && b.length === 0) return
  if (a.length === 0) return yield narrower(direction, at, `only some ${what}s are allowed now`)
  if (b.length === 0) return yield wider(direction, at, `any ${what} is allowed now`)
  for (const value of a)
    if (!b.some((other) => isSame(value, other))) yield narrower(direction, at, `the ${what} ${value} is gone`)
  for (const value of b)
    if (!a.some((other) => isSame(value, other))) yield wider(direction, at, `the ${what} ${value} is new`)
}

/** Clients accept unknown values of open enumerations. */
function* compareOpenEnums(a: Node, b: Node, at: string, direction: Direction): Generator<Change> {
  const [before, after] = [a, b].map((schema) => toList(schema.anyOf).flatMap((branch) => valuesOf(toNode(branch))))
  for (const value of before ?? [])
    if (!after?.includes(value)) yield narrower(direction, at, `the known value ${value} is gone`)
  for (const value of after ?? []) if (!before?.includes(value)) yield compatible(at, `the known value ${value} is new`)
}

function* compareBounds(a: Node, b: Node, at: string, direction: Direction): Generator<Change> {
  const limits = [
    ...LOWER.map((name) => ({ name, sign: 1, none: Number.NEGATIVE_INFINITY })),
    ...UPPER.map((name) => ({ name, sign: -1, none: Number.POSITIVE_INFINITY })),
  ]
  for (const { name, sign, none } of limits) {
    const [before, after] = [Number(a[name] ?? none), Number(b[name] ?? none)]
    const what = `${name} changed from ${a[name] ?? 'none'} to ${b[name] ?? 'none'}`
    if (after * sign > before * sign) yield narrower(direction, at, what)
    if (after * sign < before * sign) yield wider(direction, at, what)
  }
}

/** Keywords whose presence allows fewer values, such as `pattern`, and unknown keywords. */
function* compareOthers(a: Node, b: Node, at: string, direction: Direction): Generator<Change> {
  if (a.deprecated !== true && b.deprecated === true) yield compatible(at, 'it is deprecated')
  for (const name of membersOf(a, b).filter((member) => !HANDLED.has(member))) {
    if (isSame(a[name], b[name])) continue
    if (name === 'default') yield breaking(at, `default is ${b.default} instead of ${a.default}`)
    else if (a[name] === undefined) yield narrower(direction, at, `${name} is new`)
    else if (b[name] === undefined) yield wider(direction, at, `${name} is gone`)
    else yield breaking(at, `${name} has changed`)
  }
}

function* compareObjects(a: Node, b: Node, at: string, around: Compared): Generator<Change> {
  const { direction } = around
  const compared = { ...around, isOpen: false }
  const [before, after] = [toNode(a.properties), toNode(b.properties)]
  for (const name of membersOf(before, after)) {
    if (after[name] === undefined) yield breaking(at, `the member ${name} is gone`)
    else if (before[name] === undefined) yield compatible(at, `the member ${name} is new`)
    else yield* compareSchemas(before[name], after[name], `${at}.${name}`, compared)
  }
  const [was, is] = [toList(a.required), toList(b.required)]
  for (const name of is) if (!was.includes(name)) yield narrower(direction, at, `${name} is required now`)
  for (const name of was) if (!is.includes(name)) yield wider(direction, at, `${name} is no longer required`)
  const [open, opens] = [a.additionalProperties ?? true, b.additionalProperties ?? true]
  if (isNode(open) && isNode(opens)) yield* compareSchemas(open, opens, `${at}.*`, compared)
  else if (!isSame(open, opens)) {
    if (opens === false || open === true) yield narrower(direction, at, 'further members are restricted')
    else yield wider(direction, at, 'further members are allowed')
  }
}

/** Streams name the schemas of their frames instead of referring to them. */
function* compareFrames(a: Node, b: Node, at: string, compared: Compared): Generator<Change> {
  const [before, after] = [a['x-item-schema'], b['x-item-schema']]
  if (before !== after) return yield breaking(at, 'the schema of its frames is a different one')
  if (typeof before === 'string')
    yield* compareSchemas({ $ref: referenceTo(before) }, { $ref: referenceTo(before) }, `${at} frames`, compared)
}

const referenceTo = (name: string): string => (name.startsWith('#') ? name : `#/components/schemas/${name}`)

function* compareBranches(keyword: string, a: Node, b: Node, at: string, compared: Compared): Generator<Change> {
  const [before, after] = [toList(a[keyword]), toList(b[keyword])]
  if (before.length === 0 && after.length === 0) return
  const isOpen = compared.isOpen === true || after.some((branch) => follow(branch, compared.after)['x-open'] === true)
  const inner = { ...compared, isOpen }
  const gone = before.filter((branch) => !after.some((other) => isSamePlace(branch, other)))
  const come = after.filter((branch) => !before.some((other) => isSamePlace(branch, other)))
  for (const branch of before) {
    const other = after.find((candidate) => isSamePlace(branch, candidate))
    if (other !== undefined) yield* compareSchemas(branch, other, `${at} ${describe(branch)}`.trim(), inner)
  }
  // As many unnamed branches disappeared as appeared: compare them in order.
  if (gone.length === come.length && ![...gone, ...come].some((branch) => refOf(branch) !== ''))
    for (const [index, branch] of gone.entries()) yield* compareSchemas(branch, come[index], at, inner)
  else {
    const isEvery = keyword === 'allOf'
    for (const branch of gone)
      yield (isEvery ? wider : narrower)(compared.direction, at, `${keyword} lost ${describe(branch)}`)
    for (const branch of come)
      yield isOpen
        ? compatible(at, `${keyword} has ${describe(branch)} now`)
        : (isEvery ? narrower : wider)(compared.direction, at, `${keyword} has ${describe(branch)} now`)
  }
}

const isSamePlace = (a: unknown, b: unknown): boolean => (refOf(a) === '' ? isSame(a, b) : refOf(a) === refOf(b))

const describe = (branch: unknown): string => refOf(branch).split('/').at(-1) || JSON.stringify(branch).slice(0, 60)
