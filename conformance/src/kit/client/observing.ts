import { type Answer, json, stream } from './answers.ts'
import type { ClientContext } from './client-context.ts'
import type { JsonObject } from './commands.ts'
import { expectThat } from './expect.ts'
import { admission, eventEnvelope, frame, MESSAGE, MESSAGES, RUN, runRecord } from './records.ts'
import type { WireRequest } from './wire-request.ts'

/** An event within a run, with characters of two, three and four bytes. */
export const updated = (seq: number): JsonObject => eventEnvelope(seq, 'run.updated', { note: `Größe ${seq} 漢 🚀` })

/** The position after which a request resumes. The header takes precedence. */
export const positionOf = (request: WireRequest | undefined): string | null | undefined =>
  request?.header('last-event-id') ?? request?.query.get('after')

/**
 * Sends a message whose run emits these events, and returns the whole text that the client delivers. `answers` replace
 * the stream of `events`.
 */
export const replyText = async (
  { gateway, open }: ClientContext,
  events: readonly JsonObject[],
  ...answers: readonly Answer[]
): Promise<string> => {
  const [first = stream(events.map((event) => frame(event))), ...more] = answers
  gateway.on('POST', MESSAGES, json(202, admission()))
  gateway.on('GET', `${RUN}/events`, first, ...more)
  // Some clients also read the run.
  gateway.on('GET', RUN, json(200, runRecord('running')))
  const reply = (await open()).start('reply_text', MESSAGE)
  await reply.result
  return reply.items.map(({ text }) => text).join('')
}

/** Expects that the client closes every stream that it opened at this path. The gateway keeps them open. */
export const expectStreamsClosed = async ({ gateway }: ClientContext, path: string): Promise<void> => {
  expectThat(gateway.to('GET', path).length > 0, `The client must open ${path}`)
  await gateway.until(
    'The client must close its connection',
    () => gateway.to('GET', path).every((request) => request.isClosed()) || undefined,
  )
}
