import { type ChildProcess, fork } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createHub } from '../src/gateway/stream/hub.ts'
import { responseSink } from '../src/http/answers/event-stream.ts'
import { STREAM_START, sseFrames } from '../src/http/answers/sse-frame.ts'
import { systemTimers } from '../src/runtime/timers.ts'
import type { StoredEvent } from '../src/store/history/events.ts'
import type { ConversationHint } from '../src/writer/wakeups.ts'
import { createMemoryLog, LOG } from '../test/support/memory-log.ts'
import type { ReaderPlan, ReaderReport } from './support/fan-out-readers.ts'
import { medianOf, medianRatioOf } from './support/ratios.ts'

export interface FanOutRow {
  readonly name: string
  readonly ratio: number
  readonly atLeast: number
  readonly detail: string
}

const SUBSCRIBERS = 1000
const BURST = 20
const ROUNDS = 9
const MARKER = '<end of burst>'
const DELTA = 'about eighty bytes of text, which is what an assistant writes in ten milliseconds'

/** Sends a burst of events to the open responses of a path. */
type Send = (events: readonly StoredEvent[], responses: readonly ServerResponse[]) => Promise<void>

interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

/**
 * Sends bursts of events to 1000 subscribers over loopback sockets: alternately through the hub, and by encoding and
 * writing each event for each subscriber. A burst ends when the last subscriber has received its last byte; the ratio
 * compares these times. Without the hub, each event of a burst is sent in its own turn of the event loop, like single
 * notifications.
 */
export const benchFanOut = async (): Promise<FanOutRow[]> => {
  const log = createMemoryLog()
  let hint: (hint: ConversationHint) => void = () => {}
  const hub = createHub({
    reader: log,
    frames: sseFrames,
    clock: { now: () => new Date() },
    timers: systemTimers,
    wakeups: {
      onConversation: (onHint) => {
        hint = onHint
        return () => {}
      },
    },
    pingMs: 15_000,
    retryMs: 1_000,
    graceMs: 1_000,
    onLag: () => {},
    onError: (error) => {
      throw error
    },
  })
  const encodeEach =
    (betweenEvents: () => Promise<void>): Send =>
    async (events, responses) => {
      for (const event of events.map(envelopeOf)) {
        for (const response of responses)
          response.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        await betweenEvents()
      }
    }
  const ways: Record<string, Send> = {
    '/hub': async () => hint(LOG),
    '/each': encodeEach(() => new Promise((resolve) => setImmediate(resolve))),
    '/each-in-one-turn': encodeEach(async () => {}),
  }

  const responses = new Map<string, ServerResponse[]>(Object.keys(ways).map((path) => [path, []]))
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(STREAM_START)
    responses.get(url)?.push(response)
    if (url !== '/hub') return
    const { lastSeq } = log
    hub.subscribe({ log: { ...LOG, runId: null }, position: lastSeq, lastSeq, sink: responseSink(response) })
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else resolve(address.port)
    })
  })
  const readers = startReaders({ port, paths: [...responses.keys()], subscribersPerPath: SUBSCRIBERS, marker: MARKER })
  try {
    await nextReport(readers)
    const costs: Record<string, Cost[]> = {}
    for (let round = 0; round <= ROUNDS; round++)
      for (const [path, send] of Object.entries(ways)) {
        const events = Array.from({ length: BURST }, (_, index) =>
          log.append('run_0199d3a1c0e37b55c6d7e8f901122334', index < BURST - 1 ? DELTA : DELTA + MARKER),
        )
        const cost = await measure(readers, () => send(events, responses.get(path) ?? []))
        // Deliver the events that the other ways have appended to the streams of the hub, before the next burst of the
        // hub.
        if (path !== '/hub') await measure(readers, async () => hint(LOG))
        // The first round warms up.
        if (round > 0) costs[path] = [...(costs[path] ?? []), cost]
      }
    const [hubCosts = [], eachCosts = [], inOneTurn = []] = Object.keys(ways).map((path) => costs[path])
    const ratio = (of: readonly Cost[], key: keyof Cost): number => medianRatioOf(of, hubCosts, key)
    const perDelivery = (of: readonly Cost[]): string =>
      ((medianOf(of, 'cpuMs') * 1000) / (SUBSCRIBERS * BURST)).toFixed(2)
    return [
      {
        name: `fan-out of ${BURST} events to ${SUBSCRIBERS} subscribers`,
        ratio: ratio(eachCosts, 'wallMs'),
        atLeast: 8,
        detail:
          `server CPU ${ratio(eachCosts, 'cpuMs').toFixed(1)}x: ${perDelivery(hubCosts)} us per delivery instead of ` +
          `${perDelivery(eachCosts)}; ${ratio(inOneTurn, 'wallMs').toFixed(1)}x against a server that encodes for ` +
          'each subscriber but writes the burst in one turn',
      },
    ]
  } finally {
    readers.kill()
    server.closeAllConnections()
    await Promise.all([hub.close(), new Promise((resolve) => server.close(resolve))])
  }
}

/** An event as an object, which a straightforward server would encode for each subscriber. */
const envelopeOf = (event: StoredEvent) => ({
  conversation_id: LOG.conversationId,
  generation: event.generation,
  event_id: event.eventId,
  seq: event.seq,
  run_id: event.runId,
  message_id: event.messageId,
  type: event.type,
  payload: JSON.parse(event.payload),
})

const startReaders = (plan: ReaderPlan): ChildProcess =>
  fork(fileURLToPath(new URL('./support/fan-out-readers.ts', import.meta.url)), [JSON.stringify(plan)])

const nextReport = (readers: ChildProcess): Promise<ReaderReport> =>
  new Promise((resolve, reject) => {
    readers.once('message', (report: ReaderReport) => {
      readers.off('exit', reject)
      resolve(report)
    })
    readers.once('exit', reject)
  })

const measure = async (readers: ChildProcess, send: () => Promise<void>): Promise<Cost> => {
  const received = nextReport(readers)
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  await send()
  await received
  const { user, system } = process.cpuUsage(cpuBefore)
  return { wallMs: performance.now() - before, cpuMs: (user + system) / 1000 }
}
