import { equalHashes, hashToken } from '../domain/api-key.ts'
import type { Refusal } from '../domain/refusal.ts'
import { refuse } from '../domain/refusal.ts'
import { readBearer } from './bearer.ts'
import type { Peer, StrangerLimit } from './limit-strangers.ts'

/** Refuses whoever does not present the admin token (D-46); null lets the operator in. */
export type OperatorGate = (authorization: string | undefined, peer: Peer) => Refusal | null

/**
 * The comparison takes the same time whatever is presented. Without an admin token nobody is let in; an address that has
 * shown too many wrong ones is RATE_LIMITED.
 */
export const createOperatorGate = (adminToken: string | null, strangers: StrangerLimit): OperatorGate => {
  const expected = adminToken === null ? null : hashToken(adminToken)
  return (authorization, peer) => {
    const token = readBearer(authorization)
    if (token === undefined) return NO_OPERATOR
    if (expected !== null && equalHashes(expected, hashToken(token))) return null
    const limited = strangers.refuse(peer)
    if (limited !== null) return limited
    strangers.count(peer)
    return NO_OPERATOR
  }
}

const NO_OPERATOR = refuse('UNAUTHENTICATED', 'Send the admin token as `Authorization: Bearer <token>`.')
