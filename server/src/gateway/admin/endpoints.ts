import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Fault, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  Assistant,
  CreateEndpoint,
  Endpoint,
  EndpointList,
  PublishVersion,
  SavedEndpoint,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { findSchemaFault } from '../../domain/contract/service-schema.ts'
import { findAssistantFault } from '../../domain/own-variables.ts'
import { overlapping } from '../../domain/secret-rotation.ts'
import { findApp } from '../../store/admin/apps.ts'
import { findDevice } from '../../store/admin/devices.ts'
import type { NewService, NewVersion, StoredService } from '../../store/admin/services.ts'
import * as store from '../../store/admin/services.ts'
import type { SealedSecrets } from '../../store/secret-columns.ts'
import type { GatewayContext } from '../context.ts'
import type { ServiceRef } from '../secrets/signing-secret.ts'
import { NO_SECRET_KEY, newSigningSecret, sealServiceSecret } from '../secrets/signing-secret.ts'
import { isMaskedUrl, storeAssistant } from '../secrets/stored-assistant.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, insertUnlessTaken, pageSize, taken, unknown } from './outcomes.ts'
import { endpointRecord } from './records.ts'

/**
 * Publishes version 1 of a new service on a device (201). A taken ID is ALREADY_EXISTS (409). An unusable schema or
 * URL, and an assistant that asks for one of the gateway's own environment variables, are INVALID_REQUEST (400). With
 * an `http` assistant, only this answer shows the service's secret; without GATEWAY_SECRET_KEY, such an assistant is
 * CAPABILITY_UNAVAILABLE (503).
 */
export const createEndpoint = async (
  context: GatewayContext,
  appId: string,
  body: CreateEndpoint,
): Promise<Admitted<SavedEndpoint> | Refusal> => {
  const { db, clock } = context
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  if ((await findDevice(db, body.device_id)) === null) return unknown('device', body.device_id)
  const refused = refuseSchemas(body)
  if (refused !== null) return refused
  const now = clock.now()
  const endpointId = body.endpoint_id ?? newId('ep', now)
  const saved = saveAssistant(context, { appId, endpointId, signing: null }, body.assistant)
  if ('kind' in saved) return saved
  const { secret, ...stored } = saved
  const service = newService(appId, { ...body, endpoint_id: endpointId, ...stored }, now)
  if (!(await insertUnlessTaken(store.insertService(db, service), [store.ENDPOINT_ID_CONSTRAINT])))
    return taken('service', service.endpointId)
  const published = { publishedVersion: 1, compatibility: 'compatible', publishedAt: service.createdAt } as const
  return created({ ...endpointRecord({ ...service, ...published }, now), ...secret })
}

interface SavedAssistant {
  /** In stored form; absent if the body has none. */
  readonly assistant?: unknown
  readonly signing: SealedSecrets | null
  /** Contains the secret if one was created. */
  readonly secret: { readonly secret?: string }
}

/** The stored parts of an assistant. The first `http` assistant of a service creates the service's secret. */
const saveAssistant = (
  { secrets }: Pick<GatewayContext, 'secrets'>,
  service: ServiceRef & { readonly signing: SealedSecrets | null; readonly assistant?: unknown },
  assistant: Assistant | undefined,
): SavedAssistant | Refusal => {
  const { signing } = service
  const fault = isMaskedUrl(assistant, service.assistant) ? MASKED_URL : findAssistantFault(assistant, '/assistant')
  if (fault !== null) return refuse('INVALID_REQUEST', `${fault.pointer} ${fault.message}.`, { faults: [fault] })
  if (assistant?.type !== 'http') return { ...(assistant && { assistant }), signing, secret: {} }
  if (secrets === null) return NO_SECRET_KEY
  const stored = storeAssistant(secrets, service, assistant, service.assistant)
  if (signing !== null) return { assistant: stored, signing, secret: {} }
  const secret = newSigningSecret()
  return { assistant: stored, signing: newSigning(sealServiceSecret(secrets, service, secret)), secret: { secret } }
}

/** Refuses schemas that cannot be used (D-70). */
const refuseSchemas = (body: Pick<PublishVersion, 'input_schema' | 'output_schema'>): Refusal | null => {
  const faults = findSchemaFaults(body)
  return faults.length === 0 ? null : refuse('INVALID_REQUEST', 'A schema cannot be used.', { faults })
}

/** The faults of a service's schemas. */
export const findSchemaFaults = (body: Pick<PublishVersion, 'input_schema' | 'output_schema'>): Fault[] =>
  (['input_schema', 'output_schema'] as const).flatMap((name) => {
    const schema = body[name]
    const message = schema == null ? null : findSchemaFault(schema)
    return message === null ? [] : [{ pointer: `/${name}`, message }]
  })

const MASKED_URL = {
  pointer: '/assistant/url',
  message: 'has *** in place of its query and is not the stored URL; give the whole URL',
}

const newSigning = (sealedSecret: Uint8Array): SealedSecrets => ({
  sealedSecret,
  previousSecret: null,
  sealedFileSecret: null,
})

