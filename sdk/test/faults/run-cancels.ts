import { toUIMessageStream } from '../../src/ai-sdk/index.ts'
import type { Reply } from '../../src/index.ts'
import type { FaultMatrix } from './matrix.ts'
import type { FinishedConversation } from './run-streams.ts'
import type { World } from './world.ts'

/** A reader that reads only when the test asks it to. */
interface IdleReader {
  take(): Promise<unknown>
  leave(): Promise<unknown>
}

const ofStream = (stream: ReadableStream<unknown>): IdleReader => {
  const reader = stream.getReader()
  return { take: () => reader.read(), leave: () => reader.cancel() }
}
const ofIterator = (items: AsyncIterator<unknown>): IdleReader => ({
  take: () => items.next(),
  leave: async () => items.return?.(),
})

export const READERS: Readonly<Record<string, (reply: Reply) => Promise<IdleReader>>> = {
  'toResponse()': async (reply) => ofStream((await reply.toResponse()).body ?? new ReadableStream()),
  'toReadableStream()': async (reply) => ofStream(reply.toReadableStream()),
  'toUIMessageStream()': async (reply) => ofStream(toUIMessageStream(reply)),
  'pieces()': async (reply) => ofIterator(reply.pieces()[Symbol.asyncIterator]()),
  'events()': async (reply) => ofIterator(reply.events()[Symbol.asyncIterator]()),
}

/** Events that arrive before the stream falls silent and stays open. */
const EVENTS = 3

/**
 * Cancels a reader after 0 to `EVENTS` + 1 reads. Reads for which no piece arrives are still pending at that moment.
 * Then waits until the connection is closed.
 */
export const runCancels = async (
  { client, proxy }: World,
  matrix: FaultMatrix,
  name: string,
  { log }: FinishedConversation,
): Promise<void> => {
  const open = READERS[name]
  const runId = log[0]?.run_id
  if (!open || !runId) throw new Error(`unknown reader ${name}, or a log without a run`)
  for (let taken = 0; taken <= EVENTS; taken += 1)
    for (const isWaiting of [false, true]) {
      proxy.clearExchanges()
      proxy.inject({ path: /\/events/, fault: { kind: 'half-open', afterEvents: EVENTS }, times: 1 })
      const reader = await open(client.follow(runId))
      const asked = Array.from({ length: taken + (isWaiting ? 1 : 0) }, () => reader.take())
      for (const each of asked) each.catch(() => {})
      // Await only the first read: some events are no piece, so later reads may never end.
      await asked.slice(0, 1)[0]
      await new Promise(setImmediate)
      await reader.leave()
      while (proxy.exchanges().some(({ ending }) => ending === null))
        await new Promise((resolve) => setTimeout(resolve, 5))
      proxy.clearFaults()
      matrix.add(`cancel: ${name}`, { cases: 1 })
    }
}
