import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  Assistant,
  CreateEndpoint,
  Endpoint,
  EndpointList,
  PublishVersion,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { findAssistantFault } from '../../domain/own-variables.ts'
import { findApp } from '../../store/admin/apps.ts'
import { findDevice } from '../../store/admin/devices.ts'
import type { NewService, NewVersion, StoredService } from '../../store/admin/services.ts'
import * as store from '../../store/admin/services.ts'
import { UniqueViolation } from '../../store/db.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { created, pageSize, taken, unknown } from './outcomes.ts'
import { endpointRecord } from './records.ts'

/**
 * Publishes version 1 of a new service on a device (201). A taken ID is ALREADY_EXISTS (409), and an assistant that asks for
 * a variable of the gateway itself INVALID_REQUEST (400).
 */
export const createEndpoint = async (
  { db, clock }: GatewayContext,
  appId: string,
  body: CreateEndpoint,
): Promise<Admitted<Endpoint> | Refusal> => {
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  if ((await findDevice(db, body.device_id)) === null) return unknown('device', body.device_id)
  const refusal = refuseAssistant(body.assistant)
  if (refusal !== null) return refusal
  const now = clock.now()
  const service = newService(appId, { ...body, endpoint_id: body.endpoint_id ?? newId('ep', now) }, now)
  try {
    await store.insertService(db, service)
  } catch (error) {
    if (error instanceof UniqueViolation && error.constraint === store.ENDPOINT_ID)
      return taken('service', service.endpointId)
    throw error
  }
  const published = { publishedVersion: 1, compatibility: 'compatible', publishedAt: service.createdAt } as const
  return created(endpointRecord({ ...service, ...published }))
}

const refuseAssistant = (assistant: Assistant | undefined): Refusal | null => {
  const fault = findAssistantFault(assistant, '/assistant')
  return fault === null ? null : refuse('INVALID_REQUEST', `api_key_env ${fault.message}.`, { faults: [fault] })
}

/** How long a run may execute where nothing else is said, in seconds (D-59). */
const MAX_RUN_SECONDS = 3600

/** Without an assistant it is `echo`; without `accepts` it takes no attachments. */
export const newService = (
  appId: string,
  body: CreateEndpoint & { readonly endpoint_id: string },
  now: Date,
): NewService & Required<Pick<CreateEndpoint, 'assistant' | 'accepts'>> => ({
  appId,
  endpointId: body.endpoint_id,
  deviceId: body.device_id,
  name: body.name ?? null,
  assistant: body.assistant ?? { type: 'echo' },
  accepts: body.accepts ?? [],
  maxRunSeconds: body.max_run_seconds ?? MAX_RUN_SECONDS,
  createdAt: now,
})

/**
 * Publishes the next version; what the body leaves out stays as in the current one. After a breaking one, conversations
 * bound to an older version are refused until they are reset (D-23).
 */
export const publishVersion = (
  { db, clock }: GatewayContext,
  appId: string,
  endpointId: string,
  body: PublishVersion,
): Promise<Admitted<Endpoint> | Refusal> =>
  db.transaction(async (tx) => {
    const service = await store.lockService(tx, appId, endpointId)
    if (service === null) return unknown('service', endpointId)
    const refusal = refuseAssistant(body.assistant)
    if (refusal !== null) return refusal
    const version = nextVersion(service, body, clock.now())
    await store.publishVersion(tx, version)
    return created(endpointRecord({ ...service, ...version }))
  })

export const nextVersion = (service: StoredService, body: PublishVersion, now: Date): NewVersion => ({
  appId: service.appId,
  endpointId: service.endpointId,
  publishedVersion: service.publishedVersion + 1,
  compatibility: body.compatibility ?? 'compatible',
  assistant: body.assistant ?? service.assistant,
  accepts: body.accepts ?? service.accepts,
  maxRunSeconds: body.max_run_seconds ?? service.maxRunSeconds,
  publishedAt: now,
})

export const getEndpoint = async (
  { db }: GatewayContext,
  appId: string,
  endpointId: string,
): Promise<Found<Endpoint> | Refusal> => {
  const service = await store.findService(db, appId, endpointId)
  return service === null ? unknown('service', endpointId) : found(endpointRecord(service))
}

/** Services of the application, newest first; an empty page ends the list. */
export const listEndpoints = async (
  { db }: GatewayContext,
  appId: string,
  page: PageQuery,
): Promise<Found<EndpointList> | Refusal> => {
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  if (page.before !== undefined && (await store.findService(db, appId, page.before)) === null)
    return unknown('service', page.before)
  const services = await store.listServices(db, appId, page.before ?? null, pageSize(page))
  return found({ endpoints: services.map(endpointRecord) })
}
