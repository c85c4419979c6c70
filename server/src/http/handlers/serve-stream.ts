import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../../gateway/access/authenticate.ts'
import type { EventSink } from '../../gateway/stream/event-sink.ts'
import type { StreamTarget } from '../../gateway/stream/open-stream.ts'
import { beginEventStream } from '../answers/event-stream.ts'
import type { KeyWatch } from '../key-watch.ts'
import type { Streaming } from '../operation.ts'
import type { UseCases } from '../use-cases.ts'

/** What both stream operations have in common. */
interface StreamRequest {
  readonly caller: Caller
  readonly tenant: Tenant
  readonly query: { readonly after?: string }
  readonly header: { readonly 'Last-Event-ID'?: string }
  readonly reply: FastifyReply
}

export type ServeStream = (request: StreamRequest, target: StreamTarget) => Promise<Streaming | Refusal>

/**
 * Serves an event stream for as long as its reader stays and its key is valid.
 * @param inspect Sees everything that goes down the streams.
 */
export const createServeStream =
  (
    { openEventStream }: Pick<UseCases, 'openEventStream'>,
    keyWatch: KeyWatch,
    inspect: (sink: EventSink, reply: FastifyReply) => EventSink,
  ): ServeStream =>
  async ({ caller, tenant, query, header, reply }, target) => {
    const position = { lastEventId: header['Last-Event-ID'], after: query.after }
    const connect = (): EventSink => inspect(beginEventStream(reply), reply)
    const opened = await openEventStream(tenant, target, position, connect)
    if (opened.kind === 'refused') return opened
    const unwatch = keyWatch.watch(caller, opened.end)
    if (reply.raw.closed) unwatch()
    else reply.raw.once('close', unwatch)
    return STREAMING
  }

const STREAMING: Streaming = { kind: 'streaming' }
