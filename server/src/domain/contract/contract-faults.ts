import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { messageOf, needsOneOf, orList, typeOf } from '@conversation-gateway/openapi/behaviour/requests/fault-messages'
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { escapeSegment } from '../json/pointer.ts'

/** A fault that a schema found. */
export interface ContractFault extends Fault {
  /** Whether the fault is an unknown member. A body with only such faults is refused as UNKNOWN_FIELD. */
  readonly unknownMember: boolean
}

/**
 * Reduces a validator's errors to one for each fault. The errors of alternatives (`anyOf`, `oneOf`) become a single
 * fault if one sentence can describe them; otherwise only those of the nearest alternative remain.
 */
export const explainErrors = (ajv: Ajv2020, errors: readonly ErrorObject[], base = ''): ContractFault[] => {
  const faults: ContractFault[][] = []
  for (let index = errors.length - 1; index >= 0; index--) {
    const error = errors[index]
    if (error === undefined) break
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const alternatives = readAlternatives(ajv, error)
      faults.push(explainAlternatives(ajv, error, alternatives, base + error.instancePath))
      // Skip the errors of the alternatives, which directly precede this error.
      index -= alternatives.reduce((count, { errors: own }) => count + own.length, 0)
    } else if (!repeatsUnknownMember(error, errors)) {
      faults.push([describe(error, base)])
    }
  }
  return faults.reverse().flat()
}

interface Alternative {
  readonly schema: Readonly<Record<string, unknown>>
  readonly errors: readonly ErrorObject[]
}

const readAlternatives = (ajv: Ajv2020, error: ErrorObject): Alternative[] => {
  const schemas: unknown = error.schema
  if (!Array.isArray(schemas)) return []
  return schemas.filter(isObject).map((schema) => {
    const validate = ajv.compile(schema)
    return { schema, errors: validate(error.data) ? [] : (validate.errors ?? []) }
  })
}

const explainAlternatives = (
  ajv: Ajv2020,
  error: ErrorObject,
  alternatives: readonly Alternative[],
  pointer: string,
): ContractFault[] => {
  const members = alternatives.map(({ schema }) => requiredNonEmptyMember(schema))
  if (members.every((member) => member !== null)) return [fault(pointer, needsOneOf(members))]

  const types = alternatives.map(({ errors }) =>
    errors.length === 1 && errors[0]?.instancePath === '' ? typeOf(errors[0]) : null,
  )
  if (types.every((type) => type !== null)) return [fault(pointer, `must be ${orList(types)}`)]

  const tag = tagOf(error)
  if (tag !== null && isObject(error.data)) {
    const meant = alternatives.filter(
      ({ errors }) => !errors.some(({ instancePath }) => instancePath === `/${tag.name}`),
    )
    const [only] = meant
    if (tag.name in error.data && only !== undefined && meant.length === 1)
      return explainErrors(ajv, only.errors, pointer)
    const missing = tag.name in error.data ? `must be one of ${tag.values.join(', ')}` : 'is required'
    return [fault(`${pointer}/${tag.name}`, missing)]
  }

  const [nearest] = alternatives.toSorted((a, b) => a.errors.length - b.errors.length)
  return nearest === undefined || nearest.errors.length === 0
    ? [fault(pointer, 'fits more than one of the allowed forms')]
    : explainErrors(ajv, nearest.errors, pointer)
}

/** The one member that an alternative requires to be present and not empty; null if it requires anything else. */
const requiredNonEmptyMember = ({
  required,
  properties,
  ...rest
}: Readonly<Record<string, unknown>>): string | null => {
  const [name, more]: unknown[] = Array.isArray(required) ? required : []
  if (typeof name !== 'string' || more !== undefined || Object.keys(rest).length > 0) return null
  const constraints = isObject(properties) ? properties[name] : undefined
  return isObject(constraints) && Object.values(constraints).every((limit) => limit === 1) ? name : null
}

const tagOf = ({ parentSchema }: ErrorObject): { name: string; values: string[] } | null => {
  const discriminator: unknown = parentSchema?.discriminator
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return null
  return {
    name: discriminator.propertyName,
    values: isObject(discriminator.mapping) ? Object.keys(discriminator.mapping) : [],
  }
}

/** Whether to drop a `maxProperties` error, because the list of unknown members is clearer. */
const repeatsUnknownMember = ({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean =>
  keyword === 'maxProperties' &&
  errors.some((other) => isUnknownMember(other.keyword) && other.instancePath === instancePath)

const isUnknownMember = (keyword: string): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'

const describe = (error: ErrorObject, base: string): ContractFault => {
  const { keyword, params, instancePath } = error
  const child = CHILD_PARAMETERS[keyword]
  const name: unknown = child === undefined ? undefined : params[child]
  const pointer = base + instancePath + (name === undefined ? '' : `/${escapeSegment(String(name))}`)
  return { pointer, message: messageOf(error), unknownMember: isUnknownMember(keyword) }
}

/** Keywords whose fault is in a member or an item of the value, and the parameter that names it. */
const CHILD_PARAMETERS: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  dependentRequired: 'property',
  uniqueItems: 'index',
}

const fault = (pointer: string, message: string): ContractFault => ({ pointer, message, unknownMember: false })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
