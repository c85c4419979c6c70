import { randomBytes } from 'node:crypto'
import type { DeliveryView } from '../../config/driver.ts'
import type { Conversation } from '../../generated/gateway.ts'
import type { ServerContext } from '../../targets/server/context.ts'
import { expectStatus } from '../../targets/server/expectations.ts'
import type { Answer } from '../../targets/server/wire.ts'

/** A callback configuration as the operator's surface shows it (D-46). */
export interface SavedCallback {
  readonly callback_id: string
  readonly url: string
  readonly version: number
  /** Shown only when it was generated just now. */
  readonly secret?: string
}

/** A delivery as the operator's surface shows it. */
export interface DeliveryRecord {
  readonly delivery_id: string
  readonly callback_id: string
  readonly conversation_id: string
  readonly event_id: string
  readonly event_type: string
  readonly state: DeliveryView['state']
  readonly attempts: number
  readonly callback_version: number
  readonly last_error: { readonly message: string; readonly status: number | null } | null
  readonly next_attempt_at: string | null
  readonly expires_at: string
  readonly created_at: string
}

/** Asks to save a configuration: completed runs of the suite's service, to where nothing is sent unless told otherwise. */
export const save = (t: ServerContext, more: Readonly<Record<string, unknown>> = {}): Promise<Answer<SavedCallback>> =>
  t.admin.request('POST', '/callbacks', {
    json: {
      app_id: t.config.apps.first.appId,
      endpoint_id: t.config.callbacks?.service,
      url: `${t.callbacks.origin}/own/${t.fresh()}`,
      events: ['run.completed'],
      enabled: false,
      ...more,
    },
  })

export const saved = async (t: ServerContext, more?: Readonly<Record<string, unknown>>): Promise<SavedCallback> =>
  expectStatus(await save(t, more), 201).body

export const change = (t: ServerContext, { callback_id: id }: SavedCallback, json: object): Promise<SavedCallback> =>
  t.admin.call('PATCH', `/callbacks/${id}`, json)

/** All deliveries of a configuration, newest first. */
export const recordsOf = async (t: ServerContext, callbackId: string): Promise<readonly DeliveryRecord[]> =>
  (await t.admin.call<{ deliveries: DeliveryRecord[] }>('GET', `/deliveries?callback_id=${callbackId}&limit=200`))
    .deliveries

/** The operator's record of a delivery. */
export const recordOf = (t: ServerContext, deliveryId: string): Promise<DeliveryRecord> =>
  t.admin.call('GET', `/deliveries/${deliveryId}`)

/** A configuration for a service of its own, so that nothing else is delivered by it. */
export async function ownCallback(t: ServerContext, more: Readonly<Record<string, unknown>> = {}) {
  const { endpointId } = await t.driver.createService()
  const path = `/own/${randomBytes(6).toString('hex')}`
  const callback = await saved(t, { endpoint_id: endpointId, url: t.callbacks.origin + path, enabled: true, ...more })
  return {
    callback,
    endpointId,
    path,
    converse: (): Promise<Conversation> => t.conversation({ endpoint_id: endpointId }),
    /** Requests that came to its own URL. */
    requests: () => t.callbacks.all().filter((request) => request.path === path),
    /** Its first delivery once this holds. */
    record: async (what: string, holds: (record: DeliveryRecord) => boolean): Promise<DeliveryRecord> => {
      const [record] = await t.until(
        what,
        () => recordsOf(t, callback.callback_id),
        ([one]) => one !== undefined && holds(one),
      )
      if (record === undefined) throw new Error(`no delivery of ${callback.callback_id}`)
      return record
    },
  }
}
