import { createParser } from 'eventsource-parser'

/** Longest frame or document that is read from the model's server, in characters. */
const FRAME_CHARACTERS = 1024 * 1024

export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong'
}

export type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Frame {
  /** The data of an event, trimmed, or a whole document. */
  readonly data: string
  /** Whether the event is named `error`. */
  readonly isError: boolean
  /** Whether the body ended within the frame. */
  readonly isCut: boolean
}

/**
 * Reads the frames of an event stream. A body that begins with `{` is one JSON document, from a server that does not
 * stream: it is one frame, followed by `[DONE]`. Media types do not decide this, since servers get them wrong.
 * @throws {FrameTooLong}
 */
export async function* readFrames(body: Body): AsyncGenerator<Frame> {
  const decoder = new TextDecoder()
  let reader: FrameReader | null = null
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    reader ??= chooseReader(text.trimStart())
    if (reader !== null) yield* reader.feed(text)
  }
  if (reader !== null) yield* reader.end()
}

interface FrameReader {
  /** The frames that are complete with this text. */
  feed(text: string): readonly Frame[]
  /** The remaining frames at the end of the body. */
  end(): readonly Frame[]
}

const chooseReader = (start: string): FrameReader | null => {
  if (start === '') return null
  return start.startsWith('{') ? createDocumentReader() : createStreamReader()
}

const createDocumentReader = (): FrameReader => {
  let document = ''
  return {
    feed: (text) => {
      document += text
      if (document.length > FRAME_CHARACTERS) throw new FrameTooLong()
      return []
    },
    end: () => [document, '[DONE]'].map((data) => ({ data, isError: false, isCut: false })),
  }
}

const createStreamReader = (): FrameReader => {
  let frames: Frame[] = []
  let isTooLong = false
  let isCut = false
  const parser = createParser({
    maxBufferSize: FRAME_CHARACTERS,
    onEvent: ({ event, data }) => frames.push({ data: data.trim(), isError: event === 'error', isCut }),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const feed = (text: string): readonly Frame[] => {
    parser.feed(text)
    if (isTooLong) throw new FrameTooLong()
    const complete = frames
    frames = []
    return complete
  }
  return {
    feed,
    end: () => {
      isCut = true
      return feed('\n\n')
    },
  }
}
