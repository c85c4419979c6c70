import { readFile } from 'node:fs/promises'
import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import schema from '@conversation-gateway/openapi/bootstrap.schema.json' with { type: 'json' }
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { createValidators } from '../domain/contract/validators.ts'
import { parsedOf } from '../domain/json/find-value.ts'
import { BODY_LIMITS } from '../domain/json/limits.ts'
import { ROOT } from '../domain/json/scanned-json.ts'
import type { BootstrapOutcome } from '../gateway/bootstrap/bootstrap.ts'
import { applyBootstrap } from '../gateway/bootstrap/bootstrap.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { checkJsonBody, UnusableJson } from '../http/requests/json-body.ts'

/**
 * Reads the file that GATEWAY_BOOTSTRAP names and applies it (D-48). Returns the changes. If the file has faults,
 * nothing is applied, and faults are returned with JSON pointers (empty for the whole file).
 * @throws when the file cannot be read.
 */
export const bootstrapFromFile = async (context: GatewayContext, path: string): Promise<BootstrapOutcome> => {
  const bytes = await readFile(path)
  if (bytes.toString().trim() === '') return { faults: [{ pointer: '', message: 'is empty' }], changes: [] }
  // The operator wrote the file, so it may have any number of values: never more than it has bytes.
  const json = checkJsonBody(bytes, { ...BODY_LIMITS, nodes: bytes.length })
  if (json instanceof UnusableJson) return { faults: json.faults, changes: [] }
  const content = parsedOf(json, ROOT)
  const faults = validate(content)
  if (faults.length > 0) return { faults, changes: [] }
  // The schema has just validated it.
  return applyBootstrap(context, content as Bootstrap)
}

const validate = (content: unknown): readonly Fault[] =>
  createValidators(asDocument())('/components/schemas/Bootstrap')(content)

/** Puts the schema into an OpenAPI document, because validators are compiled from documents. */
const asDocument = () => {
  const { $defs, $schema: _dialect, ...Bootstrap } = schema
  const schemas = JSON.stringify({ ...$defs, Bootstrap }).replaceAll('"#/$defs/', '"#/components/schemas/')
  return { openapi: '3.1.0', info: {}, paths: {}, components: { schemas: JSON.parse(schemas) } }
}
