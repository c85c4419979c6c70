import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

/** A published service with what a new conversation of it records. */
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
  text: `select e.endpoint_id as "endpointId", e.device_id as "deviceId", a.owner_id as "ownerId",
      e.published_version as "publishedVersion", g.admission_paused as "admissionPaused"
    from endpoints e join apps a on a.app_id = e.app_id cross join gateway g where e.app_id = $1 and e.endpoint_id = $2`,
}

export const findPublishedEndpoint = async (
  db: Queryable,
  { appId }: Tenant,
  endpointId: string,
): Promise<PublishedEndpoint | null> => (await db.query<PublishedEndpoint>(FIND, [appId, endpointId]))[0] ?? null
