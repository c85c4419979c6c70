import type { ShownOperation } from '@conversation-gateway/openapi/behaviour/records'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Queryable, Statement } from './db.ts'

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
): Promise<ShownOperation | null> => (await db.query<ShownOperation>(FIND, [appId, subject, operationId]))[0] ?? null
