import type { Client } from 'openapi-fetch'
import type { StreamOptions } from '../events/stream-source.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { CallOptions } from './options.ts'

/** The typed layer under the methods. */
export type Http<Paths extends object> = Client<Paths, `${string}/${string}`>

/** A request as openapi-fetch puts it together. */
export interface OpenRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  /** Not serialised; undefined for none. */
  readonly body: unknown
}

/** What every generated method passes on to openapi-fetch. */
export interface SendInit {
  readonly params: {
    readonly header: { 'X-Service-Subject': string; 'Idempotency-Key': string; 'X-Request-Id'?: string }
  }
  readonly headers: Record<string, string>
  readonly fetch: (request: OpenRequest) => Promise<Response>
}

/** The same with what the method adds. */
export interface OpenInit extends SendInit {
  readonly params: SendInit['params'] & {
    readonly path?: Record<string, unknown>
    readonly query?: Record<string, unknown>
  }
  readonly body?: unknown
  readonly parseAs?: 'json' | 'blob' | 'stream'
}

/** One operation over openapi-fetch. */
export type Send<Paths extends object, T> = (
  http: Http<Paths>,
  init: SendInit,
) => Promise<{ readonly data?: T; readonly response: Response }>

/** How a list is read, as the generator knows it from the contract. */
export interface PagesSpec<Paths extends object, Page, Item, Query> {
  readonly query: Query
  readonly send: (http: Http<Paths>, init: SendInit, query: Query) => ReturnType<Send<Paths, Page>>
  readonly items: (page: Page) => readonly Item[]
  readonly continueFrom: 'first' | 'last'
  readonly next: (query: Query, item: Item) => Query
}

/** Where the end of what a stream shows is found: in its record, and in the log of its conversation. */
export interface EndSpec<T> {
  readonly poll: (options: CallOptions) => PromiseLike<T>
  readonly isDone: (record: T) => boolean
  readonly readSnapshot: (record: T, options: CallOptions) => PromiseLike<{ readonly watermark: number }>
  readonly readLog: (record: T, options: StreamOptions) => AsyncIterable<EventEnvelope>
}

/** How a stream is opened, and how to tell that what it shows has ended. */
export interface StreamSpec<Paths extends object, T> {
  /** The ID of what it shows. */
  readonly of: string
  readonly send: Send<Paths, unknown>
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
