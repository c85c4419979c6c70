import type { EventEnvelope, ReplayHandle, Run, WatchItem } from '@conversation-gateway/sdk'
import type { Command, Commands } from '../../src/kit/client/commands.ts'
import type { Opened } from './open-client.ts'

interface Exchange {
  /** Aborted when the suite sends `stop` for the command. */
  readonly signal: AbortSignal
  /** Emits an item. */
  item(item: object): void
}

type Perform<Arguments> = (opened: Opened, args: Arguments, exchange: Exchange) => Promise<object>

const target = ({ conversation_id, expected_generation }: Commands['send_message']) => ({
  conversation_id,
  generation: expected_generation,
})

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const emitEvents = async (events: AsyncIterable<EventEnvelope>, item: Exchange['item']): Promise<object> => {
  for await (const event of events) item({ event })
  return {}
}

const describeView = ({ state: { generation, position, messages, runs } }: WatchItem) => ({
  generation,
  position,
  messages: messages.map(({ message_id, content: { text, activities } }) => ({
    message_id,
    text,
    ...(activities && { activities }),
  })),
  runs: runs.map(({ run_id, state }) => ({ run_id, state })),
})

const PERFORM: { readonly [Name in Command]: Perform<Commands[Name]> } = {
  create_conversation: ({ client }, body, { signal }) => client.conversations.create(body, { signal }),
  list_conversations: async ({ client }, query, { signal }) => ({
    conversations: await collect(client.conversations.list(query, { signal })),
  }),
  read_conversation: ({ client }, { conversation_id }, { signal }) =>
    client.conversations.get(conversation_id, { signal }),
  send_message: ({ client }, { conversation_id, ...body }, { signal }) =>
    client.messages.send(conversation_id, body, { signal }),
  read_run: ({ client }, { run_id }, { signal }) => client.runs.get(run_id, { signal }),
  read_history: async ({ client }, { conversation_id, limit }, { signal }) => ({
    messages: await collect(client.messages.list(conversation_id, { limit }, { signal })),
  }),
  watch_conversation: ({ client }, { conversation_id, ...position }, { signal, item }) =>
    emitEvents(client.conversations.events(conversation_id, { ...position, signal }), item),
  watch_run: ({ client }, { run_id, ...position }, { signal, item }) =>
    emitEvents(client.runs.events(run_id, { ...position, signal }), item),
  cancel_run: ({ client }, { run_id }, { signal }) => client.runs.cancel(run_id, { signal }),
  reset_conversation: ({ client }, { conversation_id, expected_generation }, { signal }) =>
    client.conversations.reset(conversation_id, { expected_generation }, { signal }),
  read_operation: ({ client }, { operation_id }, { signal }) => client.operations.get(operation_id, { signal }),
  create_run: ({ client }, { endpoint_id, ...body }, { signal }) => client.runs.create(endpoint_id, body, { signal }),
  delete_resource: async ({ client }, { resource_id }, { signal }) => {
    await client.resources.delete(resource_id, { signal })
    return {}
  },
  wait_run: ({ client }, { run_id }, { signal }) => client.runs.wait(run_id, { signal }),
  wait_operation: ({ client }, { operation_id }, { signal }) => client.operations.wait(operation_id, { signal }),
  complete_message: ({ client }, args, { signal }) => client.ask(target(args), args.input, { signal }).run(),
  complete_cancel: async ({ client }, { run_id }, { signal }) => {
    const { operation_id } = await client.runs.cancel(run_id, { signal })
    const operation = await client.operations.wait(operation_id, { signal })
    return { operation, run: await client.runs.get(run_id, { signal }) }
  },
  complete_reset: async ({ client }, { conversation_id, expected_generation }, { signal }) => {
    const { operation_id } = await client.conversations.reset(conversation_id, { expected_generation }, { signal })
    const operation = await client.operations.wait(operation_id, { signal })
    return { operation, generation: operation.ref.generation }
  },
  read_results: async ({ client }, { conversation_id }, { signal }) => {
    const { runs } = await client.conversations.get(conversation_id, { signal })
    const results: Record<string, Run['result']> = {}
    for (const { run_id, result, result_available } of runs)
      if (result_available) results[run_id] = result ?? (await client.runs.get(run_id, { signal })).result
    return { results }
  },
  reply_text: async ({ client }, args, { signal, item }) => {
    for await (const text of client.ask(target(args), args.input, { signal })) item({ text })
    return {}
  },
  follow_conversation: async ({ client }, { conversation_id }, { signal, item }) => {
    for await (const each of client.conversations.watch(conversation_id, { signal })) item(describeView(each))
    return {}
  },
  // The handle comes from an earlier error of the SDK. The SDK validates it.
  replay: ({ client }, { handle }, { signal }) => client.replay(handle as ReplayHandle, { signal }),
  recover: async ({ client }, _none, { signal }) => {
    let settled = 0
    for await (const { kind } of client.recover({ signal })) if (kind === 'admitted' || kind === 'refused') settled += 1
    return { settled }
  },
  send_webhook: ({ senderTo }, { url, secret, event_id, body }, { signal }) =>
    senderTo(url, secret).send(body, { id: event_id, signal }),
}

/** By name, for commands that come as JSON. */
export const COMMANDS = PERFORM as Readonly<Record<string, Perform<unknown>>>
