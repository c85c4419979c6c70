import type { ClientContext } from './client-context.ts'
import type { JsonObject } from './commands.ts'
import { expectThat } from './expect.ts'
import { eventEnvelope } from './records.ts'
import type { WireRequest } from './wire-request.ts'

/** An event that ends nothing, with characters of two, three and four bytes. */
export const updated = (seq: number): JsonObject => eventEnvelope(seq, 'run.updated', { note: `Größe ${seq} 漢 🚀` })

/** Where a request asks to resume: the header wins. */
export const positionOf = (request: WireRequest | undefined): string | null | undefined =>
  request?.header('last-event-id') ?? request?.query.get('after')

/** Expects that the client has left every stream that it opened there, although the gateway keeps them open. */
export const expectLeft = async ({ gateway }: ClientContext, path: string): Promise<void> => {
  expectThat(gateway.to('GET', path).length > 0, `The client must open ${path}`)
  await gateway.until(
    'The client must close its connection',
    () => gateway.to('GET', path).every((request) => request.isClosed()) || undefined,
  )
}
