import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { isApiError } from '../../src/index.ts'
import { countEvents, type FaultMatrix } from './matrix.ts'
import { collectEvents, createFinishedConversation } from './run-streams.ts'
import type { World } from './world.ts'

/**
 * Prunes the events that a disconnected stream needs. The stream must end with the typed error, and a new stream from
 * the position of the snapshot must have no gap.
 */
export const runExpiry = async (world: World, matrix: FaultMatrix): Promise<void> => {
  const { client, proxy, plain } = world
  const { conversationId, log } = await createFinishedConversation(world, 2)
  const last = log.at(-1)?.seq ?? 0
  const before: EventEnvelope[] = []
  proxy.inject({ path: /\/events/, fault: { kind: 'cut-stream', afterEvents: 2, how: 'complete' } })
  try {
    for await (const event of client.conversations.events(conversationId)) {
      before.push(event)
      if (before.length === 2) await plain.prune(conversationId, last - 1)
    }
    throw new Error('the stream ended without an error')
  } catch (error) {
    if (!isApiError(error, 'CURSOR_EXPIRED')) throw error
  }
  const { watermark } = await client.conversations.get(conversationId)
  await client.messages.send(conversationId, { expected_generation: 1, input: { text: 'after the gap' } })
  const after = (await plain.settledEvents(conversationId)).filter(({ seq }) => seq > watermark)
  const seen = await collectEvents(
    client.conversations.events(conversationId, { after: watermark }),
    after.at(-1)?.seq ?? 0,
  )
  const counts = [countEvents(log.slice(0, 2), before), countEvents(after, seen)]
  for (const count of counts) matrix.add('stream: 410 in mid-stream', { cases: 1, ...count })
}
