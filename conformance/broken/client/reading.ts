import type { Mutant } from '../mutant.ts'

const ADAPTER = 'conformance/adapters/sdk/commands.ts'
const NAMESPACES = 'sdk/src/generated/namespaces.ts'

const RUN_ENDS =
  "call),\n      isDone: ({ state }) => ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state)"

/** Clients that misread what the gateway says about runs, operations, snapshots and history. */
export const readingMutants: readonly Mutant[] = [
  {
    name: 'history-from-the-watermark',
    rule: 'SNAP-05',
    fault: 'Begins the history before the watermark of the snapshot.',
    file: ADAPTER,
    find: 'client.messages.list(conversation_id, { limit }, { signal })',
    replace:
      'client.messages.list(conversation_id, { limit, before: (await client.conversations.get(conversation_id)).watermark }, { signal })',
  },
  {
    name: 'history-from-the-maximum',
    rule: 'HIST-08',
    fault: 'Passes the maximum cursor of the page as `before`.',
    file: NAMESPACES,
    find: "continueFrom: 'first'",
    replace: "continueFrom: 'last'",
  },
  {
    name: 'history-by-message-id',
    rule: 'HIST-08',
    fault: 'Passes a message ID as `before`.',
    file: NAMESPACES,
    find: 'before: item.cursor',
    replace: 'before: item.message_id',
  },
  {
    name: 'history-one-too-far',
    rule: 'HIST-08',
    fault: 'Passes the minimum cursor less one as `before`.',
    file: NAMESPACES,
    find: 'before: item.cursor',
    replace: 'before: item.cursor - 1',
  },
  {
    name: 'history-ends-with-a-short-page',
    rule: 'HIST-08',
    fault: 'Treats a page that is shorter than its limit as the last one.',
    file: 'sdk/src/client/pages.ts',
    find: 'page = await read(next(edge), signal)',
    replace: 'if (found.length < 3) return\n      page = await read(next(edge), signal)',
  },
  {
    name: 'omitted-result-is-none',
    rule: 'SNAP-11',
    fault: 'Treats a result that the size budget omitted as missing.',
    file: ADAPTER,
    find: 'if (result_available)',
    replace: 'if (result)',
  },
  {
    name: 'omitted-result-is-null',
    rule: 'SNAP-11',
    fault: 'Returns null for a result that the size budget omitted.',
    file: ADAPTER,
    find: 'results[run_id] = result ?? (await client.runs.get(run_id, { signal })).result',
    replace: 'results[run_id] = result',
  },
  {
    name: 'result-from-messages',
    rule: 'SNAP-13',
    fault: 'Returns the text of the last message as the result.',
    file: ADAPTER,
    find: 'client.ask(target(args), args.input, { signal }).run(),',
    replace:
      'client.ask(target(args), args.input, { signal }).run().then(async (run) => ({ ...run, result: { text: (await client.messages.list(args.conversation_id)).messages.at(-1)?.content.text } })),',
  },
  {
    name: 'result-from-the-snapshot',
    rule: 'SNAP-13',
    fault: 'Treats the partial text of the snapshot’s messages as the results that the snapshot omits.',
    file: ADAPTER,
    find: 'results[run_id] = result ?? (await client.runs.get(run_id, { signal })).result',
    replace:
      'results[run_id] = result ?? { text: (await client.conversations.get(conversation_id)).messages.at(-1)?.content.text }',
  },
  {
    name: 'queued-is-an-end',
    rule: 'RUN-13',
    fault: 'Stops waiting for a run that no device has received yet.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace:
      "call),\n      isDone: ({ state }) => ['queued', 'succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state)",
  },
  {
    name: 'start-deadline-dropped',
    rule: 'RUN-13',
    fault: 'Does not send the start deadline.',
    file: ADAPTER,
    find: 'client.messages.send(conversation_id, body, { signal }),',
    replace: 'client.messages.send(conversation_id, { ...body, start_before: undefined }, { signal }),',
  },
  {
    name: 'delivery-state-dropped',
    rule: 'RUN-13',
    fault: 'Reports every run as received by the device.',
    file: ADAPTER,
    find: 'read_run: ({ client }, { run_id }, { signal }) => client.runs.get(run_id, { signal }),',
    replace:
      "read_run: async ({ client }, { run_id }, { signal }) => ({ ...(await client.runs.get(run_id, { signal })), delivery_state: 'device_received' }),",
  },
  {
    name: 'reconciling-is-an-end',
    rule: 'RUN-19',
    fault: 'Treats a reconciling run as completed.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace:
      "call),\n      isDone: ({ state }) => ['reconciling', 'succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state)",
  },
  {
    name: 'result-means-success',
    rule: 'RUN-19',
    fault: 'Treats a run with a result as completed, whatever its state.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace:
      "call),\n      isDone: ({ state, result }) => result !== null || ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state)",
  },
  {
    name: 'expired-is-no-end',
    rule: 'RUN-25',
    fault: 'Keeps waiting for an expired run.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace: "call),\n      isDone: ({ state }) => ['succeeded', 'failed', 'cancelled', 'interrupted'].includes(state)",
  },
  {
    name: 'interrupted-with-a-text-succeeded',
    rule: 'RUN-25',
    fault: 'Reports an interrupted run with partial text as succeeded.',
    file: ADAPTER,
    find: 'client.ask(target(args), args.input, { signal }).run(),',
    replace:
      "client.ask(target(args), args.input, { signal }).run().then((run) => ({ ...run, state: run.result?.text ? 'succeeded' : run.state })),",
  },
  {
    name: 'cancelling-is-an-end',
    rule: 'RUN-28',
    fault: 'Treats cancelling as the confirmation of the stop.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace:
      "call),\n      isDone: ({ state }) => ['cancelling', 'succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state)",
  },
  {
    name: 'cancelled-without-reading-the-run',
    rule: 'RUN-28',
    fault: 'Reports a run as cancelled without reading it.',
    file: ADAPTER,
    find: 'run: await client.runs.get(run_id, { signal })',
    replace: "run: { run_id, state: 'cancelled' }",
  },
  {
    name: 'unknown-state-is-an-end',
    rule: 'GEN-29',
    fault: 'Treats a run in an unknown state as completed.',
    file: NAMESPACES,
    find: RUN_ENDS,
    replace:
      "call),\n      isDone: ({ state }) => !['queued', 'running', 'waiting_approval', 'cancelling', 'reconciling'].includes(state)",
  },
  {
    name: 'unknown-roles-dropped',
    rule: 'GEN-29',
    fault: 'Omits messages with an unknown role.',
    file: ADAPTER,
    find: 'messages: await collect(client.messages.list(conversation_id, { limit }, { signal })),',
    replace:
      "messages: (await collect(client.messages.list(conversation_id, { limit }, { signal }))).filter(({ role }) => ['user', 'assistant'].includes(role)),",
  },
  {
    name: 'stopping-is-an-end',
    rule: 'OPER-02',
    fault: 'Stops polling an operation that is stopping.',
    file: NAMESPACES,
    find: "isDone: ({ state }) => ['succeeded', 'failed'].includes(state)",
    replace: "isDone: ({ state }) => state !== 'pending' && state !== 'waiting_device'",
  },
  {
    name: 'failed-operation-is-no-end',
    rule: 'OPER-02',
    fault: 'Keeps polling after an operation has failed.',
    file: NAMESPACES,
    find: "isDone: ({ state }) => ['succeeded', 'failed'].includes(state)",
    replace: "isDone: ({ state }) => state === 'succeeded'",
  },
  {
    name: 'cancel-not-queried',
    rule: 'OPER-04',
    fault: 'Treats the answer to a cancel as its completion.',
    file: ADAPTER,
    find: 'const { operation_id } = await client.runs.cancel(run_id, { signal })\n    const operation = await client.operations.wait(operation_id, { signal })',
    replace: 'const operation = await client.runs.cancel(run_id, { signal })',
  },
  {
    name: 'control-states-unknown',
    rule: 'OPER-13',
    fault: 'Refuses a cancel’s answer that is neither stopping nor succeeded.',
    file: ADAPTER,
    find: 'cancel_run: ({ client }, { run_id }, { signal }) => client.runs.cancel(run_id, { signal }),',
    replace:
      "cancel_run: async ({ client }, { run_id }, { signal }) => { const control = await client.runs.cancel(run_id, { signal }); if (!['stopping', 'succeeded'].includes(control.state)) throw new Error('Unknown state.'); return control },",
  },
  {
    name: 'waiting-device-unknown',
    rule: 'OPER-13',
    fault: 'Reports an operation that waits for its device as pending.',
    file: ADAPTER,
    find: 'read_operation: ({ client }, { operation_id }, { signal }) => client.operations.get(operation_id, { signal }),',
    replace:
      "read_operation: async ({ client }, { operation_id }, { signal }) => { const operation = await client.operations.get(operation_id, { signal }); return operation.state === 'waiting_device' ? { ...operation, state: 'pending' } : operation },",
  },
  {
    name: 'generation-computed',
    rule: 'RESET-11',
    fault: 'Adds one to the generation that was reset.',
    file: ADAPTER,
    find: 'generation: operation.ref.generation',
    replace: 'generation: expected_generation + 1',
  },
]
