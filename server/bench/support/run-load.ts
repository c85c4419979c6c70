/**
 * Closed loops of whole runs over raw sockets, in a separate process. Each loop has one conversation and its open
 * stream: it sends a message, waits until the stream reports the end of the run, and sends the next.
 * Reads a RunLoadPlan as JSON from standard input and prints one RunLoadResult as JSON.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { percentile } from './ratios.ts'

export interface RunLoadPlan {
  readonly port: number
  readonly apiKey: string
  readonly subject: string
  /** One conversation for each loop. */
  readonly conversationIds: readonly string[]
  readonly warmupMs: number
  readonly measureMs: number
  /** Ends after this number of runs, or earlier when the time is over. Default: no limit. */
  readonly mostRuns?: number
}

export interface RunLoadResult {
  /** Runs that completed within the measured time. */
  readonly completed: number
  /** All runs that completed, those of the warm-up included. */
  readonly finished: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** The median time from sending a message until the first piece of its answer is read. */
  readonly firstDeltaP50Ms: number
}

const plan: RunLoadPlan = JSON.parse(await text(process.stdin))
const BODY = JSON.stringify({
  expected_generation: 1,
  input: { text: 'the quick brown fox jumps over the dog' },
})
const load = randomBytes(6).toString('hex')
const { mostRuns = Number.POSITIVE_INFINITY } = plan
let sent = 0
let finished = 0

/** How many of the last received characters an error shows. */
const RECEIVED_CHARACTERS = 500

/** Opens a connection. If it breaks, the program ends. */
const open = async (purpose: string): Promise<Socket> => {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  let received = ''
  const fail = (reason: string): void => {
    const when = `after ${finished} runs and ${Math.round(performance.now() / 1000)} s`
    throw new Error(`the connection for ${purpose} broke ${when}: ${reason}. It last received: ${received}`)
  }
  socket
    .on('data', (chunk: string) => {
      received = (received + chunk).slice(-RECEIVED_CHARACTERS)
    })
    .on('end', () => fail('the gateway closed it'))
    .on('error', ({ message }) => fail(message))
  await once(socket, 'connect')
  return socket
}

const head = (method: string, path: string): string =>
  `${method} /api/v1/conversations/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${plan.apiKey}\r\n` +
  `X-Service-Subject: ${plan.subject}\r\n`

interface Watch {
  readonly socket: Socket
  /** Waits for the end of one run. */
  nextEnd(): Promise<void>
  /** When the first piece of that run's answer was read; null until then. */
  firstDeltaAt(): number | null
}

const watch = async (conversationId: string): Promise<Watch> => {
  const socket = await open('a stream')
  const opened = Promise.withResolvers<void>()
  let ended = Promise.withResolvers<void>()
  let firstDeltaAt: number | null = null
  let tail = ''
  socket.on('data', (chunk: string) => {
    const seen = tail + chunk
    if (seen.startsWith('HTTP/1.1') && !seen.startsWith('HTTP/1.1 200')) opened.reject(new Error(seen))
    if (seen.includes('retry: ')) opened.resolve()
    if (firstDeltaAt === null && seen.includes('event: assistant.delta\n')) firstDeltaAt = performance.now()
    const end = seen.lastIndexOf('event: run.completed\n')
    if (seen.includes('event: run.failed\n')) ended.reject(new Error(seen))
    if (end !== -1) ended.resolve()
    tail = end === -1 ? seen.slice(-21) : seen.slice(end + 21).slice(-21)
  })
  socket.write(`${head('GET', `${conversationId}/events?after=0`)}Accept: text/event-stream\r\n\r\n`)
  await opened.promise
  return {
    socket,
    nextEnd: () => {
      firstDeltaAt = null
      ended = Promise.withResolvers()
      return ended.promise
    },
    firstDeltaAt: () => firstDeltaAt,
  }
}

const latencies: number[] = []
const firstDeltas: number[] = []
const start = Promise.withResolvers<{ readonly from: number; readonly end: number }>()

const loop = async (conversationId: string, ready: () => void): Promise<void> => {
  const { socket: stream, nextEnd, firstDeltaAt } = await watch(conversationId)
  const sender = await open('messages')
  sender.on('data', (answer: string) => {
    if (answer.startsWith('HTTP/1.1') && !answer.startsWith('HTTP/1.1 202')) throw new Error(answer)
  })
  ready()
  const { from, end } = await start.promise
  for (let sentAt = performance.now(); sentAt < end && sent < mostRuns; sentAt = performance.now()) {
    const ended = nextEnd()
    sent += 1
    const key = `Content-Type: application/json\r\nIdempotency-Key: ${load}-${sent}\r\n`
    sender.write(`${head('POST', `${conversationId}/messages`)}${key}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)
    await ended
    finished += 1
    const now = performance.now()
    if (now < from || now >= end) continue
    latencies.push(now - sentAt)
    firstDeltas.push((firstDeltaAt() ?? now) - sentAt)
  }
  stream.destroy()
  sender.destroy()
}

let waiting = plan.conversationIds.length
await Promise.all(
  plan.conversationIds.map((conversationId) =>
    loop(conversationId, () => {
      waiting -= 1
      if (waiting > 0) return
      const from = performance.now() + plan.warmupMs
      start.resolve({ from, end: from + plan.measureMs })
    }),
  ),
)
const result: RunLoadResult = {
  completed: latencies.length,
  finished,
  perSecond: latencies.length / (plan.measureMs / 1000),
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
  firstDeltaP50Ms: percentile(firstDeltas, 0.5),
}
console.log(JSON.stringify(result))
