import type { Mutant } from '../mutant.ts'

const withoutSubject = (clause: string): string =>
  clause.replace(/(?:c\.)?subject = \$2/, () => '($2::text is not null)')

/** A gateway that looks up the record of one route without the subject. */
const forgetting = (name: string, route: string, file: string, find: string, rule = 'GEN-16'): Mutant => ({
  name: `tenancy-${name}`,
  rule,
  fault: `${route} looks up its record without the subject.`,
  file: `server/src/store/${file}.ts`,
  find,
  replace: withoutSubject(find),
})

/** Records shown to, or changed by, another tenant. */
export const tenancyMutants: readonly Mutant[] = [
  forgetting('run', 'GET of a run', 'runs', 'from runs where app_id = $1 and subject = $2 and run_id = $3`'),
  forgetting(
    'snapshot',
    'The snapshot',
    'history/snapshot',
    'where c.app_id = $1 and c.subject = $2 and c.conversation_id = $3`,\n}\n\nexport type JsonMessage',
  ),
  forgetting(
    'history',
    'The history',
    'history/history',
    'from conversations c where c.app_id = $1 and c.subject = $2 and',
  ),
  forgetting('operation', 'GET of an operation', 'operations', 'from operations where app_id = $1 and subject = $2'),
  forgetting(
    'streams',
    'The event stream of a conversation',
    'conversations',
    `last_seq as "lastSeq", pruned_seq as "prunedSeq" from conversations
    where app_id = $1 and subject = $2 and conversation_id = $3`,
  ),
  forgetting(
    'attachment',
    'GET of an attachment',
    'resources',
    'from resources where app_id = $1 and subject = $2 and resource_id = $3`',
    'RES-20',
  ),
  forgetting(
    'list',
    'The list of conversations',
    'conversations',
    'where app_id = $1 and subject = $2 and device_id = $3 and conversation_id < $4',
    'LIST-03',
  ),
  forgetting(
    'business-key',
    'A direct run with a business key',
    'conversations',
    'where app_id = $1 and subject = $2 and endpoint_id = $3 and business_key = $4 for update`',
    'DIRECT-03',
  ),
  {
    name: 'tenancy-send',
    rule: 'GEN-16',
    fault: 'A message is admitted to the conversation of another subject.',
    file: 'server/src/writer/idempotency.ts',
    find: '      if (open.row.subject !== tenant.subject) return null\n',
    replace: '',
  },
  {
    name: 'tenancy-attachment-in-input',
    rule: 'MSG-12',
    fault: "A message may name another subject's attachment.",
    file: 'server/src/store/resources.ts',
    find: `    where r.app_id = $1 and r.subject = $2 and r.resource_id in (select json_array_elements_text($4::json))`,
    replace: `    where r.app_id = $1 and $2::text is not null and r.resource_id in (select json_array_elements_text($4::json))`,
  },
  {
    name: 'tenancy-key-scope',
    rule: 'IDEM-11',
    also: ['GEN-31', 'IDEM-27'],
    fault: 'Idempotency keys are looked up per application, without the subject.',
    file: 'server/src/writer/idempotency.ts',
    find: '  subject: scope,\n})',
    replace: "  subject: scope.startsWith(' ') ? scope : '*',\n})",
  },
  {
    name: 'tenancy-list-other-services',
    rule: 'LIST-02',
    fault: 'The list has only the conversations of the named service, not those of its device.',
    file: 'server/src/store/conversations.ts',
    find: 'device_id = $3 and conversation_id < $4',
    replace: "endpoint_id = replace($3, 'dev_', 'ep_') and conversation_id < $4",
  },
  {
    name: 'tenancy-before-of-another-tenant',
    rule: 'LIST-13',
    fault: 'A `before` of another tenant is accepted as a position.',
    file: 'server/src/gateway/read-records.ts',
    find: "if (before !== null && (await findConversationPlace(db, tenant, before)) === null) return notFound('conversation')",
    replace: '',
  },
  {
    name: 'tenancy-list-of-all-applications',
    rule: 'LIST-03',
    fault: 'The list shows conversations of subjects of the same name in all applications on the device.',
    file: 'server/src/store/conversations.ts',
    find: 'where app_id = $1 and subject = $2 and device_id = $3 and conversation_id < $4',
    replace: 'where $1::text is not null and subject = $2 and device_id = $3 and conversation_id < $4',
  },
  {
    name: 'tenancy-streams-by-name-of-subject',
    rule: 'LIMIT-16',
    fault: 'Streams of subjects of the same name count together across applications.',
    file: 'server/src/store/streams.ts',
    find: 'count(*) filter (where app_id = $1 and subject = $3) as of_subject',
    replace: 'count(*) filter (where subject = $3) as of_subject',
  },
]
