import { DatabaseUnavailable } from '../../store/db.ts'
import type { Writer } from '../../writer/writer.ts'
import type { PaceOptions } from './pace-bodies.ts'
import { createAtPace } from './pace-bodies.ts'

/** A change that writes more keeps a connection for so long that whoever waits behind it notices. */
const LARGE_BYTES = 64 * 1024
/** More than the runs that an application may have. */
const WAITING_AT_MOST = 1000
/** Whoever gives up asks again: the worker of a run that puts out much. */
const WAIT_MS = 60_000
/** All of what is counted here is time of the connection. */
const REST_AT_MOST_MS = 5000

/**
 * A writer for a database with a single connection, where whoever reads waits behind whoever writes: beside another
 * application, large changes of one go out one at a time, and then none for a while, so that the connection is free for others
 * most of the time.
 */
export const createPacedWriter = (
  writer: Writer,
  { senders, clock, timers }: Pick<PaceOptions, 'senders' | 'clock' | 'timers'>,
): Writer => {
  const atPace = createAtPace({
    // Who writes may be somebody who has sent nothing for long.
    senders: { see: () => {}, isAlone: senders.isAlone },
    waitingAtMost: WAITING_AT_MOST,
    waitMs: WAIT_MS,
    restAtMostMs: REST_AT_MOST_MS,
    clock,
    timers,
  })
  return {
    write: async (context, change) => {
      if ((change.bytes ?? 0) <= LARGE_BYTES) return writer.write(context, change)
      const turn = await atPace(change.conversation.appId)
      if (typeof turn !== 'function') throw new DatabaseUnavailable('too many large changes of this application wait')
      try {
        return await writer.write(context, change)
      } finally {
        turn()
      }
    },
  }
}
