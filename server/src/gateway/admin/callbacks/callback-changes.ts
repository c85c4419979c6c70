import type { CreateCallback } from '@conversation-gateway/openapi/generated/admin-closed'
import { overlapping } from '../../../domain/secret-rotation.ts'
import type { StoredCallback } from '../../../store/admin/callbacks.ts'
import type { StoredUrl } from '../../secrets/stored-url.ts'

/** The encrypted parts of a new configuration. */
export interface SealedParts {
  readonly url: StoredUrl
  readonly secret: Uint8Array
  readonly fileSecret: Uint8Array | null
}

/** Version 1 of a configuration; enabled by default. */
export const newCallback = (
  body: Pick<CreateCallback, 'app_id' | 'endpoint_id' | 'events' | 'enabled'>,
  callbackId: string,
  deviceId: string,
  sealed: SealedParts,
  now: Date,
): StoredCallback => ({
  callbackId,
  appId: body.app_id,
  endpointId: body.endpoint_id,
  deviceId,
  ...sealed.url,
  eventTypes: body.events,
  enabled: body.enabled ?? true,
  version: 1,
  revision: 1,
  sealedSecret: sealed.secret,
  previousSecret: null,
  sealedFileSecret: sealed.fileSecret,
  createdAt: now,
  updatedAt: now,
})

/** The changes; `url` and `secret` only if they differ from the stored ones. */
export interface CallbackChanges {
  readonly url?: StoredUrl
  readonly events?: readonly string[]
  readonly enabled?: boolean
  readonly secret?: { readonly sealed: Uint8Array; readonly overlapSeconds: number }
}

/** Applies changes to a configuration and increments its version and revision as needed. */
export const withCallbackChanges = (
  callback: StoredCallback,
  { url, events = callback.eventTypes, enabled = callback.enabled, secret }: CallbackChanges,
  now: Date,
): StoredCallback => {
  const isNewVersion = url !== undefined || secret !== undefined
  const previousSecret =
    secret === undefined ? callback.previousSecret : overlapping(callback.sealedSecret, secret.overlapSeconds, now)
  const isDisabled = callback.enabled && !enabled
  // During the overlap the receiver can still verify deliveries, so none is cancelled.
  const isCancelling = url !== undefined || (secret !== undefined && previousSecret === null) || isDisabled
  return {
    ...callback,
    ...url,
    eventTypes: events,
    enabled,
    sealedSecret: secret?.sealed ?? callback.sealedSecret,
    previousSecret,
    version: callback.version + (isNewVersion ? 1 : 0),
    revision: callback.revision + (isCancelling ? 1 : 0),
    updatedAt: now,
  }
}
