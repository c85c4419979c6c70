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
import type { Peer, StrangerLimit } from './limit-strangers.ts'

/** Who asks for an operation of the operator's API. */
export interface OperatorIdentity {
  /** Null for whoever has the token of the settings. */
  readonly operatorId: string | null
  readonly name: string
  readonly role: OperatorRole
  readonly mayReadText: boolean
}

/** Tells whose token is presented (D-46), or refuses. */
export type OperatorGate = (
  authorization: string | undefined,
  peer: Peer,
) => OperatorIdentity | Refusal | Promise<OperatorIdentity | Refusal>

/** Looks up whose token has this hash; null for nobody's, and for one that is of no use any more. */
export type FindOperator = (hash: Uint8Array) => Promise<OperatorIdentity | null>

/**
 * The comparison takes the same time whatever is presented. An address that has shown too many wrong tokens is RATE_LIMITED,
 * and nothing is looked up for it.
 * @param adminToken The token of the settings; null where there is none.
 */
export const createOperatorGate = (
  adminToken: string | null,
  findOperator: FindOperator,
  strangers: StrangerLimit,
): OperatorGate => {
  const expected = adminToken === null ? null : hashToken(adminToken)
  return (authorization, peer) => {
    const token = readBearer(authorization)
    if (token === undefined) return NO_TOKEN
    const hash = hashToken(token)
    if (expected !== null && equalHashes(expected, hash)) return FROM_SETTINGS
    const limited = strangers.refuse(peer)
    if (limited !== null) return limited
    const fail = (): Refusal => {
      strangers.count(peer)
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

/** How old the moment of an operator's last use may be before it is written anew. */
const TOUCH_MS = 60_000

/** Finds operators in the database, so that one who is revoked is refused from the next request on. */
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
