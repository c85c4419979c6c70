/**
 * A closed loop of admissions over raw sockets, in a separate process so that it does not share the server's
 * event loop. Reads a LoadPlan as JSON from standard input and prints one LoadResult as JSON.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LoadPlan {
  readonly port: number
  readonly connections: number
  readonly warmupMs: number
  readonly measureMs: number
  readonly apiKey: string
  readonly subject: string
  readonly conversationIds: readonly string[]
  /** The data of each message. Default: none. */
  readonly data?: object
}

export interface LoadResult {
  /** Answers 202 within the measured time. */
  readonly admitted: number
  /** Answers other than 202, including those of the warm-up. `load` rejects a result that has any. */
  readonly refused: number
  readonly firstRefusal: string | null
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const plan: LoadPlan = JSON.parse(await text(process.stdin))
const body = JSON.stringify({
  expected_generation: 1,
  input: {
    text: 'The quick brown fox jumps over the lazy dog, eighty-five bytes of it, more or less.',
    data: plan.data,
  },
})
const run = randomBytes(6).toString('hex')
let next = 0
const nextRequest = (): string => {
  next += 1
  const conversationId = plan.conversationIds[next % plan.conversationIds.length]
  return (
    `POST /api/v1/conversations/${conversationId}/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${plan.apiKey}\r\nX-Service-Subject: ${plan.subject}\r\nContent-Type: application/json\r\n` +
    `Idempotency-Key: ${run}-${next}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

const start = performance.now()
const measureFrom = start + plan.warmupMs
const end = measureFrom + plan.measureMs
const latencies: number[] = []
let refused = 0
let firstRefusal: string | null = null

const connection = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true })
    let pending = ''
    let sentAt = 0
    const send = (): void => {
      sentAt = performance.now()
      if (sentAt >= end) {
        socket.destroy()
        resolve()
      } else socket.write(nextRequest(), 'latin1')
    }
    socket
      .on('connect', send)
      .on('error', reject)
      .on('end', () => reject(new Error(`the server closed a connection; it last sent: ${pending}`)))
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
      if (pending.length < headEnd + 4 + length) return
      const now = performance.now()
      if (!pending.startsWith('HTTP/1.1 202')) {
        refused += 1
        firstRefusal ??= pending
      } else if (now >= measureFrom && now < end) latencies.push(now - sentAt)
      pending = ''
      send()
    })
  })

await Promise.all(Array.from({ length: plan.connections }, connection))
latencies.sort((a, b) => a - b)
const percentile = (share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
const result: LoadResult = {
  admitted: latencies.length,
  refused,
  firstRefusal,
  perSecond: latencies.length / (plan.measureMs / 1000),
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
}
console.log(JSON.stringify(result))
