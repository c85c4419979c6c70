import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '../domain/refusal.ts'
import { SecretBoxError } from '../domain/secret-box.ts'
import type { Bootstrap, BootstrapWebhook } from '../generated/bootstrap.ts'
import { findApp } from '../store/admin/apps.ts'
import { findService } from '../store/admin/services.ts'
import type { StoredWebhook } from '../store/admin/webhooks.ts'
import { findWebhook, insertWebhook, lockWebhook, updateWebhook } from '../store/admin/webhooks.ts'
import type { Queryable, Tx } from '../store/db.ts'
import { newConfiguration } from './admin/webhooks.ts'
import type { GatewayContext } from './context.ts'
import { isOutgoingSecret } from './used-secrets.ts'
import { openWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

/** What the webhooks of a bootstrap file need but nobody defines, and IDs that belong to another application already. */
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
    if (stored !== null && stored.appId !== app_id) fault('integration_id', 'is that of another application')
    if (await isOutgoingSecret(secrets, db, app_id, secret))
      fault('secret', 'must be different from the secret of an outgoing callback')
  }
  return faults
}

/** Brings an integration to what the file says; members that the entry leaves out stay. */
export const applyWebhook = async (
  { clock, secrets }: Pick<GatewayContext, 'clock' | 'secrets'>,
  tx: Tx,
  entry: BootstrapWebhook,
): Promise<void> => {
  if (secrets === null) throw new SecretBoxError('GATEWAY_SECRET_KEY is not set')
  const { integration_id: integrationId, app_id: appId, secret } = entry
  const now = clock.now()
  const stored = await lockWebhook(tx, integrationId)
  const seal = () => sealWebhookSecret(secrets, integrationId, secret)
  if (stored === null) {
    const configuration = newConfiguration(entry)
    const webhook = { appId, integrationId, configuration, sealedSecret: seal(), createdAt: now, updatedAt: now }
    await insertWebhook(tx, webhook)
    return
  }
  const enabled = entry.enabled ?? stored.configuration.enabled
  const configuration = { ...stored.configuration, ...newConfiguration({ ...entry, enabled }) }
  const isSecretKept = openStored(stored, (sealed) => openWebhookSecret(secrets, integrationId, sealed)) === secret
  if (isSecretKept && isDeepStrictEqual(configuration, stored.configuration)) return
  const sealedSecret = isSecretKept ? stored.sealedSecret : seal()
  await updateWebhook(tx, { ...stored, configuration, sealedSecret, updatedAt: now })
}

/** The stored secret; null when it was stored with a key that is gone, and the file's replaces it. */
const openStored = ({ sealedSecret }: StoredWebhook, open: (sealed: Uint8Array) => string): string | null => {
  try {
    return open(sealedSecret)
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}
