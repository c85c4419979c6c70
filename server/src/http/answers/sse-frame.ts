import { eventEnvelope } from '@conversation-gateway/openapi/behaviour/event-envelope'
import type { EventFrames } from '../../gateway/stream/event-page.ts'

/** How long a client waits before it reconnects, sent once at the start of a stream (D-30). */
export const STREAM_START: Uint8Array = Buffer.from('retry: 1000\n\n')

/** The wire format of event streams: one event a frame, one `data` line (D-30). */
export const sseFrames: EventFrames = {
  event: (conversationId, event) =>
    `id: ${event.seq}\nevent: ${event.type}\ndata: ${eventEnvelope(conversationId, event)}\n\n`,
  ping: Buffer.from(': ping\n\n'),
}
