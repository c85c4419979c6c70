import type { ConversationView } from '../../src/index.ts'
import type { FaultMatrix } from './matrix.ts'
import type { FinishedConversation } from './run-streams.ts'
import type { StreamCase } from './stream-cases.ts'
import { passingSilences, type World } from './world.ts'

/** The maximum real time of a watch; messages that are missing after it are counted as lost. */
const WATCH_DEADLINE_MS = 120_000

/**
 * Sends another message to the conversation while it is watched under the fault, and compares the view with the
 * history. A message that is missing or has another text is counted as lost, and a repeated message as doubled.
 */
export const runWatch = async (
  { client, proxy, plain, timing }: World,
  matrix: FaultMatrix,
  { fault, connections, isForAll = false }: StreamCase,
  { conversationId }: FinishedConversation,
): Promise<void> => {
  proxy.clearExchanges()
  const times = isForAll ? Number.POSITIVE_INFINITY : 1
  for (const met of connections) proxy.inject({ path: /\/events/, fault: met, times })
  const text = `watched, ${fault}: é 𝄞`
  const watched = async (): Promise<ConversationView | null> => {
    let isSent = false
    const signal = AbortSignal.timeout(WATCH_DEADLINE_MS)
    for await (const { state } of client.conversations.watch(conversationId, { signal })) {
      if (!isSent) {
        isSent = true
        await client.messages.send(conversationId, { expected_generation: 1, input: { text } })
      }
      const isAnswered = state.messages.some(({ role, content }) => role === 'assistant' && content.text === text)
      if (isAnswered && state.runs.every((run) => run.state === 'succeeded')) return state
    }
    return null
  }
  const view = await passingSilences({ proxy, timing }, watched())
  proxy.clearFaults()
  await plain.settledEvents(conversationId)
  const history = await plain.messages(conversationId)
  const seen = view?.messages ?? []
  const expected = history.slice(-seen.length)
  matrix.add(`watch: ${fault}`, {
    cases: 1,
    eventsLost:
      expected.filter(
        ({ message_id: id, content }) =>
          !seen.some((each) => each.message_id === id && each.content.text === content.text),
      ).length + (seen.length === 0 ? 1 : 0),
    eventsDoubled: seen.length - new Set(seen.map(({ message_id: id }) => id)).size,
  })
}
