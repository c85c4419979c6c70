import assert from 'node:assert/strict'
import type { Admission, Conversation, EventEnvelope, Message } from '#openapi/generated/gateway'
import type { ScriptStep } from '../config/driver.ts'
import type { Caller, StreamPosition } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import type { EventStream } from '../server/event-stream.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { readSnapshot } from './snapshots.ts'
import { openWhenAvailable } from './stream-limits.ts'

const ENDS: ReadonlySet<string> = new Set([
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.interrupted',
  'run.expired',
])

export const isEnd = ({ type }: EventEnvelope): boolean => ENDS.has(type)

export const endsRun =
  (runId: string) =>
  (event: EventEnvelope): boolean =>
    event.run_id === runId && isEnd(event)

/** The payload, of any type. */
export const payloadOf = ({ payload }: EventEnvelope): Readonly<Record<string, unknown>> => ({ ...payload })

export const ofType = (events: readonly EventEnvelope[], ...types: readonly string[]): EventEnvelope[] =>
  events.filter(({ type }) => types.includes(type))

/** Fails unless the events of a run have exactly one `run.started`. */
export function expectStartedOnce(events: readonly EventEnvelope[]): void {
  const count = ofType(events, 'run.started').length
  assert.equal(count, 1, `the run has ${count} events run.started, expected 1`)
}

export const typesOf = (events: readonly EventEnvelope[]): string[] => events.map(({ type }) => type)

/** Fails unless each number is greater than the one before it. */
export function expectIncreasing(what: string, numbers: readonly number[]): void {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  assert.deepEqual(numbers, sorted, `${what} must increase, got ${numbers.join(', ')}`)
}

export const seqsOf = (events: readonly EventEnvelope[]): number[] => events.map(({ seq }) => seq)

/** The texts of the deltas, joined. */
export const streamedText = (events: readonly EventEnvelope[]): string =>
  ofType(events, 'assistant.delta')
    .map((event) => String(payloadOf(event).text))
    .join('')

/** Closes a stream and waits for its local end. The server may count it as open for a little longer. */
export async function closeStream(stream: EventStream): Promise<void> {
  stream.close()
  await stream.ended()
}

/** Requests a stream. Fails if it is opened; otherwise returns the refusal. */
export async function refusedStream(by: Caller, path: string, position: StreamPosition = {}): Promise<Answer> {
  const answer = await by.tryEvents(path, position)
  if ('frames' in answer) assert.fail(`expected a refusal of ${path} with ${JSON.stringify(position)}, got a stream`)
  return answer
}

export interface ReadOptions {
  /** The position to start after. Absent: no position is sent. */
  readonly after?: number
  readonly caller?: Caller
}

/** Reads the events of a conversation until the condition is first true. Needs one stream. */
export async function readEvents(
  t: ServerContext,
  conversationId: string,
  what: string,
  holds: (events: readonly EventEnvelope[]) => boolean,
  { after, caller = t.me }: ReadOptions = {},
): Promise<readonly EventEnvelope[]> {
  return readTo(t, caller, `/conversations/${conversationId}/events`, what, holds, after)
}

/** Reads the events of one run until the condition is first true. Needs one stream. */
export async function readRunEvents(
  t: ServerContext,
  runId: string,
  what: string,
  holds: (events: readonly EventEnvelope[]) => boolean,
  { after, caller = t.me }: ReadOptions = {},
): Promise<readonly EventEnvelope[]> {
  return readTo(t, caller, `/runs/${runId}/events`, what, holds, after)
}

async function readTo(
  t: ServerContext,
  caller: Caller,
  path: string,
  what: string,
  holds: (events: readonly EventEnvelope[]) => boolean,
  after: number | undefined,
): Promise<readonly EventEnvelope[]> {
  const stream = await openWhenAvailable(t, caller, path, after === undefined ? {} : { after })
  await stream.until(what, ({ events }) => holds(events))
  const seen = [...stream.events]
  await closeStream(stream)
  return seen
}

/**
 * Waits until a stream has delivered as many events as expected, and fails unless they equal these. More events may
 * follow, because the specification leaves events after a run's end open (D-28 defines them).
 */
export async function expectBegins(
  stream: EventStream,
  expected: readonly EventEnvelope[],
  what: string,
): Promise<void> {
  await stream.until(`${expected.length} events of ${what}`, ({ events }) => events.length >= expected.length)
  assert.deepEqual(stream.events.slice(0, expected.length), expected, what)
}

/** The position of a conversation's newest event. */
export const watermarkOf = async (t: ServerContext, conversationId: string): Promise<number> =>
  (await readSnapshot(t, conversationId)).watermark

/** The assistant's messages in the history of a conversation. */
export const answersIn = async (t: ServerContext, conversationId: string): Promise<Message[]> =>
  expectStatus(await t.me.history(conversationId), 200).body.messages.filter(({ role }) => role === 'assistant')

/** Text and completeness of the assistant's messages. */
export const outputIn = async (t: ServerContext, conversationId: string) =>
  (await answersIn(t, conversationId)).map(({ content }) => ({ text: content.text, partial: content.partial ?? false }))

export interface ScriptRun {
  readonly conversation: Conversation
  readonly admission: Admission
  /** The position before the message was sent. */
  readonly start: number
  /** All events after that position, up to the end of the run. */
  readonly events: readonly EventEnvelope[]
}

/** Sends a script to a new conversation and reads all events up to the end of its run. Needs one stream. */
export async function runScript(t: ServerContext, ...steps: readonly ScriptStep[]): Promise<ScriptRun> {
  const conversation = await t.conversation()
  const start = await watermarkOf(t, conversation.conversation_id)
  const admission = await t.admit(conversation, t.script(...steps))
  const events = await readUntilEnd(t, admission, start)
  return { conversation, admission, start, events }
}

/** The conversation's events after the position, up to the end of the run. Needs one stream. */
export const readUntilEnd = (t: ServerContext, admission: Admission, after: number): ReturnType<typeof readEvents> =>
  readEvents(t, admission.conversation_id, 'the end of the run', (events) => events.some(endsRun(admission.run_id)), {
    after,
  })
