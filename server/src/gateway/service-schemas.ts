import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { LRUCache } from 'lru-cache'
import type { SchemaCheck } from '../domain/contract/service-schema.ts'
import { compileSchema } from '../domain/contract/service-schema.ts'
import { parseJson } from '../domain/json/parse-json.ts'
import type { TakenInput } from '../domain/message-input.ts'
import type { Queryable } from '../store/db.ts'
import type { VersionRef } from '../store/endpoints.ts'
import { readSchemas } from '../store/endpoints.ts'

/** The schemas of a service's version for input and output data. */
export interface DataChecks {
  /** Null, here and below, if any data is valid. */
  readonly input: SchemaCheck | null
  readonly output: SchemaCheck | null
  /** Whether its runs get the activities of earlier answers as context. */
  readonly contextActivities: boolean
}

/** The compiled schemas of versions. A version never changes, so an admission usually finds its schemas here. */
export interface ServiceSchemas {
  /** Undefined if they are not cached. */
  peek(version: VersionRef): DataChecks | undefined
  load(db: Queryable, version: VersionRef): Promise<DataChecks>
}

const VERSIONS_KEPT = 1000

export const createServiceSchemas = (): ServiceSchemas => {
  const kept = new LRUCache<string, DataChecks>({ max: VERSIONS_KEPT })
  return {
    peek: (version) => kept.get(keyOf(version)),
    load: async (db, version) => {
      const known = kept.get(keyOf(version))
      if (known !== undefined) return known
      const schemas = await readSchemas(db, version)
      const checks = {
        input: schemas?.inputSchema == null ? null : compileSchema(schemas.inputSchema),
        output: schemas?.outputSchema == null ? null : compileSchema(schemas.outputSchema),
        contextActivities: schemas?.contextActivities ?? false,
      }
      if (schemas !== null) kept.set(keyOf(version), checks)
      return checks
    },
  }
}

const keyOf = ({ appId, endpointId, version }: VersionRef): string => JSON.stringify([appId, endpointId, version])

/** Refuses an input that does not match the version's schema. An input without data is checked as `{}`. */
export const refuseInput = ({ input: check }: DataChecks, { data }: TakenInput): Refusal | null => {
  if (check === null) return null
  const faults = check(data === undefined ? {} : parseJson(data.text)).map(({ pointer, message }) => ({
    pointer: `/input/data${pointer}`,
    message,
  }))
  return faults.length === 0
    ? null
    : refuse('INVALID_REQUEST', 'The data does not match the input_schema of the service.', { faults })
}

/** An outcome whose data breaks the version's schema becomes OUTPUT_INVALID and keeps its output as partial. */
export const checkOutput = ({ output: check }: DataChecks, outcome: RunOutcome): RunOutcome => {
  if (check === null || outcome.state !== 'succeeded') return outcome
  const { text, data, usage } = outcome
  const [fault] = data === undefined ? [{ pointer: '', message: 'is missing' }] : check(data)
  if (fault === undefined) return outcome
  return {
    state: 'failed',
    error: {
      code: 'OUTPUT_INVALID',
      message: `The data of the result does not match the service's output_schema: data${fault.pointer} ${fault.message}.`,
      retryable: false,
    },
    partial: { ...(text === undefined ? {} : { text }), ...(data === undefined ? {} : { data }) },
    ...(usage === undefined ? {} : { usage }),
  }
}
