import { hash } from 'node:crypto'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement, Tx } from './db.ts'

/** An admitted request: its fingerprint and its answer (D-12). */
export interface IdempotencyRecord {
  readonly fingerprint: Uint8Array
  readonly status: 201 | 202
  readonly response: unknown
}

/** A request whose effect was erased (D-63). */
export interface ForgottenRequest {
  readonly status: 404
}

/** The constraint that a second request with the same key violates. */
export const IDEMPOTENCY_KEY_CONSTRAINT = 'idempotency_pkey'

const FIND: Statement = {
  name: 'find_idempotency',
  access: 'read',
  text: `
select fingerprint, status, response from idempotency where app_id = $1 and subject = $2 and key = $3
union all
select fingerprint, status, response from idempotency where app_id = $1 and subject = ' erased' and key = $4
limit 1`,
}

/** The hash that replaces the key of an erased request. Keys contain no spaces, so it is unique for key and subject. */
const forgottenKey = (subject: string, key: string): string => hash('sha256', `${key} ${subject}`)

export const findIdempotencyRecord = async (
  db: Queryable,
  { appId, subject }: Tenant,
  key: string,
): Promise<IdempotencyRecord | ForgottenRequest | null> =>
  (await db.query<IdempotencyRecord | ForgottenRequest>(FIND, [appId, subject, key, forgottenKey(subject, key)]))[0] ??
  null

const FIND_ALL: Statement = {
  name: 'find_idempotency_records',
  access: 'read',
  text: `
select n.ordinal, i.fingerprint, i.status, i.response
from json_to_recordset($1::json) as n(ordinal integer, app_id text, subject text, key text, forgotten text)
cross join lateral (
  select * from idempotency where app_id = n.app_id and subject = n.subject and key = n.key offset 0
) i
union all
select n.ordinal, i.fingerprint, i.status, i.response
from json_to_recordset($1::json) as n(ordinal integer, app_id text, forgotten text)
cross join lateral (
  select * from idempotency where app_id = n.app_id and subject = ' erased' and key = n.forgotten offset 0
) i`,
}

/** The records of several keys, in the order of the keys. */
export const findIdempotencyRecords = async (
  tx: Tx,
  keys: readonly { readonly owner: Tenant; readonly key: string }[],
): Promise<(IdempotencyRecord | ForgottenRequest | undefined)[]> => {
  const asked = keys.map(({ owner, key }, ordinal) => ({
    ordinal,
    app_id: owner.appId,
    subject: owner.subject,
    key,
    forgotten: forgottenKey(owner.subject, key),
  }))
  const found = await tx.query<(IdempotencyRecord | ForgottenRequest) & { ordinal: number }>(FIND_ALL, [
    JSON.stringify(asked),
  ])
  const records: (IdempotencyRecord | ForgottenRequest | undefined)[] = keys.map(() => undefined)
  for (const { ordinal, ...record } of found) records[ordinal] = record
  return records
}

const RECORD: Statement = {
  name: 'record_idempotency',
  access: 'write',
  text: `insert into idempotency (app_id, subject, key, fingerprint, status, response, created_at)
    values ($1, $2, $3, $4, $5, $6::json, $7)`,
}

/** Records the answer in the transaction that makes the change. @throws {UniqueViolation} if the key was used. */
export const recordIdempotency = async (
  tx: Tx,
  { appId, subject }: Tenant,
  key: string,
  record: IdempotencyRecord,
  now: Date,
): Promise<void> => {
  const { fingerprint, status, response } = record
  await tx.query(RECORD, [appId, subject, key, fingerprint, status, JSON.stringify(response), now])
}
