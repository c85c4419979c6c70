import type { Mutant } from '../mutant.ts'
import { inAnswers, inContract, inStatus } from './places.ts'

const CREATE = 'server/src/gateway/create-conversation.ts'
const READ = 'server/src/gateway/read-records.ts'
const created = (change: string) => inAnswers(['createConversation'], change)
const snapshot = (change: string) => inAnswers(['getConversation'], change)

/** Conversations that are created, listed or shown wrongly. */
export const conversationMutants: readonly Mutant[] = [
  {
    name: 'conversations-created-with-200',
    rule: 'CONV-01',
    fault: 'A creation answers 200.',
    ...inStatus(['createConversation'], 200),
  },
  {
    name: 'conversations-without-service',
    rule: 'CONV-02',
    fault: 'The contract does not require `endpoint_id`.',
    ...inContract('schemas.CreateConversation.required = []'),
  },
  {
    name: 'conversations-any-service',
    rule: 'CONV-03',
    also: ['CONV-13'],
    fault: 'A conversation may be bound to the service of another application.',
    file: 'server/src/store/endpoints.ts',
    find: 'cross join gateway g where e.app_id = $1 and e.endpoint_id = $2`',
    replace: "cross join gateway g where $1 <> '' and e.endpoint_id = $2`",
  },
  {
    name: 'conversations-short-keys',
    rule: 'CONV-04',
    also: ['LIMIT-05'],
    fault: 'A business key has at most 255 characters.',
    ...inContract('schemas.ConversationKey.maxLength = 255'),
  },
  {
    name: 'conversations-white-space',
    rule: 'CONV-05',
    fault: 'A business key may have surrounding white space.',
    ...inContract('delete schemas.ConversationKey.pattern'),
  },
  {
    name: 'conversations-one-without-key',
    rule: 'CONV-06',
    fault: 'A subject has at most one conversation without a business key.',
    file: CREATE,
    find: 'newConversation(tenant, endpoint, body.conversation_key ?? null, now)',
    replace: "newConversation(tenant, endpoint, body.conversation_key ?? 'none', now)",
  },
  {
    name: 'conversations-creation-stops-work',
    rule: 'CONV-10',
    fault: 'A creation cancels the running runs of its subject.',
    file: CREATE,
    find: '      await insertConversation(tx, conversation)\n',
    replace:
      "      await insertConversation(tx, conversation)\n      await tx.query({ name: 'stop_others', text: `update runs set state = 'cancelled', finished_at = now() where app_id = $1 and subject = $2 and state = 'running'` }, [tenant.appId, tenant.subject])\n",
  },
  {
    name: 'conversations-closed-by-a-reset',
    rule: 'CONV-11',
    fault: 'A conversation accepts no messages after a reset.',
    file: 'openapi/src/behaviour/admission.ts',
    find: "  if (work.state !== 'active') return",
    replace: "  if (work.state !== 'active' || work.generation > 1) return",
  },
  {
    name: 'conversations-time-in-numbers',
    rule: 'CONV-14',
    also: ['LIST-05'],
    fault: '`created_at` is a number, in answers to creations and lists.',
    ...inAnswers(
      ['createConversation', 'listConversations'],
      'for (const record of body.conversations ?? [body]) record.created_at = Date.parse(record.created_at)',
    ),
  },
  {
    name: 'conversations-subject-in-capitals',
    rule: 'CONV-15',
    fault: '`subject` of a record is in capitals.',
    ...created('body.subject = body.subject.toUpperCase()'),
  },
  {
    name: 'conversations-generation-0',
    rule: 'CONV-17',
    fault: 'A creation answers with generation 0.',
    ...created('body.generation = 0'),
  },
  {
    name: 'conversations-key-in-capitals',
    rule: 'CONV-18',
    fault: '`business_key` is in capitals.',
    ...created('if (body.business_key) body.business_key = body.business_key.toUpperCase()'),
  },
  {
    name: 'conversations-new',
    rule: 'CONV-20',
    also: ['CONV-21'],
    fault: 'A creation answers with the state `new`.',
    ...created("body.state = 'new'"),
  },
  {
    name: 'conversations-app-id-is-the-service',
    rule: 'CONV-25',
    fault: '`app_id` is the ID of the service.',
    ...created('body.app_id = body.endpoint_id'),
  },
  {
    name: 'conversations-before-ignored',
    rule: 'LIST-01',
    also: ['LIST-04'],
    fault: 'The list ignores `before`.',
    file: READ,
    find: 'conversation_key: key, before = null, limit } = query\n',
    replace: 'conversation_key: key, limit } = query\n  const before = null\n',
  },
  {
    name: 'conversations-nested-snapshot',
    rule: 'SNAP-01',
    also: ['SNAP-02'],
    fault: 'The snapshot is nested in a member of its answer.',
    ...snapshot('body = { snapshot: body }'),
  },
  {
    name: 'conversations-first-generation-shown',
    rule: 'SNAP-03',
    fault: 'The snapshot always has generation 1.',
    ...snapshot('body.generation = 1'),
  },
  {
    name: 'conversations-watermark-is-text',
    rule: 'SNAP-04',
    fault: '`watermark` is a string.',
    ...snapshot('body.watermark = String(body.watermark)'),
  },
]
