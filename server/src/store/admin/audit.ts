import type { OperatorRole } from '../../domain/operator-roles.ts'
import type { Queryable, Statement } from '../db.ts'

/** A change, or a read of message contents, that an operator requested. */
export interface StoredAuditRecord {
  readonly auditId: string
  readonly at: Date
  readonly operatorId: string | null
  readonly operator: string
  readonly role: OperatorRole
  readonly operation: string
  readonly target: Readonly<Record<string, string>>
  readonly input: Readonly<Record<string, unknown>>
  readonly requestId: string
  /** Null until the outcome is known. */
  readonly status: number | null
  readonly code: string | null
  /** The numbers in the response, by name; null until the outcome is known. */
  readonly result: Readonly<Record<string, number>> | null
}

const INSERT: Statement = {
  name: 'insert_audit_record',
  access: 'write',
  text: `insert into audit_records (audit_id, at, operator_id, operator, role, operation, target, input, request_id)
    values ($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9)`,
}

export const insertAuditRecord = async (
  db: Queryable,
  record: Omit<StoredAuditRecord, 'status' | 'code' | 'result'>,
): Promise<void> => {
  const { auditId, at, operatorId, operator, role, operation, target, input, requestId } = record
  const json = [JSON.stringify(target), JSON.stringify(input)]
  await db.query(INSERT, [auditId, at, operatorId, operator, role, operation, ...json, requestId])
}

const SETTLE: Statement = {
  name: 'settle_audit_record',
  access: 'write',
  text: 'update audit_records set target = $2::json, status = $3, code = $4, result = $5::json where audit_id = $1',
}

/** Records the outcome of the request, and its target with the IDs from the response. */
export const settleAuditRecord = async (
  db: Queryable,
  {
    auditId,
    target,
    status,
    code,
    result,
  }: Pick<StoredAuditRecord, 'auditId' | 'target' | 'status' | 'code' | 'result'>,
): Promise<void> => {
  await db.query(SETTLE, [auditId, JSON.stringify(target), status, code, JSON.stringify(result)])
}

const COLUMNS = `audit_id as "auditId", at, operator_id as "operatorId", operator, role, operation, target, input,
  request_id as "requestId", status, code, result`

const LIST: Statement = {
  name: 'list_audit_records',
  access: 'read',
  text: `select ${COLUMNS} from audit_records
    where ($1::text is null or operator = $1) and ($2::text is null or operation = $2)
      and ($3::text is null or audit_id >= $3) and ($4::text is null or audit_id < $4)
    order by audit_id desc limit $5`,
}

export interface AuditFilter {
  readonly operator: string | null
  readonly operation: string | null
  /** Records with this ID and later ones. */
  readonly fromId: string | null
  /** Records before this ID. */
  readonly beforeId: string | null
}

/** Newest first. */
export const listAuditRecords = (
  db: Queryable,
  { operator, operation, fromId, beforeId }: AuditFilter,
  limit: number,
): Promise<StoredAuditRecord[]> => db.query<StoredAuditRecord>(LIST, [operator, operation, fromId, beforeId, limit])

const EXISTS: Statement = {
  name: 'audit_record_exists',
  access: 'read',
  text: 'select 1 from audit_records where audit_id = $1',
}

export const hasAuditRecord = async (db: Queryable, auditId: string): Promise<boolean> =>
  (await db.query(EXISTS, [auditId])).length > 0
