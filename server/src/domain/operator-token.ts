import { randomBytes } from 'node:crypto'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { hashToken } from './api-key.ts'

/** A new operator's token, which is shown once and stored nowhere. */
export interface IssuedOperatorToken {
  readonly operatorId: string
  readonly hash: Uint8Array
  readonly token: string
}

const SECRET_BYTES = 32
const ISSUED = /^gop_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/

/** Makes a token `gop_<operator id>_<secret>`; it contains the ID without its prefix `opr_`. */
export const issueOperatorToken = (now: Date): IssuedOperatorToken => {
  const operatorId = newId('opr', now)
  const token = `${prefixOfOperator(operatorId)}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { operatorId, hash: hashToken(token), token }
}

/** The prefix of an operator's token. */
export const prefixOfOperator = (operatorId: string): string => `gop_${operatorId.slice('opr_'.length)}`

/** Whether a token has the form of an issued one; any other needs no look-up. */
export const isOperatorToken = (token: string): boolean => ISSUED.test(token)
