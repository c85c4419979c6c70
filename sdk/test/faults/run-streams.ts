import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { countEvents, type FaultMatrix } from './matrix.ts'
import type { StreamCase } from './stream-cases.ts'
import { assertUnnoticed } from './unnoticed.ts'
import { passingSilences, type World } from './world.ts'

/** A finished conversation and its whole event log. */
export interface FinishedConversation {
  readonly conversationId: string
  readonly log: readonly EventEnvelope[]
}

/** The maximum real time of both streams together; events that are missing after it are counted as lost. */
const STREAM_DEADLINE_MS = 120_000

/** Sends messages to a new conversation of the echo service, and waits until all runs have ended. */
export const createFinishedConversation = async (
  { client, plain, createConversation }: World,
  messages: number,
): Promise<FinishedConversation> => {
  const conversationId = await createConversation()
  for (let number = 0; number < messages; number += 1) {
    const text = `number ${number} é 漢字 𝄞𝄞 line\nbreak`
    await client.messages.send(conversationId, { expected_generation: 1, input: { text } })
  }
  return { conversationId, log: await plain.settledEvents(conversationId) }
}

/** Reads the conversation's stream to the end of its log, and the first run's stream to its end, under the fault. */
export const runStreams = async (
  world: World,
  matrix: FaultMatrix,
  streamCase: StreamCase,
  finished: FinishedConversation,
): Promise<void> => {
  const { client, proxy } = world
  const { conversationId, log } = finished
  const read = async (events: AsyncIterable<EventEnvelope>, expected: readonly EventEnvelope[], untilSeq: number) => {
    const { connections, isForAll = false } = streamCase
    const times = isForAll ? Number.POSITIVE_INFINITY : 1
    proxy.clearExchanges()
    for (const fault of connections) proxy.inject({ path: /\/events/, fault, times })
    const seen = await passingSilences(world, collectEvents(events, untilSeq))
    proxy.clearFaults()
    assertUnnoticed(proxy, streamCase.fault)
    matrix.add(`stream: ${streamCase.fault}`, { cases: 1, ...countEvents(expected, seen) })
  }

  const signal = AbortSignal.timeout(STREAM_DEADLINE_MS)
  await read(client.conversations.events(conversationId, { signal }), log, log.at(-1)?.seq ?? 0)
  const runId = log[0]?.run_id ?? ''
  await read(
    client.runs.events(runId, { signal }),
    log.filter(({ run_id }) => run_id === runId),
    Number.POSITIVE_INFINITY,
  )
}

/** Reads a stream until the event `untilSeq`, until its end, or until the signal that it was opened with aborts it. */
export const collectEvents = async (
  stream: AsyncIterable<EventEnvelope>,
  untilSeq: number,
): Promise<readonly EventEnvelope[]> => {
  const seen: EventEnvelope[] = []
  try {
    for await (const event of stream) {
      seen.push(event)
      if (event.seq >= untilSeq) break
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  return seen
}
