import type { Queryable, Statement, Tx } from '../db.ts'
import type { JsonSchema } from '../endpoints.ts'
import type { SealedSecrets, SecretColumns } from '../secret-columns.ts'
import { previousOf, SECRET_COLUMNS, secretParams } from '../secret-columns.ts'

export type Compatibility = 'compatible' | 'breaking'

/** A published service at its current version (D-23). `assistant` and `accepts` are in the form of the contract. */
export interface StoredService {
  readonly endpointId: string
  readonly appId: string
  readonly deviceId: string
  readonly name: string | null
  readonly publishedVersion: number
  readonly compatibility: Compatibility
  readonly assistant: unknown
  readonly accepts: unknown
  /** JSON Schemas (D-70); null for none. */
  readonly inputSchema: JsonSchema | null
  readonly outputSchema: JsonSchema | null
  readonly contextActivities: boolean
  readonly maxRunSeconds: number
  readonly createdAt: Date
  readonly publishedAt: Date
  /** The signing secret for its `http` assistant; null if it never had one. */
  readonly signing: SealedSecrets | null
}

/** The content of a version. */
export type VersionedParts = Pick<
  StoredService,
  'assistant' | 'accepts' | 'inputSchema' | 'outputSchema' | 'contextActivities' | 'maxRunSeconds'
>

type ServiceRow = Omit<StoredService, 'signing'> &
  SecretColumns & { readonly sealedSecret: Uint8Array | null; readonly sealedFileSecret: Uint8Array | null }

const toService = ({
  sealedSecret,
  sealedFileSecret,
  previousSealed,
  previousUntil,
  ...row
}: ServiceRow): StoredService => ({
  ...row,
  signing: sealedSecret && {
    sealedSecret,
    sealedFileSecret,
    previousSecret: previousOf({ previousSealed, previousUntil }),
  },
})

/** The constraint that a taken ID violates. */
export const ENDPOINT_ID_CONSTRAINT = 'endpoints_pkey'

const SELECT = `
select e.endpoint_id as "endpointId", e.app_id as "appId", e.device_id as "deviceId", e.name,
  e.published_version as "publishedVersion", v.compatibility, v.assistant, v.accepts,
  v.input_schema as "inputSchema", v.output_schema as "outputSchema", v.context_activities as "contextActivities",
  v.max_run_seconds as "maxRunSeconds", e.created_at as "createdAt",
  v.created_at as "publishedAt", ${SECRET_COLUMNS}
from endpoints e
join endpoint_versions v on v.app_id = e.app_id and v.endpoint_id = e.endpoint_id and v.version = e.published_version`

const FIND: Statement = {
  name: 'find_service',
  access: 'read',
  text: `${SELECT} where e.app_id = $1 and e.endpoint_id = $2`,
}

export const findService = async (db: Queryable, appId: string, endpointId: string): Promise<StoredService | null> =>
  (await db.query<ServiceRow>(FIND, [appId, endpointId])).map(toService)[0] ?? null

const APPS: Statement = {
  name: 'apps_of_service',
  access: 'read',
  text: 'select app_id as "appId" from endpoints where endpoint_id = $1',
}

/** Applications that have a service of this ID. */
export const findAppsOfService = async (db: Queryable, endpointId: string): Promise<string[]> =>
  (await db.query<{ appId: string }>(APPS, [endpointId])).map(({ appId }) => appId)

const LIST: Statement = {
  name: 'list_services',
  access: 'read',
  text: `${SELECT}
where e.app_id = $1 and ($2::text is null or (e.created_at, e.endpoint_id) <
  (select b.created_at, b.endpoint_id from endpoints b where b.app_id = $1 and b.endpoint_id = $2))
order by e.created_at desc, e.endpoint_id desc limit $3`,
}

/** Services of the application created before the service `before`, newest first. */
export const listServices = async (
  db: Queryable,
  appId: string,
  before: string | null,
  limit: number,
): Promise<StoredService[]> => (await db.query<ServiceRow>(LIST, [appId, before, limit])).map(toService)

