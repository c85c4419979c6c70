import type { ErrorObject, ValidateFunction } from 'ajv'
import admin from '#openapi/admin.json' with { type: 'json' }
import gateway from '#openapi/gateway.json' with { type: 'json' }
import { createValidator, schemaAt } from '#openapi/validator'
import { namePosition } from '../difference.ts'
import {
  coreView,
  FIXED_BY_SPECIFICATION,
  isHeaderChecked,
  referenceView,
  withClosedEnumerations,
} from './contract-views.ts'
import type { HeaderDescription, Paths, Reference, ResponseDescription } from './operations.ts'
import { findRoute, listRoutes } from './operations.ts'
import type { Answer } from './wire.ts'

export type Profile = 'core' | 'reference'

/** Validates answers against the contract. */
export interface Contract {
  /** Returns the contract violations of an answer. Paths outside the contract have none. */
  faultsOf(answer: Answer): readonly string[]
  /** Returns the contract violations of an event's envelope. */
  faultsOfEvent(envelope: unknown): readonly string[]
}

interface Components {
  readonly responses?: Readonly<Record<string, ResponseDescription>>
  readonly headers?: Readonly<Record<string, HeaderDescription>>
}

const nameIn = ({ $ref }: Reference): string | undefined => $ref?.slice($ref.lastIndexOf('/') + 1)

/**
 * Selects the part of the contract that a profile checks. `reference`: all of it, except additions of its own server
 * (D-64). `core`: the successful answers whose shape the specification shows, without the details that only a decision
 * defines.
 */
export function createContract(profile: Profile): Contract {
  const closed = withClosedEnumerations(gateway)
  const document = profile === 'core' ? coreView(closed) : referenceView(closed)
  const { compile, faultsOf } = createDocumentContract(document, gateway, {
    isAnswerChecked: (answer) => profile === 'reference' || FIXED_BY_SPECIFICATION.has(answer),
    isHeaderChecked: (operation, header) => isHeaderChecked(profile, operation, header),
  })
  return {
    faultsOf,
    faultsOfEvent: (envelope) =>
      describeFaults('event', compile(schemaAt('components', 'schemas', 'EventEnvelope')), envelope),
  }
}

/** The contract of the admin API (D-46), whose paths begin with `/admin/v1`. */
export const createAdminContract = (): Pick<Contract, 'faultsOf'> =>
  createDocumentContract(withClosedEnumerations(admin), admin, {
    isAnswerChecked: () => true,
    isHeaderChecked: () => true,
  })

interface DocumentContract extends Pick<Contract, 'faultsOf'> {
  compile(reference: string): ValidateFunction
}

/** The part of a document that a system must satisfy. */
interface Scope {
  /** Whether answers of an operation and status, such as `getRun 200`, are validated. */
  isAnswerChecked(answer: string): boolean
  /** Whether such an answer must have a header that the document requires. */
  isHeaderChecked(answer: string, header: string): boolean
}

function createDocumentContract(
  document: object,
  { paths, components: described }: { readonly paths: Paths; readonly components: object },
  scope: Scope,
): DocumentContract {
  const components: Components = described
  const ajv = createValidator(document)
  const routes = listRoutes(paths)
  const compiled = new Map<string, ValidateFunction>()
  const compile = (reference: string): ValidateFunction => {
    const known = compiled.get(reference)
    if (known !== undefined) return known
    const validate = ajv.compile({ $ref: reference })
    compiled.set(reference, validate)
    return validate
  }

  return {
    compile,
    faultsOf: (answer) => {
      const route = findRoute(routes, answer.request)
      if (route === undefined) return []
      const { operationId, responses } = route.operation
      const at = `${operationId} ${answer.status}`
      if (!scope.isAnswerChecked(at)) return []
      const stated = responses[String(answer.status)]
      if (stated === undefined) return [`${at}: the contract has no such status`]
      const shared = nameIn(stated)
      const response = shared === undefined ? stated : (components.responses?.[shared] ?? {})
      const place =
        shared === undefined
          ? ['paths', route.path, route.method.toLowerCase(), 'responses', String(answer.status)]
          : ['components', 'responses', shared]
      return [
        ...faultsOfRepeats(at, answer),
        ...faultsOfHeaders(
          at,
          response,
          answer,
          (name, header) => isRequired(header, components) && scope.isHeaderChecked(at, name),
        ),
        ...faultsOfBody(at, response, answer, (type) => compile(schemaAt(...place, 'content', type, 'schema'))),
      ]
    },
  }
}

/** Headers that must occur at most once: with two lines it is undefined which one applies (RFC 9110, section 5.3). */
const SINGLE = ['content-type', 'retry-after', 'x-request-id', 'idempotency-replayed']

const faultsOfRepeats = (at: string, { headerLines }: Answer): string[] =>
  SINGLE.flatMap((single) => {
    const count = headerLines.filter(([name]) => name.toLowerCase() === single).length
    return count > 1 ? [`${at}: the header ${single} occurs ${count} times`] : []
  })

const faultsOfHeaders = (
  at: string,
  { headers = {} }: ResponseDescription,
  answer: Answer,
  isChecked: (name: string, header: HeaderDescription) => boolean,
): string[] =>
  Object.entries(headers)
    .filter(([name, header]) => isChecked(name, header) && answer.headers[name.toLowerCase()] === undefined)
    .map(([name]) => `${at}: the header ${name} is missing`)

const isRequired = (header: HeaderDescription, components: Components): boolean => {
  const shared = nameIn(header)
  return (shared === undefined ? header : components.headers?.[shared])?.required === true
}

function faultsOfBody(
  at: string,
  { content = {} }: ResponseDescription,
  answer: Answer,
  schemaOf: (type: string) => ValidateFunction,
): readonly string[] {
  const types = Object.keys(content)
  if (types.length === 0)
    return answer.bytes.length === 0 ? [] : [`${at}: has a body, although the contract defines none`]
  const sent = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const type = types.find((one) => one === sent || one === '*/*')
  if (type === undefined)
    return [`${at}: content type ${sent === '' ? 'is missing' : sent}, but the contract defines ${types.join(', ')}`]
  if (!type.endsWith('json')) return []
  if (answer.body === undefined) return [`${at}: the body is not JSON`]
  return describeFaults(at, schemaOf(type), answer.body)
}

const describeFaults = (at: string, validate: ValidateFunction, value: unknown): string[] =>
  validate(value) ? [] : (validate.errors ?? []).map((error) => `${at}: ${describeError(error)}`)

const describeError = ({ instancePath, message, params }: ErrorObject): string => {
  const name: unknown = params.additionalProperty ?? params.unevaluatedProperty
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return `${instancePath === '' ? 'the body' : namePosition(path)} ${message ?? 'is invalid'}${typeof name === 'string' ? ` (${name})` : ''}`
}
