import type { WebhookConfiguration } from '../../domain/webhook-mapping.ts'
import type { Queryable, Statement, Tx } from '../db.ts'
import type { SealedSecrets, SecretColumns } from '../secret-columns.ts'
import { previousOf, SECRET_COLUMNS, secretParams } from '../secret-columns.ts'

/** An integration of incoming webhooks. */
export interface StoredWebhook extends SealedSecrets {
  readonly appId: string
  readonly integrationId: string
  readonly configuration: WebhookConfiguration
  readonly createdAt: Date
  readonly updatedAt: Date
}

type WebhookRow = Omit<StoredWebhook, 'previousSecret'> & SecretColumns

const toWebhook = ({ previousSealed, previousUntil, ...row }: WebhookRow): StoredWebhook => ({
  ...row,
  previousSecret: previousOf({ previousSealed, previousUntil }),
})

const COLUMNS = `app_id as "appId", integration_id as "integrationId", configuration, ${SECRET_COLUMNS},
  created_at as "createdAt", updated_at as "updatedAt"`

const FIND: Statement = {
  name: 'find_webhook',
  access: 'read',
  text: `select ${COLUMNS} from webhooks where integration_id = $1`,
}

export const findWebhook = async (db: Queryable, integrationId: string): Promise<StoredWebhook | null> =>
  (await db.query<WebhookRow>(FIND, [integrationId])).map(toWebhook)[0] ?? null

const LOCK: Statement = { name: 'lock_webhook', access: 'write', text: `${FIND.text} for update` }

/** The integration as it is now, locked until the transaction ends. */
export const lockWebhook = async (tx: Tx, integrationId: string): Promise<StoredWebhook | null> =>
  (await tx.query<WebhookRow>(LOCK, [integrationId])).map(toWebhook)[0] ?? null

const LIST: Statement = {
  name: 'list_webhooks',
  access: 'read',
  text: `select ${COLUMNS} from webhooks
    where ($1::text is null or app_id = $1) and ($2::text is null or (created_at, integration_id) <
      (select b.created_at, b.integration_id from webhooks b where b.integration_id = $2))
    order by created_at desc, integration_id desc limit $3`,
}

/** Integrations created before the integration `before`, newest first; `appId` null for all applications. */
export const listWebhooks = async (
  db: Queryable,
  appId: string | null,
  before: string | null,
  limit: number,
): Promise<StoredWebhook[]> => (await db.query<WebhookRow>(LIST, [appId, before, limit])).map(toWebhook)

const SECRETS: Statement = {
  name: 'list_webhook_secrets',
  access: 'read',
  text: `select integration_id as "integrationId", secret as "sealedSecret" from webhooks where app_id = $1
    union all
    select integration_id, previous_secret from webhooks where app_id = $1 and previous_secret is not null`,
}

/** The secrets of all integrations of an application, including old ones after a rotation. */
export const listSealedSecrets = (
  db: Queryable,
  appId: string,
): Promise<Pick<StoredWebhook, 'integrationId' | 'sealedSecret'>[]> => db.query(SECRETS, [appId])

const LOCK_NEXT: Statement = {
  name: 'lock_next_webhooks',
  access: 'write',
  text: `select ${COLUMNS} from webhooks where integration_id > $1 order by integration_id limit $2 for update`,
}

/** The integrations that follow an ID, locked until the transaction ends. */
export const lockNextWebhooks = async (tx: Tx, after: string, limit: number): Promise<StoredWebhook[]> =>
  (await tx.query<WebhookRow>(LOCK_NEXT, [after, limit])).map(toWebhook)

const INSERT: Statement = {
  name: 'insert_webhook',
  access: 'write',
  text: `insert into webhooks (app_id, integration_id, configuration, secret, previous_secret, previous_secret_until,
      file_secret, updated_at, created_at)
    values ($1, $2, $3::json, $4, $5, $6, $7, $8, $9) on conflict do nothing returning 1`,
}

const columns = (webhook: StoredWebhook) => [
  webhook.appId,
  webhook.integrationId,
  JSON.stringify(webhook.configuration),
  ...secretParams(webhook),
  webhook.updatedAt,
]

/** False if the ID is taken by any application. */
export const insertWebhook = async (db: Queryable, webhook: StoredWebhook): Promise<boolean> =>
  (await db.query(INSERT, [...columns(webhook), webhook.createdAt])).length > 0

const UPDATE: Statement = {
  name: 'update_webhook',
  access: 'write',
  text: `update webhooks set configuration = $3::json, secret = $4, previous_secret = $5, previous_secret_until = $6,
      file_secret = $7, updated_at = $8
    where app_id = $1 and integration_id = $2`,
}

/** Writes all mutable columns of an integration that the transaction has locked. */
export const updateWebhook = async (tx: Tx, webhook: StoredWebhook): Promise<void> => {
  await tx.query(UPDATE, columns(webhook))
}