// The version is inserted from the service's row, so that a taken ID violates `endpoints_pkey`. A new service has no
// older conversations, so its first version is never breaking.
const INSERT: Statement = {
  name: 'insert_service',
  access: 'write',
  text: `
with endpoint as (
  insert into endpoints (app_id, endpoint_id, device_id, name, published_version, breaking_version, created_at,
    secret, previous_secret, previous_secret_until, file_secret)
  values ($1, $2, $3, $4, 1, 1, $7, $9, $10, $11, $12) returning app_id, endpoint_id, created_at
)
insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, max_run_seconds, created_at,
  input_schema, output_schema, context_activities)
select app_id, endpoint_id, 1, 'compatible', $5::json, $6::json, $8, created_at, $13::json, $14::json, $15 from endpoint`,
}

export type NewService = Pick<
  StoredService,
  'appId' | 'endpointId' | 'deviceId' | 'name' | keyof VersionedParts | 'createdAt' | 'signing'
>

/** Publishes version 1 of a service. @throws {UniqueViolation} `endpoints_pkey` when the ID is taken. */
export const insertService = async (db: Queryable, service: NewService): Promise<void> => {
  const { appId, endpointId, deviceId, name, assistant, accepts, maxRunSeconds, createdAt, signing } = service
  await db.query(INSERT, [
    appId,
    endpointId,
    deviceId,
    name,
    JSON.stringify(assistant),
    JSON.stringify(accepts),
    createdAt,
    maxRunSeconds,
    ...(signing === null ? NO_SECRETS : secretParams(signing)),
    ...schemaParams(service),
  ])
}

const schemaParams = (parts: VersionedParts) => [
  jsonOrNull(parts.inputSchema),
  jsonOrNull(parts.outputSchema),
  parts.contextActivities,
]

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const NO_SECRETS = [null, null, null, null]

const LOCK: Statement = {
  name: 'lock_service',
  access: 'write',
  text: 'select 1 from endpoints where app_id = $1 and endpoint_id = $2 for update',
}

/** The service as it is now, locked until the transaction ends. */
export const lockService = async (tx: Tx, appId: string, endpointId: string): Promise<StoredService | null> => {
  // Lock in a separate statement first: a statement that waits for a lock does not see a version that was published
  // meanwhile.
  await tx.query(LOCK, [appId, endpointId])
  return findService(tx, appId, endpointId)
}

const PUBLISH: Statement = {
  name: 'publish_version',
  access: 'write',
  text: `
with endpoint as (
  update endpoints set published_version = $3,
    breaking_version = case when $4 = 'breaking' then $3 else breaking_version end
  where app_id = $1 and endpoint_id = $2
)
insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, max_run_seconds, created_at,
  input_schema, output_schema, context_activities)
values ($1, $2, $3, $4, $5::json, $6::json, $8, $7, $9::json, $10::json, $11)`,
}

export type NewVersion = Pick<
  StoredService,
  'appId' | 'endpointId' | 'publishedVersion' | 'compatibility' | keyof VersionedParts | 'publishedAt'
>

/** Publishes the next version of a service that the transaction has locked. */
export const publishVersion = async (tx: Tx, version: NewVersion): Promise<void> => {
  const { appId, endpointId, publishedVersion, compatibility, assistant, accepts, maxRunSeconds, publishedAt } = version
  await tx.query(PUBLISH, [
    appId,
    endpointId,
    publishedVersion,
    compatibility,
    JSON.stringify(assistant),
    JSON.stringify(accepts),
    publishedAt,
    maxRunSeconds,
    ...schemaParams(version),
  ])
}

const UPDATE: Statement = {
  name: 'update_service',
  access: 'write',
  text: 'update endpoints set device_id = $3, name = $4 where app_id = $1 and endpoint_id = $2',
}

