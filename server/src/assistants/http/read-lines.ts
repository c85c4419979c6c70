import { createParser } from 'eventsource-parser'
import { AnswerFault } from './answer-fault.ts'

/** The forms of an answer, by its media type. */
export const ANSWER_FORMATS = {
  'application/x-ndjson': 'lines',
  'text/event-stream': 'events',
  'application/json': 'document',
} as const

export type AnswerFormat = (typeof ANSWER_FORMATS)[keyof typeof ANSWER_FORMATS]

/** Longest step, in bytes. */
export const LINE_BYTES = 1024 * 1024

export interface Line {
  readonly bytes: Buffer
  /** Whether the body ended without a line terminator, so that the line may be truncated. */
  readonly isCut: boolean
}

/**
 * The steps of an answer as text, as they arrive; empty lines are skipped. Buffers at most one line.
 * @throws {AnswerFault} ASSISTANT_LINE_TOO_LONG
 */
export async function* readLines(body: AsyncIterable<Uint8Array>, format: AnswerFormat): AsyncGenerator<Line> {
  const reader = format === 'events' ? createEventReader() : createLineReader(format === 'lines')
  for await (const chunk of body) yield* reader.feed(chunk)
  yield* reader.end()
}

interface LineReader {
  feed(chunk: Uint8Array): Iterable<Line>
  end(): Iterable<Line>
}

const NEWLINE = 0x0a

/** @param isDivided whether newlines end lines; otherwise the whole body is one line. */
const createLineReader = (isDivided: boolean): LineReader => {
  const held = createByteStore()
  const line = (isCut: boolean): Line => ({ bytes: held.take(), isCut })
  return {
    *feed(chunk) {
      let from = 0
      while (from < chunk.byteLength) {
        const newline = isDivided ? chunk.indexOf(NEWLINE, from) : -1
        held.add(chunk.subarray(from, newline === -1 ? chunk.byteLength : newline))
        if (newline === -1) return
        const next = line(false)
        if (!isBlank(next.bytes)) yield next
        from = newline + 1
      }
    },
    *end() {
      const last = line(isDivided)
      if (!isBlank(last.bytes)) yield last
    },
  }
}

/** Collects bytes in one buffer, so that a sender of single bytes costs no extra memory. */
const createByteStore = () => {
  let bytes = Buffer.alloc(0)
  let size = 0
  return {
    add: (chunk: Uint8Array): void => {
      const needed = size + chunk.byteLength
      if (needed > LINE_BYTES) throw tooLong()
      if (needed > bytes.byteLength) {
        const larger = Buffer.alloc(Math.min(Math.max(needed, 2 * bytes.byteLength), LINE_BYTES))
        bytes.copy(larger, 0, 0, size)
        bytes = larger
      }
      bytes.set(chunk, size)
      size = needed
    },
    take: (): Buffer => {
      const taken = bytes.subarray(0, size)
      bytes = Buffer.alloc(0)
      size = 0
      return taken
    },
  }
}

const createEventReader = (): LineReader => {
  const decoder = new TextDecoder()
  let lines: Line[] = []
  let isTooLong = false
  let isCut = false
  const parser = createParser({
    maxBufferSize: LINE_BYTES,
    onEvent: ({ data }) => {
      const bytes = Buffer.from(data)
      isTooLong ||= bytes.byteLength > LINE_BYTES
      if (!isBlank(bytes)) lines.push({ bytes, isCut })
    },
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const read = (text: string): readonly Line[] => {
    parser.feed(text)
    const complete = lines
    lines = []
    if (isTooLong) throw tooLong()
    return complete
  }
  return {
    feed: (chunk) => read(decoder.decode(chunk, { stream: true })),
    end: () => {
      isCut = true
      return read(`${decoder.decode()}\n\n`)
    },
  }
}

/** JSON's white space. */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE)

const tooLong = (): AnswerFault =>
  new AnswerFault('ASSISTANT_LINE_TOO_LONG', `expected steps of at most ${LINE_BYTES} bytes each; one is longer`)
