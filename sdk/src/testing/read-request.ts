import type { Refusal } from '../../../openapi/src/behaviour/refusal.ts'
import { acceptsEventStream } from '../../../openapi/src/behaviour/requests/accept.ts'
import { isJson, isPlain } from '../../../openapi/src/behaviour/requests/content-type.ts'
import {
  NOT_ACCEPTABLE,
  NOT_JSON,
  NOT_PLAIN,
  refuseFaults,
  tooLarge,
} from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import {
  BODIES,
  type BodySchema,
  type ContractOperation,
  PARAMETERS,
  type ParameterInfo,
} from '../generated/contract.ts'
import type { TestedRequest } from './handler.ts'
import { faultsOf, type SchemaFault } from './schema-faults.ts'

/** The values of a request by their names in the contract, with the generated types. */
export type RequestReading = Pick<TestedRequest, 'query' | 'header' | 'body'>

/** Reads a request by the contract, or refuses it, if possible with all faults of its body and parameters. */
export const readRequest = (
  { stream, bodyBytes = Infinity, body, parameters = [] }: ContractOperation,
  { headers, url }: Request,
  bytes: Uint8Array,
): RequestReading | Refusal => {
  if (stream !== undefined && !acceptsEventStream(headers.get('accept') ?? undefined)) return NOT_ACCEPTABLE
  if (bytes.length > bodyBytes) return tooLarge(bodyBytes)
  const json: JsonReading | Refusal = body === undefined ? NO_BODY : readJson(headers, bytes)
  if ('kind' in json) return json
  const faults: SchemaFault[] = [...json.faults]
  if (body !== undefined && faults.length === 0) faults.push(...faultsOf(BODIES[body], json.value))
  const { searchParams } = new URL(url)
  const values: Record<ParameterInfo['in'], Record<string, unknown>> = { query: {}, header: {} }
  // The subject has already been read with the key.
  for (const parameter of parameters.filter((name) => name !== 'ServiceSubject')) {
    const { name, in: place, required, schema }: ParameterInfo = PARAMETERS[parameter]
    const given = place === 'query' ? searchParams.get(name) : headers.get(name) || null
    const value = given === null ? schema.default : readValue(given, schema)
    if (value !== undefined) faults.push(...faultsOf(schema, value, name))
    else if (required) faults.push({ pointer: name, message: 'is required' })
    if (value !== undefined) values[place][name] = value
  }
  const reading: unknown = { ...values, body: json.value }
  return faults.length === 0 ? (reading as RequestReading) : refuseBody(faults)
}

/** Text that is not an integer stays text, which the schema then rejects. */
const readValue = (text: string, { type }: BodySchema): string | number =>
  type === 'integer' && /^-?[0-9]+$/.test(text) ? Number(text) : text

/** UNKNOWN_FIELD if all faults are unknown members. */
export const refuseBody = (faults: readonly SchemaFault[]): Refusal =>
  refuseFaults({ faults, onlyUnknownMembers: faults.every(({ isUnknownMember }) => isUnknownMember) })

interface JsonReading {
  readonly value?: unknown
  readonly faults: readonly SchemaFault[]
}

const NO_BODY: JsonReading = { faults: [] }

/** The body as JSON. Any other content type is refused with 415. */
export const readJson = (headers: Headers, bytes: Uint8Array): JsonReading | Refusal => {
  const contentType = headers.get('content-type') ?? undefined
  const isMissing = bytes.length === 0
  if (!isJson(contentType) && !(isMissing && contentType === undefined)) return NOT_JSON
  if (!isPlain(headers.get('content-encoding') ?? undefined)) return NOT_PLAIN
  if (isMissing) return { faults: [{ pointer: '', message: 'is required' }] }
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), faults: [] }
  } catch {
    return { faults: [{ pointer: '', message: 'is not valid JSON in UTF-8' }] }
  }
}
