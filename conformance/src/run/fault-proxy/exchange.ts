import type { IncomingHttpHeaders } from 'node:http'
import type { Ending } from './bytes.ts'
import type { Fault } from './fault.ts'

/** One time that a request went to the target. */
export interface Delivery {
  /** The target's status, or null while it has not answered. */
  readonly status: number | null
  /** Bytes of content that came back so far. */
  readonly contentBytes: number
}

/** A request that a client made, and what became of it so far. */
export interface Exchange {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly body: Uint8Array
  /** The faults that were used on it; empty where it simply passed. */
  readonly faults: readonly Fault[]
  /** Each time that the whole request was handed to the target. */
  readonly deliveries: readonly Delivery[]
  /** What the client was sent, head included: what `raw-answer` sends again. At most `recordBytes`, then no more is kept. */
  readonly answer: Uint8Array
  /** Whether `half-open` has come to its place: nothing more will be sent. */
  readonly isSilent: boolean
  /** How it ended for the client; `abandoned` where the client left first, null while it is under way. */
  readonly ending: Ending | 'abandoned' | null
}

/** Writes down how the target answers. */
export interface DeliveryRecorder {
  answered(status: number): void
  received(byteLength: number): void
}

/** Writes down one exchange. */
export interface ExchangeRecorder {
  delivered(): DeliveryRecorder
  sent(piece: Uint8Array): void
  silent(): void
  ended(ending: Ending | 'abandoned'): void
}

export interface ExchangeLog {
  list(): readonly Exchange[]
  /** Forgets what has been recorded. */
  clear(): void
  begin(request: Pick<Exchange, 'method' | 'path' | 'headers' | 'body' | 'faults'>): ExchangeRecorder
  /** The first exchange for which `predicate` holds, now or when something has changed. Rejects when the proxy is closed. */
  until(predicate: (exchange: Exchange) => boolean): Promise<Exchange>
  /** Gives up all waiting. */
  close(): void
}

export interface ExchangeLogOptions {
  /** How many exchanges are kept; the oldest go first. Default 10 000. */
  readonly recordExchanges?: number
  /** How many bytes of each answer are kept. Default 1 MiB. */
  readonly recordBytes?: number
}

interface Waiting {
  readonly predicate: (exchange: Exchange) => boolean
  readonly resolve: (exchange: Exchange) => void
  readonly reject: (error: Error) => void
}

export const createExchangeLog = ({
  recordExchanges = 10_000,
  recordBytes = 1_048_576,
}: ExchangeLogOptions): ExchangeLog => {
  const exchanges: Exchange[] = []
  const waiting = new Set<Waiting>()
  const changed = (exchange: Exchange): void => {
    for (const entry of waiting) {
      if (!entry.predicate(exchange)) continue
      waiting.delete(entry)
      entry.resolve(exchange)
    }
  }
  return {
    list: () => [...exchanges],
    clear: () => {
      exchanges.length = 0
    },
    begin: (request) => {
      const deliveries: { status: number | null; contentBytes: number }[] = []
      const pieces: Uint8Array[] = []
      let left = recordBytes
      let isSilent = false
      let ending: Exchange['ending'] = null
      const exchange: Exchange = {
        ...request,
        deliveries,
        get answer() {
          return Buffer.concat(pieces)
        },
        get isSilent() {
          return isSilent
        },
        get ending() {
          return ending
        },
      }
      exchanges.push(exchange)
      if (exchanges.length > recordExchanges) exchanges.shift()
      changed(exchange)
      return {
        delivered: () => {
          const delivery: { status: number | null; contentBytes: number } = { status: null, contentBytes: 0 }
          deliveries.push(delivery)
          changed(exchange)
          return {
            answered: (status) => {
              delivery.status = status
              changed(exchange)
            },
            received: (byteLength) => {
              delivery.contentBytes += byteLength
              changed(exchange)
            },
          }
        },
        sent: (piece) => {
          const kept = piece.subarray(0, left)
          left -= kept.length
          if (kept.length > 0) pieces.push(kept)
          changed(exchange)
        },
        silent: () => {
          isSilent = true
          changed(exchange)
        },
        ended: (how) => {
          ending = how
          changed(exchange)
        },
      }
    },
    until: (predicate) =>
      new Promise((resolve, reject) => {
        const found = exchanges.find(predicate)
        if (found === undefined) waiting.add({ predicate, resolve, reject })
        else resolve(found)
      }),
    close: () => {
      for (const { reject } of waiting) reject(new Error('the fault proxy was closed before such an exchange happened'))
      waiting.clear()
    },
  }
}
