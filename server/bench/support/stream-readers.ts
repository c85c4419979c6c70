/**
 * Readers of event streams over raw sockets, in a separate process. The parent's first message is a StreamReadersPlan,
 * which is too long for an argument. The process sends StreamReadersReports to its parent.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

export interface StreamReadersPlan {
  readonly port: number
  readonly apiKey: string
  readonly subject: string
  /** One conversation for each stream. */
  readonly conversationIds: readonly string[]
}

/**
 * `opened`: all streams are open. `pinged`: all have received a further ping. `answered`: all have received the end of
 * a further run; the latencies are those of the stamped pieces of its text, in the order of arrival.
 */
export type StreamReadersReport =
  | { readonly kind: 'opened' }
  | { readonly kind: 'pinged' }
  | { readonly kind: 'answered'; readonly latenciesMs: readonly number[] }

/** Connections that are opened at once: fewer than the backlog of a listening socket. */
const OPENED_AT_ONCE = 64
/** Matches the timestamp in a piece's text: the machine's monotonic clock in nanoseconds. */
const STAMP = /@(\d+)@/g

console.log('{}')
const [plan]: StreamReadersPlan[] = await once(process, 'message')
if (plan === undefined) throw new Error('the message has no plan')
const report = (message: StreamReadersReport): void => {
  process.send?.(message)
}
const streams = plan.conversationIds.length
let pinged = 0
let ended = 0
let latenciesMs: number[] = []

const receive = (frame: string, at: bigint): void => {
  if (frame.includes('event: assistant.delta\n'))
    for (const [, stamp = ''] of frame.matchAll(STAMP)) latenciesMs.push(Number(at - BigInt(stamp)) / 1e6)
  if (!frame.includes('event: run.completed\n')) return
  ended += 1
  if (ended % streams > 0) return
  report({ kind: 'answered', latenciesMs })
  latenciesMs = []
}

const open = async (conversationId: string): Promise<void> => {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  const opened = Promise.withResolvers<void>()
  let rest = ''
  socket.on('data', (chunk: string) => {
    const at = process.hrtime.bigint()
    if (chunk.startsWith('HTTP/1.1') && !chunk.startsWith('HTTP/1.1 200')) opened.reject(new Error(chunk))
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      receive(frame, at)
      if (frame.includes('retry: ')) opened.resolve()
      if (!frame.includes(': ping')) continue
      pinged += 1
      if (pinged % streams === 0) report({ kind: 'pinged' })
    }
  })
  socket.on('close', () => opened.reject(new Error('a stream was closed')))
  await once(socket, 'connect')
  socket.write(
    `GET /api/v1/conversations/${conversationId}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Authorization: Bearer ${plan.apiKey}\r\nX-Service-Subject: ${plan.subject}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  await opened.promise
}

const due = plan.conversationIds[Symbol.iterator]()
const openDue = async (): Promise<void> => {
  for (const conversationId of due) await open(conversationId)
}
await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openDue))
report({ kind: 'opened' })
process.on('SIGTERM', () => process.exit(0))
