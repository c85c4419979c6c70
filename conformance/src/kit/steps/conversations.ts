import type { Conversation } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/** All conversation records in an answer, wherever they are: the specification leaves the list's shape open (D-13 decides it). */
export const recordsIn = (value: unknown): Conversation[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('conversation_id' in value) return [value as Conversation]
  return Object.values(value).flatMap(recordsIn)
}

/** The items of a list that must be answered with 200; the default limit is the specification's own example. */
export async function listItems(
  caller: Caller,
  endpointId: string,
  query = 'limit=50',
): Promise<readonly Conversation[]> {
  const search = `endpoint_id=${encodeURIComponent(endpointId)}${query === '' ? '' : `&${query}`}`
  return recordsIn(expectStatus(await caller.listConversations(search), 200).body)
}

export const idsOf = (items: readonly Conversation[]): string[] => items.map(({ conversation_id: id }) => id)

/** How many conversations of this device the newest page shows under the business key. */
export const countByBusinessKey = async (caller: Caller, endpointId: string, businessKey: string): Promise<number> =>
  (await listItems(caller, endpointId)).filter(({ business_key: key }) => key === businessKey).length

/** The record of a conversation of the caller, as the list shows it. */
export async function findRecord(
  t: ServerContext,
  conversationId: string,
  { by = t.me, endpointId = t.config.services.main }: { readonly by?: Caller; readonly endpointId?: string } = {},
): Promise<Conversation> {
  const found = (await listItems(by, endpointId)).find(({ conversation_id: id }) => id === conversationId)
  if (found === undefined) throw new Error(`the list of conversations has no record of ${conversationId}`)
  return found
}
