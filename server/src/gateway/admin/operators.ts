import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  CreatedOperator,
  CreateOperator,
  Operator,
  OperatorList,
  OperatorSelf,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { ENVIRONMENT_OPERATOR } from '../../domain/operator-roles.ts'
import { issueOperatorToken, prefixOfOperator } from '../../domain/operator-token.ts'
import type { StoredOperator } from '../../store/admin/operators.ts'
import * as store from '../../store/admin/operators.ts'
import type { OperatorIdentity } from '../access/operator-gate.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, insertUnlessTaken, pageSize, refuseExpiry, unknown } from './outcomes.ts'

const operatorRecord = (operator: StoredOperator): Operator => ({
  operator_id: operator.operatorId,
  name: operator.name,
  role: operator.role,
  may_read_text: operator.mayReadText,
  prefix: prefixOfOperator(operator.operatorId),
  created_at: operator.createdAt.toISOString(),
  expires_at: operator.expiresAt?.toISOString() ?? null,
  revoked_at: operator.revokedAt?.toISOString() ?? null,
  last_used_at: operator.lastUsedAt?.toISOString() ?? null,
})

/**
 * Creates an operator (201). The answer is the only place where the token is ever shown. A name in use is
 * ALREADY_EXISTS.
 */
export const createOperator = async (
  { db, clock }: GatewayContext,
  body: CreateOperator,
): Promise<Admitted<CreatedOperator> | Refusal> => {
  const now = clock.now()
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at)
  const refusal = refuseExpiry(expiresAt, now)
  if (refusal !== null) return refusal
  if (body.name === ENVIRONMENT_OPERATOR) return nameTaken(body.name)
  const { operatorId, hash, token } = issueOperatorToken(now)
  const operator: StoredOperator = {
    operatorId,
    name: body.name,
    role: body.role,
    mayReadText: body.may_read_text ?? false,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  }
  const insert = store.insertOperator(db, { ...operator, tokenHash: hash })
  if (!(await insertUnlessTaken(insert, [store.OPERATOR_NAME_CONSTRAINT]))) return nameTaken(body.name)
  return created({ ...operatorRecord(operator), token })
}

const nameTaken = (name: string): Refusal =>
  refuse('ALREADY_EXISTS', `There is an operator “${name}” already; choose another name, or revoke that one.`)

/** Operators without their tokens, newest first, revoked ones included. */
export const listOperators = async (
  { db }: GatewayContext,
  page: PageQuery,
): Promise<Found<OperatorList> | Refusal> => {
  if (page.before !== undefined && (await store.findOperator(db, page.before)) === null)
    return unknown('operator', page.before)
  const operators = await store.listOperators(db, page.before ?? null, pageSize(page))
  return found({ operators: operators.map(operatorRecord) })
}

/** Revokes an operator permanently, on every process at once. Revoking again changes nothing. */
export const revokeOperator = async (
  { db, clock }: GatewayContext,
  operatorId: string,
): Promise<Admitted<Operator> | Refusal> => {
  const operator = await store.revokeOperator(db, operatorId, clock.now())
  return operator === null ? unknown('operator', operatorId) : changed(operatorRecord(operator))
}

export const showOperator = async ({
  operatorId,
  name,
  role,
  mayReadText,
}: OperatorIdentity): Promise<Found<OperatorSelf>> =>
  found({ operator_id: operatorId, name, role, may_read_text: mayReadText })
