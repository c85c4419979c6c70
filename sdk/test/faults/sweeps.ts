import { isDeepStrictEqual } from 'node:util'
import type { Break, Fault } from '@conversation-gateway/conformance/fault-proxy'
import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { type Listening, listen } from '../support/listening.ts'
import { countEvents, type FaultCounts, type FaultMatrix } from './matrix.ts'
import { collectEvents, type FinishedConversation } from './run-streams.ts'
import { assertUnnoticed } from './unnoticed.ts'
import type { World } from './world.ts'

/** How connections are broken at each byte: alternately with a reset and a clean end, or with both. */
export type SweepDepth = 'in-turn' | 'both'

const breaksAt = (atByte: number, depth: SweepDepth): readonly Break[] => {
  if (depth === 'both') return ['reset', 'end']
  return [atByte % 2 === 0 ? 'reset' : 'end']
}

/**
 * Cuts the recorded answer to a message at every byte; the gateway receives no request. An intention that is sent with
 * two keys or two bodies is counted as doubled. An outcome that differs from the recording is counted as lost.
 */
export const sweepAnswer = async (
  { client, proxy, createConversation }: World,
  matrix: FaultMatrix,
  depth: SweepDepth,
): Promise<void> => {
  const conversationId = await createConversation()
  const send = () =>
    client.messages.send(conversationId, { expected_generation: 1, input: { text: 'é 漢 𝄞' } }).outcome()
  proxy.clearExchanges()
  const recorded = await send()
  const bytes = proxy.exchanges()[0]?.answer ?? new Uint8Array()
  if (recorded.kind !== 'admitted') throw new Error('nothing was recorded')

  for (let atByte = 0; atByte < bytes.length; atByte += 1) {
    for (const how of breaksAt(atByte, depth)) {
      proxy.clearExchanges()
      proxy.inject({
        fault: [
          { kind: 'raw-answer', bytes },
          { kind: 'cut-answer', atByte, how },
        ],
      })
      proxy.inject({ fault: { kind: 'raw-answer', bytes } })
      const outcome = await send()
      const isReported = outcome.kind === 'admitted' && isDeepStrictEqual(outcome.data, recorded.data)
      const sent = proxy.exchanges().map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)
      const intentions = new Set(sent).size
      if (sent.length !== 2) throw new Error(`cut at ${atByte}: ${sent.length} attempts instead of 2`)
      matrix.add('send: answer cut at every byte', {
        cases: 1,
        admissionsLost: isReported ? 0 : 1,
        admissionsDoubled: intentions - 1,
      })
    }
  }
}

/** Cuts a recorded stream at every byte; the recording also answers the client's next requests. */
export const sweepStreamCuts = (
  world: World,
  matrix: FaultMatrix,
  finished: FinishedConversation,
  depth: SweepDepth,
): Promise<void> =>
  replaying(world, finished, async ({ record, tryUnder }) => {
    const bytes = await record({ kind: 'pass' })
    for (let atByte = 0; atByte < bytes.length; atByte += 1)
      for (const how of breaksAt(atByte, depth))
        matrix.add(
          'stream: cut at every byte',
          await tryUnder([
            { kind: 'raw-answer', bytes },
            { kind: 'cut-answer', atByte, how },
          ]),
        )
  })

/** Splits a recorded stream in two writes at every byte, with LF and with CRLF. */
export const sweepStreamSplits = (world: World, matrix: FaultMatrix, finished: FinishedConversation): Promise<void> =>
  replaying(world, finished, async ({ record, tryUnder }) => {
    for (const to of ['lf', 'crlf'] as const) {
      const bytes = await record({ kind: 'rewrite-line-endings', to })
      for (let first = 1; first < bytes.length; first += 1)
        matrix.add(
          `stream: ${to.toUpperCase()}, split at every byte`,
          await tryUnder([
            { kind: 'raw-answer', bytes },
            { kind: 'chunk', sizes: [first, bytes.length] },
          ]),
        )
    }
  })

interface Replay {
  /** The bytes of the whole stream as the client gets it under this fault. */
  readonly record: (fault: Fault) => Promise<Uint8Array>
  /** Reads the stream; its first connection has these faults. */
  readonly tryUnder: (faults: readonly Fault[]) => Promise<Partial<FaultCounts>>
}

/** Answers every request with a log's events after the requested position, quickly and without a database. */
const serveStream = (log: readonly EventEnvelope[]): Promise<Listening> =>
  listen((request, response) => {
    const after = Number(request.headers['last-event-id'] ?? 0)
    const frames = log.filter(({ seq }) => seq > after).map(toFrame)
    response.sendDate = false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`retry: 1000\n\n${frames.join('')}: ping\n\n`)
  })

const toFrame = (event: EventEnvelope): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`

/** Makes the proxy use a recording instead of the gateway while `work` runs. */
const replaying = async (
  { client, proxy, gateway }: World,
  { conversationId, log }: FinishedConversation,
  work: (replay: Replay) => Promise<void>,
): Promise<void> => {
  const recording = await serveStream(log)
  proxy.target = recording.url
  const read = (): Promise<readonly EventEnvelope[]> =>
    collectEvents(client.conversations.events(conversationId), log.at(-1)?.seq ?? 0)
  try {
    await work({
      record: async (fault) => {
        proxy.clearExchanges()
        proxy.inject({ fault })
        const response = await fetch(`${proxy.origin}/`)
        await response.text()
        const { answer } = await proxy.untilExchange(({ ending }) => ending === 'complete')
        return answer
      },
      tryUnder: async (faults) => {
        proxy.clearExchanges()
        proxy.inject({ fault: faults })
        const counts = countEvents(log, await read())
        assertUnnoticed(proxy, faults.map(({ kind }) => kind).join(', '))
        return { cases: 1, ...counts }
      },
    })
  } finally {
    proxy.target = gateway.origin
    await recording.close()
  }
}
