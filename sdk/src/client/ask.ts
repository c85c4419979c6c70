import type { EventStream } from '../events/subscribe.ts'
import type { Admission, MessageInput, Run } from '../generated/gateway.ts'
import type { Conversations, Messages, Runs } from '../generated/namespaces.ts'
import type { ReplayHandle } from '../transport/replay-handle.ts'
import type { Mutation } from './calls.ts'
import type { MutationOptions, WaitOptions } from './options.ts'

/** Whom to ask: a conversation in the generation that the caller knows, or a service, which then gets a direct run. */
export type AskTarget =
  | { readonly conversation_id: string; readonly generation: number }
  | { readonly endpoint_id: string; readonly conversation_key?: string }

/** A message under way. Iterated, it is the text of the reply as it grows; leaving the loop cancels nothing. */
export interface Reply extends AsyncIterable<string> {
  /** The admission: rejects as any write does. */
  readonly admission: Mutation<Admission, ReplayHandle<'sendMessage' | 'createRun'>>
  /** The run's events, each once, to its end. */
  events(): AsyncIterable<EventOf>
  /** The run once it has ended: `state` says how, `result.text` what. */
  run(options?: WaitOptions): Promise<Run>
}

type EventOf = EventStream extends AsyncIterable<infer Event> ? Event : never

interface Namespaces {
  readonly conversations: Conversations
  readonly messages: Messages
  readonly runs: Runs
}

/** Sends the input and gives access to what becomes of it. The request goes out at once. */
export function ask(
  { messages, runs }: Namespaces,
  target: AskTarget,
  input: string | MessageInput,
  options?: MutationOptions,
): Reply {
  const body = typeof input === 'string' ? { text: input } : input
  const admission: Reply['admission'] =
    'conversation_id' in target
      ? messages.send(target.conversation_id, { expected_generation: target.generation, input: body }, options)
      : runs.create(target.endpoint_id, { input: body, ...keyOf(target) }, options)
  // Whoever reads the reply is told; a reply that nobody reads is no fault of the program.
  admission.withResponse().catch(() => {})
  const signal = options?.signal
  async function* events(): AsyncGenerator<EventOf, void, undefined> {
    const { run_id, event_cursor } = await admission
    yield* runs.events(run_id, { after: event_cursor, ...(signal ? { signal } : {}) })
  }
  return {
    admission,
    events,
    run: async (wait) => runs.wait((await admission).run_id, { ...(signal ? { signal } : {}), ...wait }),
    [Symbol.asyncIterator]: () => textOf(events()),
  }
}

const keyOf = ({ conversation_key: key }: { readonly conversation_key?: string }) =>
  key === undefined ? {} : { conversation_key: key }

/** The pieces of text: of a streamed message its deltas, of one that comes whole its text; never both. */
async function* textOf(events: AsyncIterable<EventOf>): AsyncGenerator<string, void, undefined> {
  const streamed = new Set<string>()
  for await (const event of events) {
    switch (event.type) {
      case 'assistant.delta':
        streamed.add(event.message_id)
        yield event.payload.text
        break
      case 'assistant.message': {
        const { text } = event.payload.message.content
        if (text && !streamed.has(event.message_id)) yield text
        break
      }
      default:
    }
  }
}
