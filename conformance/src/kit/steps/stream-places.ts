import { type Caller, type StreamPosition, streamOf } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import type { EventStream } from '../server/event-stream.ts'
import { expectRefusal } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

/** Maximum number of open streams of a subject. */
export const PER_SUBJECT = 4
/** Maximum number of open streams of an application. */
export const PER_APP = 16

/** How a stream too many is refused is left open (D-09 decides it), but the specification has these for what may come again. */
const COME_AGAIN = [429, 503]
/** A stream, or the refusal for too many of them; nothing else. */
export async function openOrRefusal(
  t: ServerContext,
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream | Answer> {
  const opened = await by.tryEvents(path, position)
  if (isStream(opened)) return opened
  if (t.profile === 'core' ? COME_AGAIN.includes(opened.status) : opened.status === 429)
    return t.profile === 'core' ? opened : expectRefusal(opened, 429, 'STREAM_LIMIT')
  return streamOf(opened)
}

export const isStream = (opened: EventStream | Answer): opened is EventStream => 'frames' in opened

/** Opens one, waiting for places that streams of before have not given back yet. */
export async function openInTime(
  t: ServerContext,
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream> {
  const opened = await t.until('a place for one more stream', () => openOrRefusal(t, by, path, position), isStream)
  if (isStream(opened)) return opened
  throw new Error('no stream')
}

/**
 * Opens so many streams of the subject at once; how many it got. Where fewer than it may have, places that earlier streams of the
 * application have not given back yet are waited for, and all are asked for again.
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
  while (streams.length < PER_SUBJECT) streams.push(await openInTime(t, t.me, path))
  return streams
}
