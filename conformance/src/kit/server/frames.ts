/** One block of an event stream, between two blank lines. */
export interface Frame {
  /** Its lines, joined by LF. */
  readonly raw: string
  /** Values of the fields that it has, as the stream format reads them; several `data` lines are joined by LF. */
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  /** The text after the colon of comment lines. */
  readonly comments: readonly string[]
  /** How many `data` lines it has. */
  readonly dataLines: number
}

/** Splits the text of an event stream into its blocks, for any chunks and line endings. */
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
