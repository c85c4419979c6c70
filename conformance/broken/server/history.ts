import type { Mutant } from '../mutant.ts'
import { inAnswers, inContract, REFUSE_AS_UNKNOWN } from './places.ts'

const page = (change: string) => inAnswers(['listMessages'], change)
const message = (change: string) => page(`for (const message of body.messages) { ${change} }`)

/** Faults of the history. */
export const historyMutants: readonly Mutant[] = [
  {
    name: 'history-other-member',
    rule: 'HIST-01',
    fault: 'The history is in `items`.',
    ...page('body = { items: body.messages }'),
  },
  {
    name: 'history-any-generation',
    rule: 'HIST-02',
    fault: 'The history ignores `generation`.',
    file: 'server/src/gateway/read-records.ts',
    find: 'generation: query.generation ?? null,',
    replace: 'generation: null,',
  },
  {
    name: 'history-page-of-20',
    rule: 'HIST-04',
    also: ['LIMIT-13'],
    fault: 'A page has 20 messages by default.',
    file: 'server/src/gateway/read-records.ts',
    find: '    limit: Math.min(query.limit, LIMITS.pageRecords),\n    bodyBytes',
    replace: '    limit: query.limit === 50 ? 20 : Math.min(query.limit, LIMITS.pageRecords),\n    bodyBytes',
  },
  {
    name: 'history-limit-of-100',
    rule: 'HIST-05',
    fault: 'A `limit` above 100 is refused.',
    ...inContract('parameters.Limit.schema.maximum = 100'),
  },
  {
    name: 'history-ends-with-404',
    rule: 'HIST-11',
    fault: 'A page without messages is answered with 404.',
    ...page(`if (body.messages.length === 0) ${REFUSE_AS_UNKNOWN}`),
  },
  {
    name: 'history-cursor-is-text',
    rule: 'HIST-13',
    fault: '`cursor` is a string.',
    ...message('message.cursor = String(message.cursor)'),
  },
  {
    name: 'history-without-run',
    rule: 'HIST-14',
    fault: 'A message does not name its run.',
    ...message('delete message.run_id'),
  },
  {
    name: 'history-role-client',
    rule: 'HIST-15',
    fault: 'Submitted input has the role `client`.',
    ...message("if (message.role === 'user') message.role = 'client'"),
  },
  {
    name: 'history-data-as-text',
    rule: 'HIST-16',
    fault: '`content.data` is the text of the JSON.',
    ...message('if (message.content.data) message.content.data = JSON.stringify(message.content.data)'),
  },
]
