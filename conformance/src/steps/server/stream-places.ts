import type { Caller, StreamPosition } from '../../targets/server/caller.ts'
import type { ServerContext } from '../../targets/server/context.ts'
import type { EventStream } from '../../targets/server/event-stream.ts'
import { expectRefusal } from '../../targets/server/expectations.ts'
import type { Answer } from '../../targets/server/wire.ts'

/** Streams that a subject may have open. */
export const PER_SUBJECT = 4
/** Streams that an application may have open. */
export const PER_APP = 16

/** A stream, or the refusal for too many of them; nothing else. */
export async function openOrRefusal(
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream | Answer> {
  const opened = await by.tryEvents(path, position)
  if (!('frames' in opened)) expectRefusal(opened, 429, 'STREAM_LIMIT')
  return opened
}

export const isStream = (opened: EventStream | Answer): opened is EventStream => 'frames' in opened

/** Opens one, waiting for places that streams of before have not given back yet. */
export async function openInTime(
  t: ServerContext,
  by: Caller,
  path: string,
  position?: StreamPosition,
): Promise<EventStream> {
  const opened = await t.until('a place for one more stream', () => openOrRefusal(by, path, position), isStream)
  if (isStream(opened)) return opened
  throw new Error('no stream')
}

/** Opens as many streams as the subject may have. */
export async function fillSubject(t: ServerContext, path: string): Promise<readonly EventStream[]> {
  const streams: EventStream[] = []
  while (streams.length < PER_SUBJECT) streams.push(await openInTime(t, t.me, path))
  return streams
}
