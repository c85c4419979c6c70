import type { PreviousSecret } from '../domain/secret-rotation.ts'
import type { WebhookConfiguration } from '../domain/webhook-mapping.ts'
import type { Queryable, Statement } from './db.ts'
import type { SecretColumns } from './secret-columns.ts'
import { previousOf } from './secret-columns.ts'

/** An integration with the state of its application, for a delivery. */
export interface ReceivingWebhook {
  readonly appId: string
  readonly integrationId: string
  readonly configuration: WebhookConfiguration
  readonly sealedSecret: Uint8Array
  readonly previousSecret: PreviousSecret | null
  readonly appState: 'active' | 'disabled'
  readonly pendingLimit: number | null
}

const FIND: Statement = {
  name: 'find_receiving_webhook',
  access: 'read',
  text: `select w.app_id as "appId", w.integration_id as "integrationId",
      w.configuration, w.secret as "sealedSecret", w.previous_secret as "previousSealed",
      w.previous_secret_until as "previousUntil", a.state as "appState", a.pending_limit as "pendingLimit"
    from webhooks w join apps a on a.app_id = w.app_id where w.integration_id = $1`,
}

/** A delivery names only the integration, so the tenant is not known yet. */
export const findReceivingWebhook = async (db: Queryable, integrationId: string): Promise<ReceivingWebhook | null> => {
  const [row] = await db.query<Omit<ReceivingWebhook, 'previousSecret'> & SecretColumns>(FIND, [integrationId])
  if (row === undefined) return null
  const { previousSealed, previousUntil, ...webhook } = row
  return { ...webhook, previousSecret: previousOf({ previousSealed, previousUntil }) }
}
