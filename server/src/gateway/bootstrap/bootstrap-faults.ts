import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { equalHashes, identifyKey } from '../../domain/api-key.ts'
import { findAssistantFault } from '../../domain/own-variables.ts'
import { findApp } from '../../store/admin/apps.ts'
import { findDevice } from '../../store/admin/devices.ts'
import { findHashedKey } from '../../store/admin/keys.ts'
import type { Queryable } from '../../store/db.ts'
import { findSchemaFaults } from '../admin/endpoints.ts'
import type { GatewayContext } from '../context.ts'
import { findCallbackFaults } from './bootstrap-callbacks.ts'
import { findServiceFaults } from './bootstrap-services.ts'
import { findWebhookFaults } from './bootstrap-webhooks.ts'

/** The faults of a bootstrap file that is valid by its schema. */
export const findBootstrapFaults = async (
  context: GatewayContext,
  db: Queryable,
  file: Bootstrap,
): Promise<readonly Fault[]> => [
  ...findRepeats(file),
  ...(await findConflicts(db, file)),
  ...(file.endpoints ?? []).flatMap((endpoint, index) =>
    findSchemaFaults(endpoint).map((fault) => ({ ...fault, pointer: `/endpoints/${index}${fault.pointer}` })),
  ),
  ...(await findServiceFaults(context, db, file)),
  ...(await findWebhookFaults(context, db, file)),
  ...(await findCallbackFaults(context, db, file)),
]

/** Entries of one kind with the same ID. */
const findRepeats = (file: Bootstrap): Fault[] => {
  const keys = (file.apps ?? []).flatMap(({ keys = [] }, app) =>
    keys.map(({ key }, index) => ({ id: identifyKey(key).reference, pointer: `/apps/${app}/keys/${index}/key` })),
  )
  return [
    ...repeats((file.apps ?? []).map(({ app_id }, index) => ({ id: app_id, pointer: `/apps/${index}/app_id` }))),
    ...repeats(keys),
    ...repeats(
      (file.devices ?? []).map(({ device_id }, index) => ({ id: device_id, pointer: `/devices/${index}/device_id` })),
    ),
    ...repeats(
      (file.endpoints ?? []).map(({ app_id, endpoint_id }, index) => ({
        id: `${app_id}/${endpoint_id}`,
        pointer: `/endpoints/${index}/endpoint_id`,
      })),
    ),
    ...repeats(
      (file.webhooks ?? []).map(({ integration_id }, index) => ({
        id: integration_id,
        pointer: `/webhooks/${index}/integration_id`,
      })),
    ),
    ...repeats(
      (file.callbacks ?? []).map(({ callback_id }, index) => ({
        id: callback_id,
        pointer: `/callbacks/${index}/callback_id`,
      })),
    ),
  ]
}

const repeats = (entries: readonly { readonly id: string; readonly pointer: string }[]): Fault[] => {
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const { id, pointer } of entries) {
    if (seen.has(id)) faults.push({ pointer, message: 'is already used by an earlier entry' })
    seen.add(id)
  }
  return faults
}

/** Missing definitions, unusable assistants, and keys with the ID of another key. */
const findConflicts = async (db: Queryable, file: Bootstrap): Promise<Fault[]> => {
  const faults: Fault[] = []
  for (const [app, { app_id, keys = [] }] of (file.apps ?? []).entries())
    for (const [index, { key }] of keys.entries()) {
      const { reference, hash } = identifyKey(key)
      const stored = await findHashedKey(db, reference)
      const ours = stored === null || (stored.appId === app_id && equalHashes(stored.secretHash, hash))
      if (!ours) faults.push({ pointer: `/apps/${app}/keys/${index}/key`, message: 'has the key ID of another key' })
    }
  const apps = new Set((file.apps ?? []).map(({ app_id }) => app_id))
  const devices = new Set((file.devices ?? []).map(({ device_id }) => device_id))
  for (const [index, { app_id, device_id, assistant }] of (file.endpoints ?? []).entries()) {
    const unusable = findAssistantFault(assistant, `/endpoints/${index}/assistant`)
    if (unusable !== null) faults.push(unusable)
    if (!apps.has(app_id) && (await findApp(db, app_id)) === null)
      faults.push({ pointer: `/endpoints/${index}/app_id`, message: 'is an application that does not exist' })
    if (!devices.has(device_id) && (await findDevice(db, device_id)) === null)
      faults.push({ pointer: `/endpoints/${index}/device_id`, message: 'is a device that does not exist' })
  }
  return faults
}
