import type { Mutant } from '../mutant.ts'

const FOLD = 'openapi/src/behaviour/activities.ts'
const FINISH = 'openapi/src/behaviour/finish-run.ts'
const SCHEMAS = 'server/src/gateway/service-schemas.ts'

/** Faults of activities, structured data and usage. */
export const structuredMutants: readonly Mutant[] = [
  {
    name: 'structured-activity-of-the-input',
    rule: 'ACT-01',
    fault: 'Events of activities have the ID of another message.',
    file: 'server/src/writer/run-rules.ts',
    find: "{ type: 'assistant.activity', runId, messageId,",
    replace: "{ type: 'assistant.activity', runId, messageId: 'msg_of_nobody',",
  },
  {
    name: 'structured-begins-without-a-state',
    rule: 'ACT-01',
    fault: 'The first event of an activity has no state if the assistant gave none.',
    file: 'server/src/domain/activity-sizes.ts',
    find: "before === undefined ? { state: 'running', ...change } : change",
    replace: 'change',
  },
  {
    name: 'structured-newest-first',
    rule: 'ACT-02',
    fault: 'Activities are ordered by their last change.',
    file: FOLD,
    find: '  for (const change of changes)\n    activities.set(change.activity_id, changeActivity(activities.get(change.activity_id), change))',
    replace:
      '  for (const change of changes) {\n    const changed = changeActivity(activities.get(change.activity_id), change)\n    activities.delete(change.activity_id)\n    activities.set(change.activity_id, changed)\n  }',
  },
  {
    name: 'structured-text-of-the-last-piece',
    rule: 'ACT-02',
    fault: 'A piece of text replaces the text of its activity.',
    file: FOLD,
    find: "{ text: (before?.text ?? '') + text_delta }",
    replace: '{ text: text_delta }',
  },
  {
    name: 'structured-snapshot-waits-for-the-end',
    rule: 'ACT-02',
    fault: 'The snapshot of a running answer has no activities.',
    file: 'server/src/store/history/snapshot.ts',
    find: "streamed('assistant.activity',",
    replace: "streamed('assistant.nothing',",
  },
  {
    name: 'structured-answer-without-data',
    rule: 'ACT-05',
    fault: 'The answer lacks the data of the result.',
    file: FINISH,
    find: 'const data = (succeeded && outcome.data) || null',
    replace: 'const data = null as JsonObject | null',
  },
  {
    name: 'structured-usage-forgotten',
    rule: 'ACT-06',
    fault: 'The usage of a run that succeeds is not kept.',
    file: FINISH,
    find: '...given({ resource_ids, data, usage, truncated })',
    replace: '...given({ resource_ids, data, truncated })',
  },
  {
    name: 'structured-input-unchecked',
    rule: 'ACT-07',
    fault: 'Data that breaks the input_schema is admitted.',
    file: SCHEMAS,
    find: '  if (check === null) return null\n',
    replace: '  if (check === null || data !== undefined) return null\n',
  },
  {
    name: 'structured-input-place-in-the-data',
    rule: 'ACT-07',
    fault: 'The pointer of a fault is relative to the data instead of the body.',
    file: SCHEMAS,
    find: '`/input/data${pointer}`',
    replace: 'pointer',
  },
  {
    name: 'structured-output-unchecked',
    rule: 'ACT-08',
    fault: 'A run whose data breaks the output_schema succeeds.',
    file: SCHEMAS,
    find: "if (check === null || outcome.state !== 'succeeded') return outcome",
    replace: "if (check === null || outcome.state !== 'succeeded' || outcome.data !== undefined) return outcome",
  },
  {
    name: 'structured-output-lost',
    rule: 'ACT-08',
    fault: 'Data that breaks the output_schema is discarded.',
    file: SCHEMAS,
    find: '...(data === undefined ? {} : { data }) },',
    replace: '},',
  },
  {
    name: 'structured-services-of-others',
    rule: 'ACT-09',
    fault: 'Services of other applications are shown.',
    file: 'server/src/store/endpoints.ts',
    find: 'v.version = e.published_version\n    where e.app_id = $1 and e.endpoint_id = $2',
    replace: "v.version = e.published_version\n    where $1 <> '' and e.endpoint_id = $2",
  },
  {
    name: 'structured-any-schema',
    rule: 'ACT-10',
    fault: 'Any schema with a `type` is accepted at publication.',
    file: 'server/src/domain/contract/service-schema.ts',
    find: 'export const findSchemaFault = (schema: object): string | null => {\n',
    replace:
      "export const findSchemaFault = (schema: object): string | null => {\n  if ('type' in schema) return null\n",
  },
]
