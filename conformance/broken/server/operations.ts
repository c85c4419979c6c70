import type { Mutant } from '../mutant.ts'
import { inAnswers, inContract, inRequests, inStatus } from './places.ts'

const shown = (change: string) => inAnswers(['getOperation'], change)
const renamed = (state: string, instead: string) => shown(`if (body.state === '${state}') body.state = '${instead}'`)

/** Cancels, resets, direct runs and attachments that are accepted or answered wrongly. */
export const operationMutants: readonly Mutant[] = [
  {
    name: 'operations-cancel-with-reason',
    rule: 'CANCEL-01',
    fault: 'A cancel requires a reason.',
    ...inContract("schemas.CancelRun = { type: 'object', required: ['reason'] }"),
  },
  {
    name: 'operations-cancel-takes-anything',
    rule: 'CANCEL-03',
    fault: 'A cancel accepts `expected_generation`.',
    ...inContract("schemas.CancelRun = { type: 'object' }"),
  },
  {
    name: 'operations-cancel-with-200',
    rule: 'CANCEL-04',
    fault: 'A cancel answers 200.',
    ...inStatus(['cancelRun'], 200),
  },
  {
    name: 'operations-resets',
    rule: 'RESET-01',
    fault: 'The reset route is `resets`.',
    file: 'server/src/http/routes.ts',
    find: '  else app.route(route)\n',
    replace: "  else app.route({ ...route, url: route.url.replace(/reset$/, 'resets') })\n",
  },
  {
    name: 'operations-reset-without-ref',
    rule: 'RESET-09',
    fault: 'The answer of a reset has no `ref`.',
    ...inAnswers(['resetConversation'], 'delete body.ref'),
  },
  {
    name: 'operations-any-busy-policy',
    rule: 'RESET-03',
    fault: 'A `busy_policy` may be any text.',
    ...inContract("schemas.BusyPolicy = { type: 'string' }"),
  },
  {
    name: 'operations-reset-waits',
    rule: 'RESET-06',
    fault: 'A reset lets executing runs finish.',
    file: 'openapi/src/behaviour/stop-work.ts',
    find: '    else askToStop(draft, run, operation)\n  }\n  if (unfinished',
    replace: "    else moveOperation(draft, operation, 'stopping')\n  }\n  if (unfinished",
  },
  {
    name: 'operations-reset-is-another-conversation',
    rule: 'RESET-12',
    fault: 'The operation of a reset names another conversation.',
    ...inAnswers(
      ['resetConversation', 'getOperation'],
      "body.ref.conversation_id = body.operation_id.replace('op_', 'conv_')",
    ),
  },
  {
    name: 'operations-reset-frees-the-key',
    rule: 'RESET-13',
    fault: 'After a reset the business key does not lead to the conversation.',
    file: 'server/src/store/conversations.ts',
    find: 'business_key = $4 for update`',
    replace: 'business_key = $4 and generation = 1 for update`',
  },
  {
    name: 'operations-reset-remembers',
    rule: 'RESET-14',
    fault: 'The history of a generation includes earlier generations.',
    file: 'server/src/store/history/history.ts',
    find: '($4::bigint is null or generation = $4)',
    replace: '($4::bigint is null or generation <= $4)',
  },
  {
    name: 'operations-reset-forgets',
    rule: 'RESET-15',
    also: ['HIST-12'],
    fault: 'A reset deletes the messages.',
    file: 'server/src/gateway/reset-conversation.ts',
    find: "  return (await writeOnce(context, tenant, request, change)) ?? notFound('conversation')",
    replace:
      "  const outcome = (await writeOnce(context, tenant, request, change)) ?? notFound('conversation')\n  if (outcome.kind === 'admitted') await context.db.query({ name: 'forget', access: 'write', text: 'delete from messages where app_id = $1 and conversation_id = $2' }, [tenant.appId, conversationId])\n  return outcome",
  },
  {
    name: 'operations-without-id',
    rule: 'OPER-01',
    also: ['OPER-03', 'OPER-05'],
    fault: 'The record of an operation has no operation_id.',
    ...shown('delete body.operation_id'),
  },
  {
    name: 'operations-done',
    rule: 'OPER-06',
    also: ['OPER-10'],
    fault: 'A complete operation has the state `done`.',
    ...renamed('succeeded', 'done'),
  },
  {
    name: 'operations-without-generation',
    rule: 'OPER-07',
    fault: '`ref` has no generation.',
    ...shown('delete body.ref.generation'),
  },
  {
    name: 'operations-succeeded-early',
    rule: 'OPER-09',
    fault: 'An operation that waits for a stop is shown as succeeded.',
    ...renamed('stopping', 'succeeded'),
  },
  {
    name: 'operations-failed-is-success',
    rule: 'OPER-11',
    fault: 'An operation that failed is shown as succeeded.',
    ...renamed('failed', 'succeeded'),
  },
  {
    name: 'operations-direct-without-start-before',
    rule: 'DIRECT-01',
    fault: 'A direct run does not accept `start_before`.',
    ...inContract('delete schemas.CreateRun.properties.start_before'),
  },
  {
    name: 'operations-direct-in-one-conversation',
    rule: 'DIRECT-02',
    fault: 'Direct runs without a key share a conversation.',
    ...inRequests('createRun', "json.conversation_key ??= 'shared'"),
  },
  {
    name: 'operations-direct-generation-ignored',
    rule: 'DIRECT-04',
    also: ['DIRECT-09'],
    fault: 'A direct run accepts an expected generation without a conversation key.',
    ...inRequests('createRun', 'if (json.conversation_key === undefined) delete json.expected_generation'),
  },
  {
    name: 'operations-attachments-without-scope',
    rule: 'RES-01',
    fault: 'Operations of attachments require no scope.',
    file: 'server/src/http/guard.ts',
    find: '    if (!operation.scopes.some(',
    replace: "    if (!operation.operationId.includes('Resource') && !operation.scopes.some(",
  },
  {
    name: 'operations-unknown-attachments',
    rule: 'RES-02',
    fault: 'An input may name unknown attachments.',
    file: 'openapi/src/behaviour/attachments.ts',
    find: "if (attachment === undefined) return 'is not an attachment of this application and subject'",
    replace: 'if (attachment === undefined) return null',
  },
  {
    name: 'operations-attachment-without-app-id',
    rule: 'RES-03',
    fault: 'An attachment does not name its application.',
    ...inAnswers(['createResource', 'getResource', 'putResourceContent'], 'delete body.app_id'),
  },
  {
    name: 'operations-always-pending-at-first',
    rule: 'OPER-12',
    fault: 'Cancel and reset always answer with `pending`.',
    ...inAnswers(['cancelRun', 'resetConversation'], "body.state = 'pending'"),
  },
]
