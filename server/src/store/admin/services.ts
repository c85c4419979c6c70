import type { Queryable, Statement, Tx } from '../db.ts'

export type Compatibility = 'compatible' | 'breaking'

/** A published service at its current version (D-23). `assistant` and `accepts` are as the contract has them. */
export interface StoredService {
  readonly endpointId: string
  readonly appId: string
  readonly deviceId: string
  readonly name: string | null
  readonly publishedVersion: number
  readonly compatibility: Compatibility
  readonly assistant: unknown
  readonly accepts: unknown
  readonly maxRunSeconds: number
  readonly createdAt: Date
  readonly publishedAt: Date
}

/** The constraint that a taken ID runs into. */
export const ENDPOINT_ID = 'endpoints_pkey'

const SELECT = `
select e.endpoint_id as "endpointId", e.app_id as "appId", e.device_id as "deviceId", e.name,
  e.published_version as "publishedVersion", v.compatibility, v.assistant, v.accepts,
  v.max_run_seconds as "maxRunSeconds", e.created_at as "createdAt",
  v.created_at as "publishedAt"
from endpoints e
join endpoint_versions v on v.app_id = e.app_id and v.endpoint_id = e.endpoint_id and v.version = e.published_version`

const FIND: Statement = { name: 'find_service', text: `${SELECT} where e.app_id = $1 and e.endpoint_id = $2` }

export const findService = async (db: Queryable, appId: string, endpointId: string): Promise<StoredService | null> =>
  (await db.query<StoredService>(FIND, [appId, endpointId]))[0] ?? null

const APPS: Statement = {
  name: 'apps_of_service',
  text: 'select app_id as "appId" from endpoints where endpoint_id = $1',
}

/** Applications that have a service of this ID. */
export const findAppsOfService = async (db: Queryable, endpointId: string): Promise<string[]> =>
  (await db.query<{ appId: string }>(APPS, [endpointId])).map(({ appId }) => appId)

const LIST: Statement = {
  name: 'list_services',
  text: `${SELECT}
where e.app_id = $1 and ($2::text is null or (e.created_at, e.endpoint_id) <
  (select b.created_at, b.endpoint_id from endpoints b where b.app_id = $1 and b.endpoint_id = $2))
order by e.created_at desc, e.endpoint_id desc limit $3`,
}

/** Services of the application created before the service `before`, newest first. */
export const listServices = (
  db: Queryable,
  appId: string,
  before: string | null,
  limit: number,
): Promise<StoredService[]> => db.query<StoredService>(LIST, [appId, before, limit])

// The version is written out of the service's row, so that a taken ID is found there. A new service has no older
// conversations: its first version breaks with nothing.
const INSERT: Statement = {
  name: 'insert_service',
  text: `
with endpoint as (
  insert into endpoints (app_id, endpoint_id, device_id, name, published_version, breaking_version, created_at)
  values ($1, $2, $3, $4, 1, 1, $7) returning app_id, endpoint_id, created_at
)
insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, max_run_seconds, created_at)
select app_id, endpoint_id, 1, 'compatible', $5::json, $6::json, $8, created_at from endpoint`,
}

export type NewService = Pick<
  StoredService,
  'appId' | 'endpointId' | 'deviceId' | 'name' | 'assistant' | 'accepts' | 'maxRunSeconds' | 'createdAt'
>

/** Publishes version 1 of a service. @throws {UniqueViolation} `endpoints_pkey` when the ID is taken. */
export const insertService = async (db: Queryable, service: NewService): Promise<void> => {
  const { appId, endpointId, deviceId, name, assistant, accepts, maxRunSeconds, createdAt } = service
  await db.query(INSERT, [
    appId,
    endpointId,
    deviceId,
    name,
    JSON.stringify(assistant),
    JSON.stringify(accepts),
    createdAt,
    maxRunSeconds,
  ])
}

const LOCK: Statement = {
  name: 'lock_service',
  text: 'select 1 from endpoints where app_id = $1 and endpoint_id = $2 for update',
}

/** The service as it is now, locked until the transaction ends. */
export const lockService = async (tx: Tx, appId: string, endpointId: string): Promise<StoredService | null> => {
  // The lock comes first: a statement that waits for it does not see the version published meanwhile.
  await tx.query(LOCK, [appId, endpointId])
  return findService(tx, appId, endpointId)
}

const PUBLISH: Statement = {
  name: 'publish_version',
  text: `
with endpoint as (
  update endpoints set published_version = $3,
    breaking_version = case when $4 = 'breaking' then $3 else breaking_version end
  where app_id = $1 and endpoint_id = $2
)
insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, max_run_seconds, created_at)
values ($1, $2, $3, $4, $5::json, $6::json, $8, $7)`,
}

export type NewVersion = Pick<
  StoredService,
  | 'appId'
  | 'endpointId'
  | 'publishedVersion'
  | 'compatibility'
  | 'assistant'
  | 'accepts'
  | 'maxRunSeconds'
  | 'publishedAt'
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
  ])
}

const UPDATE: Statement = {
  name: 'update_service',
  text: 'update endpoints set device_id = $3, name = $4 where app_id = $1 and endpoint_id = $2',
}

/** Changes what is not part of a version. Conversations stay on the device that they began on. */
export const updateService = async (
  tx: Tx,
  service: Pick<StoredService, 'appId' | 'endpointId' | 'deviceId' | 'name'>,
): Promise<void> => {
  await tx.query(UPDATE, [service.appId, service.endpointId, service.deviceId, service.name])
}
