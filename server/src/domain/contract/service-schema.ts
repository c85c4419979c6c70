import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { createSchemaValidator } from '@conversation-gateway/openapi/validator'
import type { ErrorObject } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { explainErrors } from './contract-faults.ts'

/** The schemas that operators publish with their services (D-70): JSON Schema of draft 2020-12. */

/** Maximum bytes of one schema's JSON. */
export const SCHEMA_BYTES = 64 * 1024
/** Maximum number of reported faults. */
const MAX_FAULTS = 20

/** The faults of a value against the schema, with their locations; empty if it is valid. */
export type SchemaCheck = (value: unknown) => readonly Fault[]

/** The fault of a schema; null if it can be published. */
export const findSchemaFault = (schema: object): string | null => {
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > SCHEMA_BYTES) return `has ${bytes} bytes of JSON; at most ${SCHEMA_BYTES} are allowed`
  if ('$async' in schema) return 'must not have $async'
  try {
    const ajv = createLibrary(true)
    if (ajv.validateSchema(schema) !== true) return describe(ajv.errors ?? [])
    ajv.compile(schema)
    return null
  } catch (error) {
    return isMissingReference(error)
      ? `refers to ${error.missingRef}, which is not in it: references stay within the schema`
      : `is not a JSON Schema of draft 2020-12: ${error instanceof Error ? error.message : String(error)}`
  }
}

export const compileSchema = (schema: object): SchemaCheck => {
  const ajv = createLibrary(false)
  const validate = ajv.compile(schema)
  // A value may have any number of faults, so report only the first ones.
  return (value) => (validate(value) ? [] : explainErrors(ajv, validate.errors ?? []).slice(0, MAX_FAULTS))
}

const describe = (errors: readonly ErrorObject[]): string => {
  const [first] = errors
  return `is not a JSON Schema of draft 2020-12: ${first === undefined ? 'it' : `${first.instancePath || 'it'} ${first.message}`}`
}

const isMissingReference = (error: unknown): error is { readonly missingRef: string } =>
  typeof error === 'object' && error !== null && 'missingRef' in error && typeof error.missingRef === 'string'

/**
 * Each schema has its own Ajv instance, so that equal `$id`s do not collide. Verbose errors are needed to explain
 * faults.
 */
const createLibrary = (validateSchema: boolean): Ajv2020 => createSchemaValidator({ validateSchema, verbose: true })
