import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Timers } from '../../runtime/timers.ts'
import { DatabaseUnavailable } from '../../store/db.ts'
import type { Writer } from '../../writer/writer.ts'
import type { Senders } from './senders.ts'
import { createTurns } from './turns.ts'

/** A larger change occupies a connection long enough to delay others noticeably. */
const LARGE_BYTES = 64 * 1024
/** Several times the default limit of an application's unfinished runs. */
const WAITING_AT_MOST = 1000
/** A rejected caller retries: the worker of a run with much output. */
const WAIT_MS = 60_000
/** The measured time is all spent on the connection. */
const REST_AT_MOST_MS = 5000

export interface PacedWriterOptions {
  readonly senders: Senders
  readonly clock: Clock
  readonly timers: Pick<Timers, 'after'>
}

/**
 * A writer for a database with a single connection, where reads wait behind writes: large changes of an application
 * take turns. A change does not make its application a sender, because runs may write for a long time after the
 * application's last request.
 */
export const createPacedWriter = (writer: Writer, { senders, clock, timers }: PacedWriterOptions): Writer => {
  const turns = createTurns({
    senders,
    atOnce: 1,
    waitingAtMost: WAITING_AT_MOST,
    waitMs: WAIT_MS,
    restAtMostMs: REST_AT_MOST_MS,
    timers,
  })
  return {
    write: async (context, change) => {
      if ((change.bytes ?? 0) <= LARGE_BYTES) return writer.write(context, change)
      const { appId } = change.conversation
      const end = await turns.take(appId)
      if (end === null) throw new DatabaseUnavailable('too many large changes of this application wait')
      const begunAt = clock.now().getTime()
      try {
        return await writer.write(context, change)
      } finally {
        turns.rest(appId, clock.now().getTime() - begunAt)
        end()
      }
    },
  }
}
