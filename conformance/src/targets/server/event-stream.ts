import { buffer } from 'node:stream/consumers'
import type { EventEnvelope } from '../../generated/gateway.ts'
import type { Transcript } from '../../transcript.ts'
import type { Contract } from './contract.ts'
import { createFrameReader, type Frame } from './frames.ts'
import type { Answer, Wire, WireRequest } from './wire.ts'
import { toAnswer } from './wire.ts'

/** An open event stream. Everything is kept from its beginning, so that a check may look back. */
export interface EventStream {
  readonly headers: Readonly<Record<string, string>>
  /** All frames so far, comments and `retry` among them. */
  readonly frames: readonly Frame[]
  /** The events so far. */
  readonly events: readonly EventEnvelope[]
  /** The bytes so far, as text. */
  text(): string
  /**
   * Resolves once the condition holds. @throws {Error} when the stream ends or `settleMs` pass before; the message says
   * what was waited for and what came.
   */
  until(what: string, holds: (stream: EventStream) => boolean): Promise<void>
  /** The first event for which it holds, past ones included. */
  event(what: string, holds: (event: EventEnvelope) => boolean): Promise<EventEnvelope>
  /** Resolves when the other side ended the stream; whether it was a clean end of the body. */
  readonly ended: Promise<'complete' | 'broken'>
  close(): void
}

export interface OpenStreamOptions {
  readonly wire: Wire
  readonly request: WireRequest
  readonly settleMs: number
  readonly transcript: Transcript
  readonly contract: Contract
  onFault(fault: string): void
}

/** Opens a stream; an answer that is no event stream comes back as the answer that it is. */
export async function openStream(options: OpenStreamOptions): Promise<EventStream | Answer> {
  const { wire, request, settleMs, transcript, contract, onFault } = options
  const { response, close } = await wire.open(request)
  const isStream = response.statusCode === 200 && /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  if (!isStream) {
    const answer = toAnswer(request, response, await buffer(response))
    transcript.add('in', answer.text)
    for (const fault of contract.faultsOf(answer)) onFault(fault)
    return answer
  }

  const { headers } = toAnswer(request, response, Buffer.alloc(0))
  const frames: Frame[] = []
  const events: EventEnvelope[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  let text = ''
  let over: 'complete' | 'broken' | null = null
  const reader = createFrameReader((frame) => {
    frames.push(frame)
    transcript.add('in', frame.raw)
    if (frame.data === undefined) return
    const envelope = parseEnvelope(frame.data)
    for (const fault of contract.faultsOfEvent(envelope)) onFault(fault)
    events.push(envelope)
  })
  const decoder = new TextDecoder()
  const ended = (async (): Promise<'complete' | 'broken'> => {
    try {
      for await (const chunk of response) {
        const piece = decoder.decode(chunk, { stream: true })
        text += piece
        reader.feed(piece)
        wake()
      }
      over = 'complete'
    } catch {
      over = 'broken'
    }
    wake()
    return over
  })()

  const seen = (): string =>
    `${events.length} events came: ${events
      .slice(-15)
      .map(({ seq, type }) => `${seq} ${type}`)
      .join(', ')}`
  const stream: EventStream = {
    headers,
    frames,
    events,
    ended,
    close,
    text: () => text,
    until: (what, holds) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          waiting.delete(look)
          settle()
        }
        const look = (): void => {
          if (holds(stream)) finish(resolve)
          else if (over !== null) finish(() => reject(new Error(`the stream ended before ${what}; ${seen()}`)))
        }
        const timer = setTimeout(
          () => finish(() => reject(new Error(`no ${what} within ${settleMs} ms; ${seen()}`))),
          settleMs,
        )
        waiting.add(look)
        look()
      }),
    event: async (what, holds) => {
      await stream.until(what, () => events.some(holds))
      const found = events.find(holds)
      if (found === undefined) throw new Error(`no ${what}`)
      return found
    },
  }
  return stream
}

const parseEnvelope = (data: string): EventEnvelope => {
  try {
    return JSON.parse(data)
  } catch {
    throw new Error(`the data of a frame is no JSON: ${data.slice(0, 200)}`)
  }
}
