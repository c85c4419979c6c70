import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Bootstrap, BootstrapWebhook } from '@conversation-gateway/openapi/generated/bootstrap'
import { findApp } from '../../store/admin/apps.ts'
import { findService } from '../../store/admin/services.ts'
import type { StoredWebhook } from '../../store/admin/webhooks.ts'
import { findWebhook, insertWebhook, lockWebhook, updateWebhook } from '../../store/admin/webhooks.ts'
import type { Queryable, Tx } from '../../store/db.ts'
import { newConfiguration } from '../admin/webhooks.ts'
import type { GatewayContext } from '../context.ts'
import { sealWebhookSecret, webhookSecretContext } from '../secrets/signing-secret.ts'
import { isOutgoingSecret } from '../secrets/used-secrets.ts'
import type { NoteChange } from './bootstrap-changes.ts'
import { changedFields } from './bootstrap-changes.ts'
import { judgeFileSecret, requireSecrets } from './bootstrap-secret.ts'
import { fileSecretContext, sealFileSecret } from './file-secret.ts'

/** The faults of a bootstrap file's webhooks: missing definitions and forbidden values. */
export const findWebhookFaults = async (
  { secrets }: Pick<GatewayContext, 'secrets'>,
  db: Queryable,
  file: Bootstrap,
): Promise<Fault[]> => {
  const { webhooks = [], apps = [], endpoints = [] } = file
  if (webhooks.length > 0 && secrets === null)
    return [{ pointer: '/webhooks', message: 'needs GATEWAY_SECRET_KEY, which encrypts the stored secrets' }]
  const faults: Fault[] = []
  for (const [index, { integration_id, app_id, endpoint_id, secret }] of webhooks.entries()) {
    const fault = (member: string, message: string) => faults.push({ pointer: `/webhooks/${index}/${member}`, message })
    const isNewApp = apps.some((app) => app.app_id === app_id)
    const isNewService = endpoints.some((service) => service.app_id === app_id && service.endpoint_id === endpoint_id)
    if (!isNewApp && (await findApp(db, app_id)) === null) fault('app_id', 'is an application that does not exist')
    else if (!isNewService && (await findService(db, app_id, endpoint_id)) === null)
      fault('endpoint_id', 'is a service that does not exist')
    const stored = await findWebhook(db, integration_id)
    if (stored !== null && stored.appId !== app_id) fault('integration_id', 'belongs to another application')
    if (await isOutgoingSecret(secrets, db, app_id, secret))
      fault('secret', 'must be different from the secret of an outgoing callback')
  }
  return faults
}

/**
 * Creates an integration, or updates it to match the file. Members that the file omits keep their values. A rotated
 * secret stays until the file has another one.
 */
export const applyWebhook = async (
  { clock, secrets: box }: Pick<GatewayContext, 'clock' | 'secrets'>,
  tx: Tx,
  entry: BootstrapWebhook,
  note: NoteChange,
): Promise<void> => {
  const secrets = requireSecrets(box)
  const { integration_id: id, app_id: appId, secret } = entry
  const now = clock.now()
  const fileContext = fileSecretContext('webhook', id)
  const stored = await lockWebhook(tx, id)
  if (stored === null) {
    const isInserted = await insertWebhook(tx, {
      appId,
      integrationId: id,
      configuration: newConfiguration(entry),
      sealedSecret: sealWebhookSecret(secrets, id, secret),
      previousSecret: null,
      sealedFileSecret: sealFileSecret(secrets, fileContext, secret),
      createdAt: now,
      updatedAt: now,
    })
    if (!isInserted) throw new Error(`another request created the webhook ${id} while the file was applied`)
    return note({ kind: 'webhook', id, change: 'created', fields: [] })
  }
  const enabled = entry.enabled ?? stored.configuration.enabled
  const configuration = { ...stored.configuration, ...newConfiguration({ ...entry, enabled }) }
  const context = webhookSecretContext(id)
  const { kind, sealedFileSecret } = judgeFileSecret(secrets, context, fileContext, stored, secret)
  const isEdited = kind === 'edited'
  const next: StoredWebhook = {
    ...stored,
    configuration,
    ...(isEdited ? { sealedSecret: sealWebhookSecret(secrets, id, secret), previousSecret: null } : {}),
    sealedFileSecret,
  }
  if (isDeepStrictEqual(next, stored)) return
  const fields = [...changedFields(stored.configuration, configuration), ...(isEdited ? ['secret'] : [])]
  await updateWebhook(tx, fields.length === 0 ? next : { ...next, updatedAt: now })
  if (fields.length > 0) note({ kind: 'webhook', id, change: 'changed', fields })
  if (kind === 'unknown') note({ kind: 'webhook', id, change: 'kept', fields: ['secret'] })
}
