import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { BatchRows } from '../store/batch/tables.ts'
import type { ForgottenRequest, IdempotencyRecord } from '../store/idempotency.ts'

/** An idempotency key and its scope. */
export interface RecordKey {
  readonly owner: Tenant
  readonly key: string
}

/** The recorded answers known to a batch, by idempotency key: those that it read and those that it adds. */
export interface Records {
  find(key: RecordKey): IdempotencyRecord | ForgottenRequest | undefined
  add(key: RecordKey, record: IdempotencyRecord & { readonly response: object }): void
  readonly added: BatchRows['records']
}

/** @param read The records of the keys, in their order; undefined for a key without a record. */
export const createRecords = (
  keys: readonly RecordKey[],
  read: readonly (IdempotencyRecord | ForgottenRequest | undefined)[],
): Records => {
  const known = new Map(keys.map((key, index) => [nameOf(key), read[index]]))
  const added: BatchRows['records'] = []
  return {
    added,
    find: (key) => known.get(nameOf(key)),
    add: (key, record) => {
      known.set(nameOf(key), record)
      added.push({
        app_id: key.owner.appId,
        subject: key.owner.subject,
        key: key.key,
        fingerprint: Buffer.from(record.fingerprint).toString('hex'),
        status: record.status,
        response: record.response,
      })
    },
  }
}

const nameOf = ({ owner, key }: RecordKey): string => JSON.stringify([owner.appId, owner.subject, key])
