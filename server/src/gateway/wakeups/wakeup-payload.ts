/** The format of hints between processes; `lost` replaces all unsent hints. */
export type Hint =
  | ['conversation', appId: string, conversationId: string]
  | ['device', string]
  | ['run', string]
  | ['deliveries']
  | Lost
type Lost = ['lost']

const LOST: Lost = ['lost']
/** PostgreSQL refuses a NOTIFY payload of 8000 or more bytes. */
const PAYLOAD_BYTES = 7999

/** A set of pending hints; too many are replaced by one `lost`. */
export interface HintList {
  readonly isEmpty: boolean
  add(hint: Hint): void
  /** Empties the list into as few payloads as possible, each marked with its sender. */
  take(sender: string): string[]
}

export const createHintList = (capacity: number): HintList => {
  const hints = new Set<string>()
  return {
    get isEmpty() {
      return hints.size === 0
    },
    add: (hint) => {
      hints.add(JSON.stringify(hints.size < capacity ? hint : LOST))
    },
    take: (sender) => {
      const lost = JSON.stringify(LOST)
      const payloads = packPayloads(sender, hints.has(lost) ? [lost] : [...hints])
      hints.clear()
      return payloads
    },
  }
}

/** JSON lists of the sender and its hints, none larger than a NOTIFY may be. */
const packPayloads = (sender: string, hints: readonly string[]): string[] => {
  const head = `[${JSON.stringify(sender)}`
  const payloads: string[] = []
  let payload = head
  let bytes = 0
  for (const hint of hints) {
    const added = Buffer.byteLength(hint) + 1
    if (payload === head || bytes + added > PAYLOAD_BYTES) {
      if (payload !== head) payloads.push(`${payload}]`)
      payload = head
      bytes = Buffer.byteLength(head) + 1
    }
    payload += `,${hint}`
    bytes += added
  }
  if (payload !== head) payloads.push(`${payload}]`)
  return payloads
}

/** The hints of another process; none for this process's own or an invalid payload. */
export const readPayload = (payload: string, self: string): Hint[] => {
  const list = parseJson(payload)
  if (!Array.isArray(list) || list[0] === self) return []
  return list.slice(1).flatMap(readHint)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The hint; none for an unknown kind, such as one from a newer process. */
const readHint = (item: unknown): Hint[] => {
  if (!Array.isArray(item)) return []
  const [kind, first, second]: unknown[] = item
  if (kind === 'lost') return [LOST]
  if (kind === 'deliveries') return [['deliveries']]
  if (typeof first !== 'string') return []
  if (kind === 'device' || kind === 'run') return [[kind, first]]
  return kind === 'conversation' && typeof second === 'string' ? [[kind, first, second]] : []
}
