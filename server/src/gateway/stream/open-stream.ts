import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { cursorExpired } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { findConversationPlace } from '../../store/conversations.ts'
import type { Db } from '../../store/db.ts'
import { findRunPlace } from '../../store/run-place.ts'
import type { StreamLimit } from '../../store/streams.ts'
import type { EventSink } from './event-sink.ts'
import type { Hub } from './hub.ts'
import type { StreamSlots } from './stream-slots.ts'

export interface StreamContext {
  readonly db: Db
  readonly hub: Hub
  readonly slots: StreamSlots
}

/** The target: a whole conversation, or one of its runs. */
export type StreamTarget = { readonly conversationId: string } | { readonly runId: string }

/**
 * The requested position: the stream starts after this seq, in digits. The header takes precedence over the query
 * (D-29). With neither, the stream starts with the oldest retained event.
 */
export interface StreamPosition {
  readonly lastEventId?: string | undefined
  readonly after?: string | undefined
}

/** A stream that is being served. */
export interface OpenedStream {
  readonly kind: 'opened'
  /** Ends it cleanly, for instance when its key is revoked. */
  end(): void
}

/**
 * Opens an event stream: 404 for a target of another tenant, 410 for positions that cannot be served, 429 when
 * a limit of streams is reached (D-29, D-31).
 * @param connect Called once, after all checks have passed.
 */
export const openEventStream = async (
  { db, hub, slots }: StreamContext,
  tenant: Tenant,
  target: StreamTarget,
  position: StreamPosition,
  connect: () => EventSink,
): Promise<OpenedStream | Refusal> => {
  const runId = 'runId' in target ? target.runId : null
  const run = 'runId' in target ? await findRunPlace(db, tenant, target.runId) : null
  const conversationId = 'conversationId' in target ? target.conversationId : (run?.conversationId ?? null)
  const place = conversationId === null ? null : await findConversationPlace(db, tenant, conversationId)
  if (conversationId === null || place === null) return notFound(runId === null ? 'conversation' : 'run')

  const { deviceId, lastSeq, prunedSeq } = place
  const after = Number(position.lastEventId ?? position.after ?? prunedSeq)
  if (after < prunedSeq || after > lastSeq) return cursorExpired(after < prunedSeq)

  const slot = await slots.take(tenant, deviceId)
  if (typeof slot === 'string') return streamLimit(slot)
  try {
    const sink = connect()
    sink.onClose(() => {
      void slot.release()
    })
    const log = { appId: tenant.appId, conversationId, runId }
    // A run has no events before its first one, so skip the earlier log of a long conversation.
    const from = run === null ? after : Math.max(after, run.firstSeq - 1)
    return { kind: 'opened', end: hub.subscribe({ log, position: from, lastSeq, sink }) }
  } catch (error) {
    await slot.release()
    throw error
  }
}

/** Long enough for another stream to close, short enough not to leave a slot empty. */
const RETRY_AFTER_SECONDS = 5

const REACHED: Record<StreamLimit, string> = {
  subject: 'The subject has reached its limit of open streams; close one.',
  app: 'The application has reached its limit of open streams; close one.',
  device: 'The device of this service has reached its limit of open streams.',
}

const streamLimit = (reached: StreamLimit): Refusal =>
  refuse('STREAM_LIMIT', REACHED[reached], { retryAfterSeconds: RETRY_AFTER_SECONDS })
