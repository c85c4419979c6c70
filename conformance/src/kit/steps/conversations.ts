import type { Conversation } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/**
 * All conversation records in an answer, at any depth. The specification does not define the shape of the list (D-13
 * does).
 */
export const recordsIn = (value: unknown): Conversation[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('conversation_id' in value) return [value as Conversation]
  return Object.values(value).flatMap(recordsIn)
}

/** Lists conversations. Fails unless the answer is 200. The default query is the specification's example. */
export async function listItems(
  caller: Caller,
  endpointId: string,
  query = 'limit=50',
): Promise<readonly Conversation[]> {
  const search = `endpoint_id=${encodeURIComponent(endpointId)}${query === '' ? '' : `&${query}`}`
  return recordsIn(expectStatus(await caller.listConversations(search), 200).body)
}

export const idsOf = (items: readonly Conversation[]): string[] => items.map(({ conversation_id: id }) => id)

/** Number of conversations with the business key on the newest page. */
export const countByBusinessKey = async (caller: Caller, endpointId: string, businessKey: string): Promise<number> =>
  (await listItems(caller, endpointId)).filter(({ business_key: key }) => key === businessKey).length

/** Finds a conversation of the caller on the newest page of the list. */
export async function findRecord(
  t: ServerContext,
  conversationId: string,
  { by = t.me, endpointId = t.config.services.main }: { readonly by?: Caller; readonly endpointId?: string } = {},
): Promise<Conversation> {
  const found = (await listItems(by, endpointId)).find(({ conversation_id: id }) => id === conversationId)
  if (found === undefined) throw new Error(`the list of conversations has no record of ${conversationId}`)
  return found
}
