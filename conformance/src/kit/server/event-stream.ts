import type { EventEnvelope } from '#openapi/generated/gateway'
import { AnswerError } from '../failure.ts'
import { parseJson } from '../parse-json.ts'
import type { Transcript } from '../transcript.ts'
import type { Waits } from '../waits.ts'
import type { AdaptiveTimeouts } from './adaptive-timeouts.ts'
import type { Contract } from './contract.ts'
import { createFrameReader, type Frame } from './frames.ts'
import { nameRequest } from './operations.ts'
import type { Answer, Wire, WireRequest } from './wire.ts'
import { toAnswer } from './wire.ts'

/** Whether a stream ended with the regular end of its body or with a broken connection. */
export type StreamEnd = 'complete' | 'broken'

/** An open event stream. It keeps everything received, so that a check can inspect earlier events. */
export interface EventStream {
  readonly headers: Readonly<Record<string, string>>
  /** All frames so far, comments and `retry` among them. */
  readonly frames: readonly Frame[]
  /** The events so far. */
  readonly events: readonly EventEnvelope[]
  /** The bytes so far, as text. */
  text(): string
  /**
   * Resolves once the condition is true. @throws {Error} The stream ends or `settleMs` pass before that. The message
   * names the expected condition and what was received.
   */
  until(what: string, holds: (stream: EventStream) => boolean, options?: UntilOptions): Promise<void>
  /** Resolves with the first matching event, including past ones. */
  event(what: string, holds: (event: EventEnvelope) => boolean): Promise<EventEnvelope>
  /** How it has ended; null while it is open. */
  end(): StreamEnd | null
  /** Resolves when the server or `close` has ended the stream. @throws {Error} `settleMs` pass before that. */
  ended(): Promise<StreamEnd>
  close(): void
}

export interface UntilOptions {
  /** What can make the condition true. Default: an event. `frame`: any frame, including comments. */
  readonly by?: 'event' | 'frame'
  /** Extra time beyond `settleMs`, in milliseconds, for waits that depend on an interval of the protocol. Default 0. */
  readonly moreMs?: number
}

export interface OpenStreamOptions {
  readonly wire: Wire
  readonly request: WireRequest
  readonly settleMs: number
  readonly timeouts: AdaptiveTimeouts
  readonly transcript: Transcript
  readonly waits: Waits
  readonly contract: Pick<Contract, 'faultsOfEvent'>
  onFault(fault: string): void
  /** Called once, when the stream has ended. */
  onEnd(stream: EventStream): void
}

/** Opens a stream; any answer other than an event stream is returned as an answer. */
export async function openStream(options: OpenStreamOptions): Promise<EventStream | Answer> {
  const { wire, request, settleMs, timeouts, transcript, waits, contract, onFault, onEnd } = options
  const { response, read, close } = await wire.open(request)
  const isStream =
    response.statusCode === 200 && /^text\/event-stream\s*(;|$)/i.test(response.headers['content-type'] ?? '')
  if (!isStream) {
    // A stream with another content type may never end, so its body cannot be awaited.
    const bytes = response.statusCode === 200 ? Buffer.alloc(0) : await read()
    close()
    const answer = toAnswer(request, response, bytes)
    transcript.add('in', answer.text)
    return answer
  }

  const { headers } = toAnswer(request, response, Buffer.alloc(0))
  const frames: Frame[] = []
  const events: EventEnvelope[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  const firstEvent = `an event of ${nameRequest(request)}`
  let text = ''
  let streamEnd: StreamEnd | null = null
  const reader = createFrameReader((frame) => {
    frames.push(frame)
    transcript.add('in', frame.raw)
    if (frame.data === undefined) return
    const envelope = parseEnvelope(frame.data)
    if (envelope === null) return onFault(`the data of a frame is not a JSON object: ${frame.data.slice(0, 200)}`)
    for (const fault of contract.faultsOfEvent(envelope)) onFault(fault)
    if (events.push(envelope) === 1) timeouts.begin(firstEvent, settleMs).succeeded()
  })

  const seen = (): string =>
    `received ${events.length} events: ${events
      .slice(-15)
      .map(({ seq, type }) => `${seq} ${type}`)
      .join(', ')}`
  /** Settles when `look` does. @param look Called after each change; it resolves or rejects through its arguments. */
  const waitUntil = (
    what: string,
    look: (done: () => void, fail: (why: string) => void) => void,
    { by = 'event', moreMs = 0 }: UntilOptions = {},
  ): Promise<void> =>
    waits.during(
      what,
      new Promise((resolve, reject) => {
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          waiting.delete(again)
          settle()
        }
        const fail = (why: string): void =>
          finish(() =>
            reject(
              events.length > 0 || by === 'frame'
                ? new Error(`${why}; ${seen()}`)
                : new AnswerError(`${why}; received no event`, `${nameRequest(request)} delivers no event`),
            ),
          )
        const again = (): void => {
          try {
            look(() => finish(resolve), fail)
          } catch (error) {
            finish(() => reject(error))
          }
        }
        const wait = timeouts.begin(firstEvent, settleMs)
        const limitMs = (events.length > 0 ? settleMs : wait.limitMs) + moreMs
        const timer = setTimeout(() => {
          if (events.length === 0 && by === 'event') wait.timedOut()
          fail(`${what}: did not arrive within ${limitMs} ms`)
        }, limitMs)
        waiting.add(again)
        again()
      }),
    )
  const stream: EventStream = {
    headers,
    frames,
    events,
    close,
    text: () => text,
    end: () => streamEnd,
    ended: async () => {
      await waitUntil(
        `the end of the stream ${request.path}`,
        (done) => {
          if (streamEnd !== null) done()
        },
        { by: 'frame' },
      )
      return streamEnd ?? 'broken'
    },
    until: (what, holds, untilOptions) =>
      waitUntil(
        what,
        (done, fail) => {
          if (holds(stream)) done()
          else if (streamEnd !== null) fail(`the stream ended before ${what}`)
        },
        untilOptions,
      ),
    event: async (what, holds) => {
      await stream.until(what, () => events.some(holds))
      const found = events.find(holds)
      if (found === undefined) throw new Error(`${what}: did not arrive`)
      return found
    },
  }
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response) {
        const piece = decoder.decode(chunk, { stream: true })
        text += piece
        reader.feed(piece)
        wake()
      }
      streamEnd = 'complete'
    } catch {
      streamEnd = 'broken'
    }
    onEnd(stream)
    wake()
  }
  void follow()
  return stream
}

const parseEnvelope = (data: string): EventEnvelope | null => {
  const value = parseJson(data)
  return typeof value === 'object' && value !== null ? (value as EventEnvelope) : null
}
