import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

/** A published service with the values that a new conversation records. */
export interface PublishedEndpoint {
  readonly endpointId: string
  readonly deviceId: string
  readonly ownerId: string
  readonly publishedVersion: number
  /** Whether the operator has paused admission as a whole. */
  readonly admissionPaused: boolean
}

const FIND: Statement = {
  name: 'find_published_endpoint',
  access: 'read',
  text: `select e.endpoint_id as "endpointId", e.device_id as "deviceId", a.owner_id as "ownerId",
      e.published_version as "publishedVersion", g.admission_paused as "admissionPaused"
    from endpoints e join apps a on a.app_id = e.app_id cross join gateway g where e.app_id = $1 and e.endpoint_id = $2`,
}

export const findPublishedEndpoint = async (
  db: Queryable,
  { appId }: Tenant,
  endpointId: string,
): Promise<PublishedEndpoint | null> => (await db.query<PublishedEndpoint>(FIND, [appId, endpointId]))[0] ?? null

/** JSON Schema of draft 2020-12 (D-70). */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A version of a service, which never changes. */
export interface VersionRef {
  readonly appId: string
  readonly endpointId: string
  readonly version: number
}

const SCHEMAS: Statement = {
  name: 'schemas_of_version',
  access: 'read',
  text: `select input_schema as "inputSchema", output_schema as "outputSchema",
      context_activities as "contextActivities" from endpoint_versions
    where app_id = $1 and endpoint_id = $2 and version = $3`,
}

/** The data schemas (D-70) and context settings (D-69) of a version. */
export interface VersionSchemas {
  readonly inputSchema: JsonSchema | null
  readonly outputSchema: JsonSchema | null
  readonly contextActivities: boolean
}

/** Null if there is no such version. */
export const readSchemas = async (
  db: Queryable,
  { appId, endpointId, version }: VersionRef,
): Promise<VersionSchemas | null> => (await db.query<VersionSchemas>(SCHEMAS, [appId, endpointId, version]))[0] ?? null

/** A published service at its current version, as its application sees it. */
export interface ShownEndpoint extends Pick<VersionSchemas, 'inputSchema' | 'outputSchema'> {
  readonly endpointId: string
  readonly name: string | null
  readonly publishedVersion: number
  readonly accepts: string[]
}

const SHOW: Statement = {
  name: 'show_endpoint',
  access: 'read',
  text: `select e.endpoint_id as "endpointId", e.name, e.published_version as "publishedVersion", v.accepts,
      v.input_schema as "inputSchema", v.output_schema as "outputSchema"
    from endpoints e
    join endpoint_versions v on v.app_id = e.app_id and v.endpoint_id = e.endpoint_id and v.version = e.published_version
    where e.app_id = $1 and e.endpoint_id = $2`,
}

export const showEndpoint = async (
  db: Queryable,
  { appId }: Tenant,
  endpointId: string,
): Promise<ShownEndpoint | null> => (await db.query<ShownEndpoint>(SHOW, [appId, endpointId]))[0] ?? null
