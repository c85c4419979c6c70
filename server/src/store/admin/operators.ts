import type { OperatorRole } from '../../domain/operator-roles.ts'
import type { Queryable, Statement } from '../db.ts'

export interface StoredOperator {
  readonly operatorId: string
  readonly name: string
  readonly role: OperatorRole
  readonly mayReadText: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

/** The constraint that a taken name of an active operator violates. */
export const OPERATOR_NAME_CONSTRAINT = 'operators_name'

const COLUMNS = `operator_id as "operatorId", name, role, may_read_text as "mayReadText", created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

const FIND: Statement = {
  name: 'find_operator',
  access: 'read',
  text: `select ${COLUMNS} from operators where operator_id = $1`,
}

export const findOperator = async (db: Queryable, operatorId: string): Promise<StoredOperator | null> =>
  (await db.query<StoredOperator>(FIND, [operatorId]))[0] ?? null

const FIND_BY_HASH: Statement = {
  name: 'find_operator_by_hash',
  access: 'read',
  text: `select ${COLUMNS} from operators
    where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
}

/** The operator of a token's hash, unless it has expired or was revoked. */
export const findOperatorByHash = async (db: Queryable, hash: Uint8Array, now: Date): Promise<StoredOperator | null> =>
  (await db.query<StoredOperator>(FIND_BY_HASH, [hash, now]))[0] ?? null

const TOUCH: Statement = {
  name: 'touch_operator',
  access: 'write',
  text: 'update operators set last_used_at = $2 where operator_id = $1',
}

export const touchOperator = async (db: Queryable, operatorId: string, now: Date): Promise<void> => {
  await db.query(TOUCH, [operatorId, now])
}

const LIST: Statement = {
  name: 'list_operators',
  access: 'read',
  text: `select ${COLUMNS} from operators where $1::text is null or operator_id < $1
    order by operator_id desc limit $2`,
}

/** Operators older than the operator `before`, newest first. */
export const listOperators = (db: Queryable, before: string | null, limit: number): Promise<StoredOperator[]> =>
  db.query<StoredOperator>(LIST, [before, limit])

const INSERT: Statement = {
  name: 'insert_operator',
  access: 'write',
  text: `insert into operators (operator_id, name, role, may_read_text, token_hash, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}

/** @throws {UniqueViolation} `operators_name` if the name is taken. */
export const insertOperator = async (
  db: Queryable,
  operator: StoredOperator & { readonly tokenHash: Uint8Array },
): Promise<void> => {
  const { operatorId, name, role, mayReadText, tokenHash, createdAt, expiresAt } = operator
  await db.query(INSERT, [operatorId, name, role, mayReadText, tokenHash, createdAt, expiresAt])
}

const REVOKE: Statement = {
  name: 'revoke_operator',
  access: 'write',
  text: `update operators set revoked_at = coalesce(revoked_at, $2) where operator_id = $1 returning ${COLUMNS}`,
}

/** Revokes an operator; a revoked one keeps the time of revocation. */
export const revokeOperator = async (db: Queryable, operatorId: string, now: Date): Promise<StoredOperator | null> =>
  (await db.query<StoredOperator>(REVOKE, [operatorId, now]))[0] ?? null
