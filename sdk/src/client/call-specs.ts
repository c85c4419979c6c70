import type { StreamOptions } from '../events/stream-source.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { CallOptions } from './options.ts'

/** How a list is read, as the generator knows it from the contract. */
export interface PagesSpec<Page, Item> {
  readonly items: (page: Page) => readonly Item[]
  readonly continueFrom: 'first' | 'last'
  /** The members of the query that lead to the page after an item. */
  readonly next: (item: Item) => object
}

/** Where the end of what a stream shows is found: in its record, and in the log of its conversation. */
export interface EndSpec<T> {
  readonly poll: (options: CallOptions) => PromiseLike<T>
  readonly isDone: (record: T) => boolean
  readonly readSnapshot: (record: T, options: CallOptions) => PromiseLike<{ readonly watermark: number }>
  readonly readLog: (record: T, options: StreamOptions) => AsyncIterable<EventEnvelope>
}

/** What a stream shows, and how to tell that it has ended. */
export interface StreamSpec<T> {
  /** The ID of what it shows. */
  readonly of: string
  /** Null for what has no end. */
  readonly end: EndSpec<T> | null
}

/** How to wait for a record. */
export interface WaitSpec<T> {
  readonly operationId: string
  readonly poll: (options: CallOptions) => Promise<T>
  readonly isDone: (record: T) => boolean
  readonly wake: ((record: T, options: CallOptions & StreamOptions) => AsyncIterable<unknown>) | null
}
