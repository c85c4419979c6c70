import { type Caller, type StreamPosition, streamOf } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import type { EventStream } from '../server/event-stream.ts'
import { expectRefusal } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

/** Maximum number of open streams of a subject. */
export const PER_SUBJECT = 4
/** Maximum number of open streams of an application. */
export const PER_APP = 16

/**
 * Possible refusals of too many streams. The specification has both for requests that may be repeated; D-09 decides on
 * 429.
 */
const RETRYABLE = [429, 503]

/** Opens a stream. Returns the stream or the refusal of too many streams, and fails for any other answer. */
export async function openOrRefusal(
  t: ServerContext,
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream | Answer> {
  const opened = await by.tryEvents(path, position)
  if (isStream(opened)) return opened
  if (t.profile === 'core' ? RETRYABLE.includes(opened.status) : opened.status === 429)
    return t.profile === 'core' ? opened : expectRefusal(opened, 429, 'STREAM_LIMIT')
  return streamOf(opened)
}

export const isStream = (opened: EventStream | Answer): opened is EventStream => 'frames' in opened

/** Opens a stream. Waits until the gateway has released the slots of closed streams. */
export const openWhenAvailable = (
  t: ServerContext,
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream> => t.until('a slot for one more stream', () => openOrRefusal(t, by, path, position), isStream)

/**
 * Opens `count` streams of the subject at once, and returns how many are accepted. If these are fewer than the limit,
 * the gateway may not have released the slots of closed streams yet, so all are opened again.
 */
export const openAtOnce = (t: ServerContext, path: string, count: number): Promise<number> =>
  t.until(
    `as many of ${count} streams at once as a subject may have`,
    async () => {
      const opened = await Promise.all(Array.from({ length: count }, () => openOrRefusal(t, t.me, path)))
      const streams = opened.filter(isStream)
      if (streams.length < PER_SUBJECT) {
        for (const stream of streams) stream.close()
        await Promise.all(streams.map((stream) => stream.ended()))
      }
      return streams.length
    },
    (got) => got >= PER_SUBJECT,
  )

/** Opens as many streams as the subject may have. */
export async function fillSubject(t: ServerContext, path: string): Promise<readonly EventStream[]> {
  const streams: EventStream[] = []
  while (streams.length < PER_SUBJECT) streams.push(await openWhenAvailable(t, t.me, path))
  return streams
}
