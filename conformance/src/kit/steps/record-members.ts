import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import { closeStream, endsRun } from './events.ts'
import { finishedRecords } from './records.ts'
import type { BearerRoute } from './routes.ts'
import { ask, bearerRoutes } from './routes.ts'

/** A member of a record somewhere in an answer or an event. */
export interface RecordMember {
  /** The operation of the answer, or the type of the event. */
  readonly source: string
  readonly name: string
  readonly value: unknown
}

/** All members of a value, at any depth. */
export const membersOf = (source: string, value: unknown): RecordMember[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [{ source, name, value: member }, ...membersOf(source, member)])
    : []

/** All members of the records in answers of all routes, and of the events of a conversation. Opens one stream. */
export async function collectMembers(t: ServerContext): Promise<RecordMember[]> {
  const ids = await finishedRecords(t)
  const found: RecordMember[] = []
  const isRecord = ({ name, stream }: BearerRoute): boolean => stream === undefined && name !== 'getResourceContent'
  for (const route of bearerRoutes(t).filter(isRecord)) {
    const answer = expectStatus(await ask(t.me, route, ids), 200, 201, 202, 204)
    found.push(...membersOf(route.name, answer.body))
  }
  const stream = await t.me.events(ids.conversation, { after: 0 })
  await stream.event('the end of the run', endsRun(ids.run))
  await closeStream(stream)
  for (const event of stream.events) found.push(...membersOf(event.type, event))
  return found
}
