import { ADMIN_OPERATIONS } from '@conversation-gateway/sdk/admin'
import { session } from '../session.ts'

export type OperationId = keyof typeof ADMIN_OPERATIONS

const RANKS = { read: 0, operate: 1, admin: 2 } as const

/** Whether the signed-in operator may call an operation; the contract defines the role. */
export const may = (operation: OperationId): boolean => {
  const role = session.value?.self.role
  return role !== undefined && RANKS[role] >= RANKS[ADMIN_OPERATIONS[operation].operatorRole]
}

/** Whether the signed-in operator may read message texts. */
export const mayReadText = (): boolean => session.value?.self.may_read_text === true
