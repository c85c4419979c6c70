import type { ClientContext } from './client-context.ts'
import type { JsonObject } from './commands.ts'
import { expectThat } from './expect.ts'
import { eventEnvelope } from './records.ts'
import type { WireRequest } from './wire-request.ts'

/** An event within a run, with characters of two, three and four bytes. */
export const updated = (seq: number): JsonObject => eventEnvelope(seq, 'run.updated', { note: `Größe ${seq} 漢 🚀` })

/** The position after which a request resumes. The header takes precedence. */
export const positionOf = (request: WireRequest | undefined): string | null | undefined =>
  request?.header('last-event-id') ?? request?.query.get('after')

/** Expects that the client closes every stream that it opened at this path. The gateway keeps them open. */
export const expectStreamsClosed = async ({ gateway }: ClientContext, path: string): Promise<void> => {
  expectThat(gateway.to('GET', path).length > 0, `The client must open ${path}`)
  await gateway.until(
    'The client must close its connection',
    () => gateway.to('GET', path).every((request) => request.isClosed()) || undefined,
  )
}
