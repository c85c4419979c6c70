import type { OperationState } from '@conversation-gateway/openapi/behaviour/operation-state'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

export interface StoredOperation {
  readonly operationId: string
  readonly conversationId: string
  readonly state: OperationState
  readonly generation: number
}

const FIND: Statement = {
  name: 'find_operation',
  access: 'read',
  text: `select operation_id as "operationId", conversation_id as "conversationId", state, generation
    from operations where app_id = $1 and subject = $2 and operation_id = $3`,
}

export const findOperation = async (
  db: Queryable,
  { appId, subject }: Tenant,
  operationId: string,
): Promise<StoredOperation | null> => (await db.query<StoredOperation>(FIND, [appId, subject, operationId]))[0] ?? null
