import { breaking, type Change, compatible, isSame, membersOf, type Node, toList, toNode } from './change.ts'
import { type Compared, compareSchemas, follow } from './compare-schemas.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
/** In ascending order. */
const ROLES = ['read', 'operate', 'admin']
/** Keywords that have their own comparison, or are only for readers. */
const OWN: ReadonlySet<string> = new Set([
  'parameters',
  'requestBody',
  'responses',
  'security',
  'deprecated',
  'x-operator-role',
  'tags',
  'summary',
  'description',
])
const FOR_PEOPLE: ReadonlySet<string> = new Set(['title', 'description'])

type Documents = Pick<Compared, 'before' | 'after'>

/** The changes between two bundled contracts that clients or receivers can notice. */
export function compareContracts(before: Node, after: Node): Change[] {
  const documents = { before, after }
  return [
    ...comparePaths(toNode(before.paths), toNode(after.paths), documents),
    ...comparePaths(toNode(before.webhooks), toNode(after.webhooks), documents, 'webhook '),
    ...compareErrors(toNode(toNode(before.components)['x-errors']), toNode(toNode(after.components)['x-errors'])),
  ]
}

function* comparePaths(before: Node, after: Node, documents: Documents, prefix = ''): Generator<Change> {
  for (const path of membersOf(before, after))
    for (const method of METHODS) {
      const at = `${prefix}${prefix === '' ? `${method.toUpperCase()} ` : ''}${path}`
      const [a, b] = [toNode(before[path])[method], toNode(after[path])[method]]
      if (a === undefined && b === undefined) continue
      if (b === undefined) yield breaking(at, 'the operation is gone')
      else if (a === undefined) yield compatible(at, 'the operation is new')
      else yield* compareOperations(toNode(a), toNode(b), at, documents, prefix !== '')
    }
}

function* compareOperations(a: Node, b: Node, at: string, documents: Documents, isWebhook: boolean): Generator<Change> {
  if (a.deprecated !== true && b.deprecated === true) yield compatible(at, 'it is deprecated')
  yield* compareSecurity(a, b, at)
  yield* compareRoles(a, b, at)
  yield* compareParameters(a, b, at, documents)
  yield* compareBodies(a, b, at, documents, isWebhook)
  yield* compareResponses(a, b, at, documents, isWebhook)
  for (const name of membersOf(a, b).filter((member) => !OWN.has(member))) {
    if (isSame(a[name], b[name])) continue
    if (a[name] === undefined) yield compatible(at, `${name} is new`)
    else yield breaking(at, `${name} is ${b[name] === undefined ? 'gone' : 'another'}`)
  }
}

/** Each earlier way to authenticate still exists, and needs no more scopes. */
function* compareSecurity(a: Node, b: Node, at: string): Generator<Change> {
  const [before, after] = [toList(a.security).map(toNode), toList(b.security).map(toNode)]
  const isCovered = (way: Node): boolean =>
    after.some((other) =>
      Object.entries(other).every(
        ([scheme, scopes]) =>
          way[scheme] !== undefined && toList(scopes).every((scope) => toList(way[scheme]).includes(scope)),
      ),
    )
  if (isSame(before, after)) return
  const demandsMore =
    before.length === 0
      ? after.length > 0 && !after.some((way) => Object.keys(way).length === 0)
      : !before.every(isCovered) && after.length > 0
  yield demandsMore ? breaking(at, 'it asks for other credentials or scopes') : compatible(at, 'it asks for less')
}

function* compareRoles(a: Node, b: Node, at: string): Generator<Change> {
  const [before, after] = [a, b].map((operation) => ROLES.indexOf(String(operation['x-operator-role'] ?? '')))
  if (before === undefined || after === undefined || before === after) return
  const what = `it requires the role ${b['x-operator-role'] ?? 'none'} instead of ${a['x-operator-role'] ?? 'none'}`
  yield after > before ? breaking(at, what) : compatible(at, what)
}

