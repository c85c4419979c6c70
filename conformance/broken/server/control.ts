import type { Mutant } from '../mutant.ts'

const STOP = 'openapi/src/behaviour/stop-work.ts'
const FINISH = 'openapi/src/behaviour/finish-run.ts'

/** Cancels and resets that report a wrong state, do too little, or act too early. */
export const controlMutants: readonly Mutant[] = [
  {
    name: 'control-cancelled-before-confirmed',
    rule: 'RUN-27',
    fault: 'An executing run is cancelled before the device confirms.',
    file: STOP,
    find: "  else if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })\n  else askToStop(draft, run, operation)\n  return operation",
    replace:
      "  else if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })\n  else {\n    askToStop(draft, run, operation)\n    if (run.state === 'cancelling') finishRun(draft, run, { state: 'cancelled' })\n  }\n  return operation",
  },
  {
    name: 'control-succeeded-at-once',
    rule: 'CANCEL-08',
    fault: 'The operation of a cancel has succeeded before the run has stopped.',
    file: STOP,
    find: "  moveOperation(draft, operation, away ? 'waiting_device' : 'stopping')",
    replace:
      "  moveOperation(draft, operation, away ? 'waiting_device' : operation.kind === 'cancel' ? 'succeeded' : 'stopping')",
  },
  {
    name: 'control-queued-run-waits',
    rule: 'CANCEL-07',
    also: ['RUN-26'],
    fault: 'A queued run is cancelled only when it is its turn to start.',
    file: STOP,
    find: "  else if (run.state === 'queued') finishRun(draft, run, { state: 'cancelled' })\n  else askToStop(draft, run, operation)\n  return operation",
    replace:
      "  else if (run.state === 'queued') moveOperation(draft, operation, 'stopping')\n  else askToStop(draft, run, operation)\n  return operation",
  },
  {
    name: 'control-cancel-of-ended-run-fails',
    rule: 'CANCEL-11',
    fault: 'The operation of a cancel of an ended run fails.',
    file: STOP,
    find: "  if (run === undefined) moveOperation(draft, operation, 'succeeded')",
    replace: "  if (run === undefined) moveOperation(draft, operation, 'failed')",
  },
  {
    name: 'control-cancel-left-open',
    rule: 'CANCEL-11',
    fault: 'A cancel stays incomplete if its run ends in a state other than cancelled.',
    file: FINISH,
    find: "if (operation.kind === 'cancel' && operation.runId === run.runId) moveOperation",
    replace:
      "if (operation.kind === 'cancel' && operation.runId === run.runId && outcome.state === 'cancelled') moveOperation",
  },
  {
    name: 'control-second-cancel-forgotten',
    rule: 'CANCEL-14',
    fault: 'When a run ends, only the first of its cancels completes.',
    file: FINISH,
    find: `  for (const operation of openOperations(draft))
    if (operation.kind === 'cancel'`,
    replace: `  for (const operation of openOperations(draft).slice(0, 1))
    if (operation.kind === 'cancel'`,
  },
  {
    name: 'control-unconfirmed-stop-is-interrupted',
    rule: 'CANCEL-12',
    fault: 'An unconfirmed stop makes the run interrupted at once.',
    file: STOP,
    find: "  run.reconcileCause = 'stop_unconfirmed'",
    replace: "  finishRun(draft, run, { state: 'interrupted' })",
  },
  {
    name: 'control-reset-rejects-nothing',
    rule: 'RESET-05',
    fault: 'A reset with reject ignores queued work.',
    file: STOP,
    find: "  if (unfinished.length > 0 && busyPolicy === 'reject')",
    replace: "  if (unfinished.some(({ state }) => state !== 'queued') && busyPolicy === 'reject')",
  },
  {
    name: 'control-reset-cancels-by-default',
    rule: 'RESET-04',
    fault: 'Without a policy a reset cancels unfinished work.',
    file: 'server/src/gateway/reset-conversation.ts',
    find: "body.busy_policy ?? 'reject'",
    replace: "body.busy_policy ?? 'cancel_and_reset'",
  },
  {
    name: 'control-generation-early',
    rule: 'CONV-23',
    also: ['RESET-07'],
    fault: 'The generation advances before the old work has stopped.',
    file: STOP,
    find: '  if (unfinished.length === 0) completeReset(draft)\n  return operation',
    replace: '  if (unfinished.length === 0) completeReset(draft)\n  else work.generation += 1\n  return operation',
  },
  {
    name: 'control-generation-by-two',
    rule: 'CONV-12',
    fault: 'A reset advances the generation by 2.',
    file: FINISH,
    find: '  work.generation = previous + 1\n',
    replace: '  work.generation = previous + 2\n',
  },
  {
    name: 'control-old-binding',
    rule: 'RESET-08',
    also: ['VER-03'],
    fault: 'A reset keeps the bound version of the conversation.',
    file: FINISH,
    find: '  work.bindingVersion = work.publishedVersion\n',
    replace: '',
  },
  {
    name: 'control-reference-early',
    rule: 'RESET-17',
    fault: 'The operation of a reset names the next generation before it has succeeded.',
    file: 'openapi/src/behaviour/records.ts',
    find: 'ref: { conversation_id: operation.conversationId, generation: operation.generation },',
    replace:
      "ref: { conversation_id: operation.conversationId, generation: operation.generation + (operation.state === 'stopping' ? 1 : 0) },",
  },
  {
    name: 'control-reference-stale',
    rule: 'OPER-08',
    also: ['RESET-10'],
    fault: 'The operation of a succeeded reset still names the old generation.',
    file: FINISH,
    find: '  operation.generation = work.generation\n',
    replace: '',
  },
  {
    name: 'control-reset-twice',
    rule: 'RESET-18',
    fault: 'A resetting conversation accepts another reset.',
    file: STOP,
    find: "  if (work.state === 'resetting') return RESETTING\n",
    replace: '',
  },
  {
    name: 'control-failed-reset-blocks',
    rule: 'RESET-19',
    fault: 'After a failed reset the conversation stays resetting.',
    file: STOP,
    find: "    if (operation.kind === 'reset') draft.work.state = 'active'\n",
    replace: '',
  },
  {
    name: 'control-reset-any-generation',
    rule: 'RESET-02',
    fault: 'A reset accepts an expected generation before the current one.',
    file: 'server/src/gateway/reset-conversation.ts',
    find: 'if (generation !== body.expected_generation)',
    replace: 'if (generation < body.expected_generation)',
  },
  {
    name: 'control-lease-lost-is-failure',
    rule: 'DEV-12',
    fault: 'A run whose device went silent is interrupted without being reconciled.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: "      reconcile(draft, run, 'lease_lost')",
    replace: "      finishRun(draft, run, { state: 'interrupted' })",
  },
]
