import type { WebhookConfiguration } from '../../domain/webhook-mapping.ts'
import type { Queryable, Statement, Tx } from '../db.ts'

/** An integration of incoming webhooks. */
export interface StoredWebhook {
  readonly appId: string
  readonly integrationId: string
  readonly configuration: WebhookConfiguration
  readonly sealedSecret: Uint8Array
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `app_id as "appId", integration_id as "integrationId", configuration, secret as "sealedSecret",
  created_at as "createdAt", updated_at as "updatedAt"`

const FIND: Statement = { name: 'find_webhook', text: `select ${COLUMNS} from webhooks where integration_id = $1` }

export const findWebhook = async (db: Queryable, integrationId: string): Promise<StoredWebhook | null> =>
  (await db.query<StoredWebhook>(FIND, [integrationId]))[0] ?? null

const LOCK: Statement = { name: 'lock_webhook', text: `${FIND.text} for update` }

/** The integration as it is now, locked until the transaction ends. */
export const lockWebhook = async (tx: Tx, integrationId: string): Promise<StoredWebhook | null> =>
  (await tx.query<StoredWebhook>(LOCK, [integrationId]))[0] ?? null

const LIST: Statement = {
  name: 'list_webhooks',
  text: `select ${COLUMNS} from webhooks
    where ($1::text is null or app_id = $1) and ($2::text is null or (created_at, integration_id) <
      (select b.created_at, b.integration_id from webhooks b where b.integration_id = $2))
    order by created_at desc, integration_id desc limit $3`,
}

/** Integrations created before the integration `before`, newest first; `appId` null for all applications. */
export const listWebhooks = (
  db: Queryable,
  appId: string | null,
  before: string | null,
  limit: number,
): Promise<StoredWebhook[]> => db.query<StoredWebhook>(LIST, [appId, before, limit])

const SECRETS: Statement = {
  name: 'list_webhook_secrets',
  text: `select integration_id as "integrationId", secret as "sealedSecret" from webhooks where app_id = $1`,
}

/** The secrets of all integrations of an application. */
export const listSealedSecrets = (
  db: Queryable,
  appId: string,
): Promise<Pick<StoredWebhook, 'integrationId' | 'sealedSecret'>[]> => db.query(SECRETS, [appId])

const INSERT: Statement = {
  name: 'insert_webhook',
  text: `insert into webhooks (app_id, integration_id, configuration, secret, created_at, updated_at)
    values ($1, $2, $3::json, $4, $5, $6) on conflict do nothing returning 1`,
}

/** False when the ID is taken, by whatever application. */
export const insertWebhook = async (db: Queryable, webhook: StoredWebhook): Promise<boolean> => {
  const { appId, integrationId, configuration, sealedSecret, createdAt, updatedAt } = webhook
  const values = [appId, integrationId, JSON.stringify(configuration), sealedSecret, createdAt, updatedAt]
  return (await db.query(INSERT, values)).length > 0
}

const UPDATE: Statement = {
  name: 'update_webhook',
  text: `update webhooks set configuration = $3::json, secret = $4, updated_at = $5
    where app_id = $1 and integration_id = $2`,
}

/** Writes all that can change of an integration that the transaction has locked. */
export const updateWebhook = async (tx: Tx, webhook: StoredWebhook): Promise<void> => {
  const { appId, integrationId, configuration, sealedSecret, updatedAt } = webhook
  await tx.query(UPDATE, [appId, integrationId, JSON.stringify(configuration), sealedSecret, updatedAt])
}
