/** One block of an event stream, up to a blank line. */
export interface Frame {
  /** The block's lines, joined by LF. */
  readonly raw: string
  /** Values of its fields, parsed as the stream format defines. Several `data` lines are joined by LF. */
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  /** The text after the colon of comment lines. */
  readonly comments: readonly string[]
  /** Number of `data` lines. */
  readonly dataLines: number
}

/** Parses an event stream into blocks. Chunks may end anywhere, and lines may end with LF, CR or CRLF. */
export function createFrameReader(onFrame: (frame: Frame) => void): { feed(text: string): void } {
  let rest = ''
  let lines: string[] = []
  return {
    feed: (text) => {
      rest += text
      for (;;) {
        const end = /\r\n|\n|\r(?=[^\n])/.exec(rest)
        if (end === null) return
        const line = rest.slice(0, end.index)
        rest = rest.slice(end.index + end[0].length)
        if (line !== '') lines.push(line)
        else if (lines.length > 0) {
          onFrame(toFrame(lines))
          lines = []
        }
      }
    },
  }
}

function toFrame(lines: readonly string[]): Frame {
  const fields = lines.map((line) => {
    const colon = line.indexOf(':')
    return colon < 0
      ? { name: line, value: '' }
      : { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') }
  })
  const last = (name: string): string | undefined => fields.findLast((field) => field.name === name)?.value
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  const [id, event, retry] = [last('id'), last('event'), last('retry')]
  return {
    raw: lines.join('\n'),
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    ...(retry === undefined ? {} : { retry }),
    ...(data.length === 0 ? {} : { data: data.join('\n') }),
    comments: lines.filter((line) => line.startsWith(':')).map((line) => line.slice(1)),
    dataLines: data.length,
  }
}