function* compareParameters(a: Node, b: Node, at: string, documents: Documents): Generator<Change> {
  const byName = (operation: Node, document: Node): Node =>
    Object.fromEntries(
      toList(operation.parameters).map((each) => {
        const parameter = follow(each, document)
        return [`${parameter.in} ${parameter.name}`, parameter]
      }),
    )
  const [before, after] = [byName(a, documents.before), byName(b, documents.after)]
  for (const name of membersOf(before, after)) {
    const [was, is] = [toNode(before[name]), toNode(after[name])]
    if (after[name] === undefined) yield breaking(at, `the parameter ${name} is gone`)
    else if (before[name] === undefined)
      yield (is.required === true ? breaking : compatible)(
        at,
        `the ${is.required === true ? 'required' : 'optional'} parameter ${name} is new`,
      )
    else {
      if (was.required !== true && is.required === true) yield breaking(at, `the parameter ${name} is required now`)
      if (was.required === true && is.required !== true) yield compatible(at, `the parameter ${name} is optional now`)
      if (was['x-error-code'] !== is['x-error-code'])
        yield breaking(at, `the error for the parameter ${name} has changed`)
      yield* compareSchemas(was.schema, is.schema, `${at} ${name}`, { ...documents, direction: 'in', seen: new Set() })
    }
  }
}

function* compareBodies(a: Node, b: Node, at: string, documents: Documents, isWebhook: boolean): Generator<Change> {
  const [was, is] = [follow(a.requestBody, documents.before), follow(b.requestBody, documents.after)]
  if (was.required !== true && is.required === true && !isWebhook) yield breaking(at, 'the body is required now')
  if (was.required === true && is.required !== true)
    yield (isWebhook ? breaking : compatible)(at, 'the body is optional now')
  const [most, mostNow] = [was, is].map((body) => Number(body['x-max-body-bytes'] ?? Number.POSITIVE_INFINITY))
  if (most !== mostNow)
    yield (Number(mostNow) < Number(most) ? breaking : compatible)(
      at,
      `the largest body has ${mostNow} bytes instead of ${most}`,
    )
  yield* compareContent(was, is, `${at} body`, { ...documents, direction: isWebhook ? 'out' : 'in', seen: new Set() })
}

function* compareContent(was: Node, is: Node, at: string, compared: Compared): Generator<Change> {
  const [before, after] = [toNode(was.content), toNode(is.content)]
  for (const type of membersOf(before, after)) {
    if (after[type] === undefined) yield breaking(at, `it is no longer ${type}`)
    else if (before[type] === undefined)
      yield (compared.direction === 'in' ? compatible : breaking)(at, `it may be ${type} now`)
    else yield* compareSchemas(toNode(before[type]).schema, toNode(after[type]).schema, at, compared)
  }
}

/** Clients handle any error by its code, but an unknown success changes the behaviour. */
function* compareResponses(a: Node, b: Node, at: string, documents: Documents, isWebhook: boolean): Generator<Change> {
  const [before, after] = [toNode(a.responses), toNode(b.responses)]
  for (const status of membersOf(before, after)) {
    const isSuccess = !/^[45]/.test(status)
    if (after[status] === undefined) yield (isSuccess ? breaking : compatible)(at, `${status} is gone`)
    else if (before[status] === undefined)
      yield (isSuccess && !isWebhook ? breaking : compatible)(at, `${status} is new`)
    else {
      const [was, is] = [follow(before[status], documents.before), follow(after[status], documents.after)]
      const compared: Compared = { ...documents, direction: isWebhook ? 'in' : 'out', seen: new Set() }
      yield* compareContent(was, is, `${at} ${status}`, compared)
      yield* compareHeaders(toNode(was.headers), toNode(is.headers), `${at} ${status}`, compared)
    }
  }
}

function* compareHeaders(before: Node, after: Node, at: string, compared: Compared): Generator<Change> {
  for (const name of membersOf(before, after)) {
    const [was, is] = [follow(before[name], compared.before), follow(after[name], compared.after)]
    if (after[name] === undefined) yield breaking(at, `the header ${name} is gone`)
    else if (before[name] === undefined) yield compatible(at, `the header ${name} is new`)
    else {
      if (was.required === true && is.required !== true) yield breaking(at, `the header ${name} may be missing now`)
      yield* compareSchemas(was.schema, is.schema, `${at} ${name}`, compared)
    }
  }
}

/** The catalogue of errors: the meaning of a code must not change. */
function* compareErrors(before: Node, after: Node): Generator<Change> {
  for (const code of membersOf(before, after)) {
    const at = `error ${code}`
    if (after[code] === undefined) yield breaking(at, 'the code is gone')
    else if (before[code] === undefined) yield compatible(at, 'the code is new')
    else
      for (const name of membersOf(toNode(before[code]), toNode(after[code])).filter(
        (member) => !FOR_PEOPLE.has(member),
      ))
        if (!isSame(toNode(before[code])[name], toNode(after[code])[name])) yield breaking(at, `${name} has changed`)
  }
}