/** Default maximum run time, in seconds (D-59). */
const MAX_RUN_SECONDS = 3600

/** The default assistant is `echo`. Without `accepts`, the service takes no attachments. */
export const newService = (
  appId: string,
  body: Omit<CreateEndpoint, 'assistant'> & {
    readonly endpoint_id: string
    /** In stored form. */
    readonly assistant?: unknown
    readonly signing: SealedSecrets | null
  },
  now: Date,
): NewService & Required<Pick<CreateEndpoint, 'accepts'>> => ({
  appId,
  endpointId: body.endpoint_id,
  deviceId: body.device_id,
  name: body.name ?? null,
  assistant: body.assistant ?? { type: 'echo' },
  accepts: body.accepts ?? [],
  inputSchema: body.input_schema ?? null,
  outputSchema: body.output_schema ?? null,
  contextActivities: body.context_activities ?? false,
  maxRunSeconds: body.max_run_seconds ?? MAX_RUN_SECONDS,
  createdAt: now,
  signing: body.signing,
})

/**
 * Publishes the next version; members that the body omits keep their values. After a breaking version, conversations
 * bound to an older version are refused until they are reset (D-23). The first `http` assistant of a service creates
 * its secret, which only that answer shows.
 */
export const publishVersion = (
  context: GatewayContext,
  appId: string,
  endpointId: string,
  body: PublishVersion,
): Promise<Admitted<SavedEndpoint> | Refusal> =>
  context.db.transaction(async (tx) => {
    const service = await store.lockService(tx, appId, endpointId)
    if (service === null) return unknown('service', endpointId)
    const refused = refuseSchemas(body)
    if (refused !== null) return refused
    const saved = saveAssistant(context, service, body.assistant)
    if ('kind' in saved) return saved
    const { secret, signing, ...stored } = saved
    const now = context.clock.now()
    const version = nextVersion(service, { ...body, ...stored }, now)
    await store.publishVersion(tx, version)
    if (signing !== null && signing !== service.signing) await store.setServiceSigning(tx, service, signing)
    return created({ ...endpointRecord({ ...service, ...version, signing }, now), ...secret })
  })

/**
 * Gives a service a new secret, which only this answer shows. Requests are signed with it at once, or, with an overlap,
 * with the old secret until the overlap ends.
 */
export const rotateEndpointSecret = (
  { db, clock, secrets }: GatewayContext,
  appId: string,
  endpointId: string,
  overlapSeconds = 0,
): Promise<Admitted<SavedEndpoint> | Refusal> =>
  db.transaction(async (tx) => {
    const service = await store.lockService(tx, appId, endpointId)
    if (service === null) return unknown('service', endpointId)
    if (service.signing === null)
      return refuse('INVALID_REQUEST', 'The service has no secret: only services with an http assistant have one.')
    if (secrets === null) return NO_SECRET_KEY
    const now = clock.now()
    const secret = newSigningSecret()
    const signing = {
      ...service.signing,
      sealedSecret: sealServiceSecret(secrets, service, secret),
      previousSecret: overlapping(service.signing.sealedSecret, overlapSeconds, now),
    }
    await store.setServiceSigning(tx, service, signing)
    return changed({ ...endpointRecord({ ...service, signing }, now), secret })
  })

/** @param body With the assistant in stored form. */
export const nextVersion = (
  service: StoredService,
  body: Omit<PublishVersion, 'assistant'> & { readonly assistant?: unknown },
  now: Date,
): NewVersion => ({
  appId: service.appId,
  endpointId: service.endpointId,
  publishedVersion: service.publishedVersion + 1,
  compatibility: body.compatibility ?? 'compatible',
  assistant: body.assistant ?? service.assistant,
  accepts: body.accepts ?? service.accepts,
  inputSchema: body.input_schema === undefined ? service.inputSchema : body.input_schema,
  outputSchema: body.output_schema === undefined ? service.outputSchema : body.output_schema,
  contextActivities: body.context_activities ?? service.contextActivities,
  maxRunSeconds: body.max_run_seconds ?? service.maxRunSeconds,
  publishedAt: now,
})

export const getEndpoint = async (
  { db, clock }: GatewayContext,
  appId: string,
  endpointId: string,
): Promise<Found<Endpoint> | Refusal> => {
  const service = await store.findService(db, appId, endpointId)
  return service === null ? unknown('service', endpointId) : found(endpointRecord(service, clock.now()))
}

/** Services of the application, newest first; an empty page ends the list. */
export const listEndpoints = async (
  { db, clock }: GatewayContext,
  appId: string,
  page: PageQuery,
): Promise<Found<EndpointList> | Refusal> => {
  if ((await findApp(db, appId)) === null) return unknown('application', appId)
  if (page.before !== undefined && (await store.findService(db, appId, page.before)) === null)
    return unknown('service', page.before)
  const services = await store.listServices(db, appId, page.before ?? null, pageSize(page))
  const now = clock.now()
  return found({ endpoints: services.map((service) => endpointRecord(service, now)) })
}
