import type { IncomingHttpHeaders } from 'node:http'
import type { Ending } from './bytes.ts'
import type { Fault } from './fault.ts'

/** One forwarding of a request to the target. */
export interface Delivery {
  /** The target's status, or null if it has not answered yet. */
  readonly status: number | null
  /** Bytes of content received so far. */
  readonly contentBytes: number
}

/** A client's request and its progress so far. */
export interface Exchange {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly body: Uint8Array
  /** The faults applied to it; empty if it passed unchanged. */
  readonly faults: readonly Fault[]
  /** Every forwarding of the whole request to the target. */
  readonly deliveries: readonly Delivery[]
  /** The bytes sent to the client, including the head, at most `recordBytes`. `raw-answer` can send them again. */
  readonly answer: Uint8Array
  /** Whether `half-open` has reached its position, so that nothing more is sent. */
  readonly isSilent: boolean
  /** How it ended for the client: `abandoned` if the client disconnected first, null while it is in progress. */
  readonly ending: Ending | 'abandoned' | null
}

/** Records the target's answer. */
export interface DeliveryRecorder {
  answered(status: number): void
  received(byteLength: number): void
}

/** Records one exchange. */
export interface ExchangeRecorder {
  delivered(): DeliveryRecorder
  sent(piece: Uint8Array): void
  silent(): void
  ended(ending: Ending | 'abandoned'): void
}

export interface ExchangeLog {
  list(): readonly Exchange[]
  /** Deletes all recorded exchanges. */
  clear(): void
  begin(request: Pick<Exchange, 'method' | 'path' | 'headers' | 'body' | 'faults'>): ExchangeRecorder
  /**
   * Resolves with the first exchange that satisfies `predicate`, immediately or after a later change. Rejects when the
   * proxy is closed.
   */
  until(predicate: (exchange: Exchange) => boolean): Promise<Exchange>
  /** Rejects all pending waits. */
  close(): void
}

export interface ExchangeLogOptions {
  /** Maximum number of kept exchanges. The oldest are removed first. Default 10 000. */
  readonly recordExchanges?: number
  /** Maximum number of kept bytes of each answer. Default 1 MiB. */
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
