import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { equalHashes, hashToken } from '../../domain/api-key.ts'
import type { OperatorRole } from '../../domain/operator-roles.ts'
import { ENVIRONMENT_OPERATOR } from '../../domain/operator-roles.ts'
import { isOperatorToken } from '../../domain/operator-token.ts'
import type { StoredOperator } from '../../store/admin/operators.ts'
import { findOperatorByHash, touchOperator } from '../../store/admin/operators.ts'
import type { Db } from '../../store/db.ts'
import { readBearer } from './bearer.ts'
import type { FailureLimit, Peer } from './limit-failures.ts'

/** The caller of an operation of the operator's API. */
export interface OperatorIdentity {
  /** Null for the token of the settings. */
  readonly operatorId: string | null
  readonly name: string
  readonly role: OperatorRole
  readonly mayReadText: boolean
}

/** Identifies the operator of a token (D-46), or refuses. */
export type OperatorGate = (
  authorization: string | undefined,
  peer: Peer,
) => OperatorIdentity | Refusal | Promise<OperatorIdentity | Refusal>

/** Looks up the operator by the token's hash; null for unknown, expired or revoked tokens. */
export type FindOperator = (hash: Uint8Array) => Promise<OperatorIdentity | null>

/**
 * Compares the token of the settings in constant time, and accepts it from every address. Any other token from an
 * address with too many wrong ones is RATE_LIMITED without a look-up.
 * @param adminToken The token of the settings; null if it is not set.
 */
export const createOperatorGate = (
  adminToken: string | null,
  findOperator: FindOperator,
  failureLimit: FailureLimit,
): OperatorGate => {
  const expected = adminToken === null ? null : hashToken(adminToken)
  return (authorization, peer) => {
    const token = readBearer(authorization)
    if (token === undefined) return NO_TOKEN
    const hash = hashToken(token)
    if (expected !== null && equalHashes(expected, hash)) return FROM_SETTINGS
    const limited = failureLimit.refuse(peer)
    if (limited !== null) return limited
    const fail = (): Refusal => {
      failureLimit.count(peer)
      return WRONG_TOKEN
    }
    return isOperatorToken(token) ? findOperator(hash).then((found) => found ?? fail()) : fail()
  }
}

const FROM_SETTINGS: OperatorIdentity = {
  operatorId: null,
  name: ENVIRONMENT_OPERATOR,
  role: 'admin',
  mayReadText: true,
}

const NO_TOKEN = refuse('UNAUTHENTICATED', 'Send an operator’s token as `Authorization: Bearer <token>`.')
const WRONG_TOKEN = refuse('UNAUTHENTICATED', 'The operator’s token is not valid.')

/** Minimum interval between writes of an operator's last use. */
const TOUCH_MS = 60_000

/** Looks up operators in the database for each request, so that a revoked one is refused at once. */
export const createFindOperator =
  (db: Db, clock: Clock): FindOperator =>
  async (hash) => {
    const now = clock.now()
    const operator = await findOperatorByHash(db, hash, now)
    if (operator === null) return null
    if (isUsedLongAgo(operator, now)) await touchOperator(db, operator.operatorId, now)
    const { operatorId, name, role, mayReadText } = operator
    return { operatorId, name, role, mayReadText }
  }

const isUsedLongAgo = ({ lastUsedAt }: StoredOperator, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_MS