/** Changes the members that are not versioned. Conversations stay on their device. */
export const updateService = async (
  tx: Tx,
  service: Pick<StoredService, 'appId' | 'endpointId' | 'deviceId' | 'name'>,
): Promise<void> => {
  await tx.query(UPDATE, [service.appId, service.endpointId, service.deviceId, service.name])
}

const SET_SIGNING: Statement = {
  name: 'set_service_secrets',
  access: 'write',
  text: `update endpoints set secret = $3, previous_secret = $4, previous_secret_until = $5, file_secret = $6
    where app_id = $1 and endpoint_id = $2`,
}

/** Writes the signing secret of a locked service. */
export const setServiceSigning = async (
  tx: Tx,
  { appId, endpointId }: Pick<StoredService, 'appId' | 'endpointId'>,
  signing: SealedSecrets,
): Promise<void> => {
  await tx.query(SET_SIGNING, [appId, endpointId, ...secretParams(signing)])
}

const SECRETS: Statement = {
  name: 'list_service_secrets',
  access: 'read',
  text: `select endpoint_id as "endpointId", secret as "sealedSecret" from endpoints
      where app_id = $1 and secret is not null
    union all
    select endpoint_id, previous_secret from endpoints where app_id = $1 and previous_secret is not null`,
}

/** The secrets of all services of an application, including old ones after a rotation. */
export const listSealedServiceSecrets = (
  db: Queryable,
  appId: string,
): Promise<{ readonly endpointId: string; readonly sealedSecret: Uint8Array }[]> => db.query(SECRETS, [appId])

/** A service that has a secret. */
export interface SignedService extends Pick<StoredService, 'appId' | 'endpointId'> {
  readonly signing: SealedSecrets
}

const LOCK_NEXT: Statement = {
  name: 'lock_next_signed_services',
  access: 'write',
  text: `select app_id as "appId", endpoint_id as "endpointId", ${SECRET_COLUMNS} from endpoints
    where (app_id, endpoint_id) > ($1, $2) and secret is not null order by app_id, endpoint_id limit $3 for update`,
}

type SignedRow = Pick<StoredService, 'appId' | 'endpointId'> & SecretColumns & Omit<SealedSecrets, 'previousSecret'>

/** The services with a secret that follow another one, locked until the transaction ends. */
export const lockNextSignedServices = async (
  tx: Tx,
  after: Pick<StoredService, 'appId' | 'endpointId'>,
  limit: number,
): Promise<SignedService[]> =>
  (await tx.query<SignedRow>(LOCK_NEXT, [after.appId, after.endpointId, limit])).map(
    ({ appId, endpointId, sealedSecret, sealedFileSecret, ...previous }) => ({
      appId,
      endpointId,
      signing: { sealedSecret, sealedFileSecret, previousSecret: previousOf(previous) },
    }),
  )

const ASSISTANTS: Statement = {
  name: 'list_http_assistants',
  access: 'read',
  text: `select version, assistant from endpoint_versions
    where app_id = $1 and endpoint_id = $2 and assistant ->> 'type' = 'http'`,
}

/** The `http` assistants of all versions of a service. */
export const listHttpAssistants = (
  tx: Tx,
  { appId, endpointId }: Pick<StoredService, 'appId' | 'endpointId'>,
): Promise<{ readonly version: number; readonly assistant: unknown }[]> => tx.query(ASSISTANTS, [appId, endpointId])

const REWRITE: Statement = {
  name: 'rewrite_assistant',
  access: 'write',
  text: `update endpoint_versions set assistant = $4::json where app_id = $1 and endpoint_id = $2 and version = $3`,
}

/** Rewrites an assistant in an equivalent form. */
export const rewriteAssistant = async (
  tx: Tx,
  { appId, endpointId }: Pick<StoredService, 'appId' | 'endpointId'>,
  version: number,
  assistant: unknown,
): Promise<void> => {
  await tx.query(REWRITE, [appId, endpointId, version, JSON.stringify(assistant)])
}
