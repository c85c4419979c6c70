import type { Conversation } from '../../../generated/gateway.ts'
import type { Caller } from '../../../targets/server/caller.ts'
import { expectStatus } from '../../../targets/server/expectations.ts'

/** A list's items, wherever they stand: the specification leaves its top level open (D-13 decides it). */
export function itemsIn(body: unknown): readonly Conversation[] {
  if (typeof body !== 'object' || body === null) return []
  if (Array.isArray(body) && body.every(isConversation)) return body
  return Object.values(body).flatMap((member) => (typeof member === 'object' ? itemsIn(member) : []))
}

const isConversation = (value: unknown): value is Conversation =>
  typeof value === 'object' && value !== null && 'conversation_id' in value

/** The items of a list that must be answered with 200. */
export async function listItems(caller: Caller, endpointId: string, query = ''): Promise<readonly Conversation[]> {
  const search = `endpoint_id=${encodeURIComponent(endpointId)}${query === '' ? '' : `&${query}`}`
  return itemsIn(expectStatus(await caller.listConversations(search), 200).body)
}

export const idsOf = (items: readonly Conversation[]): string[] => items.map(({ conversation_id: id }) => id)

/** How many conversations of this device the newest page shows under the business key. */
export const countByBusinessKey = async (caller: Caller, endpointId: string, businessKey: string): Promise<number> =>
  (await listItems(caller, endpointId)).filter(({ business_key: key }) => key === businessKey).length
