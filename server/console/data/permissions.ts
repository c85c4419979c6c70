import { ADMIN_OPERATIONS } from '@conversation-gateway/sdk/admin'
import { session } from '../session.ts'

export type OperationId = keyof typeof ADMIN_OPERATIONS

const RANKS = { read: 0, operate: 1, admin: 2 } as const

/** Whether whoever is signed in may ask for an operation; the contract says which role it takes. */
export const may = (operation: OperationId): boolean => {
  const role = session.value?.self.role
  return role !== undefined && RANKS[role] >= RANKS[ADMIN_OPERATIONS[operation].operatorRole]
}

/** Whether whoever is signed in may ask for the words of messages. */
export const mayReadText = (): boolean => session.value?.self.may_read_text === true
