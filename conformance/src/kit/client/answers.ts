import { STATUS_CODES } from 'node:http'

/** How a simulated gateway handles one request: it makes these writes in sequence, and then ends as `ending` says. */
export interface Answer {
  readonly writes: readonly Uint8Array[]
  /** `close`: FIN. `reset`: RST. `hold`: the connection stays open until the client disconnects or the check ends. */
  readonly ending: 'close' | 'reset' | 'hold'
  /**
   * Time between the writes, in milliseconds. By default long enough for an idle client to read each one separately.
   */
  readonly gapMs?: number
}

export type Headers = Readonly<Record<string, string>>

const encoder = new TextEncoder()

/** The head of an answer. It declares the length of a body only if `headers` contain it. */
const headOf = (status: number, headers: Headers): string => {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Status'}`, ...lines, '', ''].join('\r\n')
}

export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** A complete answer with these bytes as its body. */
export const respond = (status: number, headers: Headers, body: string | Uint8Array = ''): Answer => {
  const content = typeof body === 'string' ? bytesOf(body) : body
  const head = bytesOf(headOf(status, { ...headers, 'Content-Length': String(content.length) }))
  return { writes: [Buffer.concat([head, content])], ending: 'close' }
}

/** A complete JSON answer. */
export const json = (status: number, value: unknown, headers: Headers = {}): Answer =>
  respond(
    status,
    { 'Content-Type': 'application/json', 'X-Request-Id': 'req_simulated', ...headers },
    JSON.stringify(value),
  )

/** A JSON answer in chunks of at most `size` bytes, all in one write. */
export const chunkedJson = (status: number, value: unknown, size: number): Answer => {
  const content = bytesOf(JSON.stringify(value))
  const pieces: Uint8Array[] = [
    bytesOf(headOf(status, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })),
  ]
  for (let at = 0; at < content.length; at += size) {
    const piece = content.subarray(at, at + size)
    pieces.push(bytesOf(`${piece.length.toString(16)}\r\n`), piece, bytesOf('\r\n'))
  }
  return { writes: [Buffer.concat([...pieces, bytesOf('0\r\n\r\n')])], ending: 'close' }
}

/** A complete error answer of the gateway (RFC 9457). */
export const problem = (status: number, code: string, headers: Headers = {}, more: object = {}): Answer => {
  const body = {
    type: 'about:blank',
    title: code,
    status,
    detail: `Simulated: ${code}.`,
    code,
    request_id: 'req_simulated',
  }
  return json(status, { ...body, ...more }, { 'Content-Type': 'application/problem+json', ...headers })
}

/** Reads the request and resets the connection without an answer. */
export const lost: Answer = { writes: [], ending: 'reset' }

/** Reads the request and closes the connection without an answer. */
export const closed: Answer = { writes: [], ending: 'close' }

/** Reads the request and never answers it. The connection stays open. */
export const silent: Answer = { writes: [], ending: 'hold' }

/** The first `length` bytes of an answer, including its head. */
export const cut = (answer: Answer, length: number, ending: Answer['ending'] = 'close'): Answer => ({
  writes: [Buffer.concat(answer.writes).subarray(0, length)],
  ending,
})

export const lengthOf = (answer: Answer): number => Buffer.concat(answer.writes).length

/** The same bytes in writes of `size`. */
export const drip = (answer: Answer, size: number): Answer => {
  const all = Buffer.concat(answer.writes)
  const writes = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.subarray(index * size, (index + 1) * size),
  )
  return { ...answer, writes }
}

/**
 * Long enough even for a busy client to read the CR alone. Few splits fall between CR and LF, so this costs little
 * time.
 */
const CR_LF_GAP_MS = 500

/** The same bytes in two writes, split at `at`. */
export const split = (answer: Answer, at: number): Answer => {
  const all = Buffer.concat(answer.writes)
  const isBetweenCrAndLf = all[at - 1] === 0x0d && all[at] === 0x0a
  return {
    ...answer,
    writes: [all.subarray(0, at), all.subarray(at)],
    ...(isBetweenCrAndLf ? { gapMs: CR_LF_GAP_MS } : {}),
  }
}

const STREAM_HEADERS: Headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' }

/** An event stream with a reconnection time of 10 ms. */
export const stream = (frames: readonly (string | Uint8Array)[], ending: Answer['ending'] = 'hold'): Answer => {
  const content = frames.map((frame) => (typeof frame === 'string' ? bytesOf(frame) : frame))
  return { writes: [bytesOf(headOf(200, STREAM_HEADERS)), bytesOf('retry: 10\n\n'), ...content], ending }
}

/** The bytes before the frames of {@link stream}. */
export const streamHeadLength = lengthOf(stream([]))
