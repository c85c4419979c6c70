import type { Document, Operation, Schema } from '../../../openapi/src/document/document.ts'

const schema = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const parameters = (...names: readonly string[]) => names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
const answer = (description: string, name: string) => ({
  description,
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
  content: { 'application/json': { schema: schema(name) } },
})
const refused = (...codes: readonly string[]) => ({
  description: 'Refused.',
  'x-error-codes': [...codes],
  content: { 'application/problem+json': { schema: schema('Problem') } },
})

/** A write with an idempotency key, under a new tag. */
const CREATE_REMINDER: Operation = {
  operationId: 'createReminder',
  'x-sdk-method': 'create',
  tags: ['reminders'],
  summary: 'Create a reminder',
  security: [{ apiKey: ['conversations:write'] }],
  'x-idempotent': { header: 'Idempotency-Key', retention_seconds: 3_600 },
  parameters: parameters('IdempotencyKey', 'ServiceSubject', 'RequestId'),
  requestBody: { 'x-max-body-bytes': 1_024, content: { 'application/json': { schema: schema('CreateReminder') } } },
  responses: {
    201: answer('Created.', 'Reminder'),
    409: refused('REMINDER_CLOSED'),
    429: refused('REMINDER_LIMIT'),
    500: { $ref: '#/components/responses/Internal' },
  },
}

const LIST_REMINDERS: Operation = {
  operationId: 'listReminders',
  'x-sdk-method': 'list',
  tags: ['reminders'],
  summary: 'List reminders',
  security: [{ apiKey: ['conversations:read'] }],
  'x-pagination': {
    items: 'reminders',
    limit: 'limit',
    cursor: { query: 'before', field: 'reminder_id', from: 'last' },
    order: 'newest-first',
    end: 'empty-page',
  },
  parameters: [
    { name: 'before', in: 'query', required: false, schema: { type: 'string' } },
    ...parameters('Limit', 'ServiceSubject', 'RequestId'),
  ],
  responses: { 200: answer('A page.', 'ReminderList'), 500: { $ref: '#/components/responses/Internal' } },
}

const SCHEMAS: Record<string, Schema> = {
  ReminderPriority: {
    description: 'Open.',
    'x-open-enum': true,
    anyOf: [{ enum: ['low', 'high'] }, { type: 'string' }],
  },
  CreateReminder: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string' } },
  },
  Reminder: {
    type: 'object',
    required: ['reminder_id', 'text', 'priority'],
    properties: { reminder_id: { type: 'string' }, text: { type: 'string' }, priority: schema('ReminderPriority') },
  },
  ReminderList: {
    type: 'object',
    required: ['reminders'],
    properties: { reminders: { type: 'array', items: schema('Reminder') } },
  },
  ReminderDueEvent: {
    type: 'object',
    required: ['conversation_id', 'generation', 'event_id', 'seq', 'run_id', 'message_id', 'type', 'payload'],
    properties: {
      conversation_id: schema('ConversationId'),
      generation: schema('Generation'),
      event_id: schema('EventId'),
      seq: { type: 'integer' },
      run_id: { type: 'null' },
      message_id: { type: 'null' },
      type: { const: 'reminder.due' },
      payload: { type: 'object', required: ['reminder_id'], properties: { reminder_id: { type: 'string' } } },
    },
  },
}

/**
 * A possible later version of the contract, with additional operations, a list, a field, codes, a state and an event.
 */
export function extendContract(original: Document): Document {
  const document = structuredClone(original)
  const { schemas, 'x-errors': errors } = document.components
  const { Run: run, RunState: state, EventType: type, KnownEvent: event } = schemas
  if (!errors || !run?.properties || !state?.anyOf?.[0]?.enum || !type?.enum || !event?.oneOf)
    throw new Error('the contract lacks a part that this test extends')
  document.paths['/api/v1/reminders'] = { post: CREATE_REMINDER, get: LIST_REMINDERS }
  document.tags = [...(document.tags ?? []), { name: 'reminders', description: 'Reminders for a later time.' }]
  Object.assign(schemas, SCHEMAS)
  run.properties.cost_cents = { type: 'integer' }
  state.anyOf[0].enum.push('suspended')
  type.enum.push('reminder.due')
  event.oneOf.push(schema('ReminderDueEvent'))
  const { mapping } = event.discriminator as { mapping: Record<string, string> }
  mapping['reminder.due'] = '#/components/schemas/ReminderDueEvent'
  const entry = { title: 'A later code', description: 'It happened. Do something.', happened: 'nothing' } as const
  errors.REMINDER_LIMIT = { ...entry, status: 429, retryable: true, final_for_key: true }
  errors.REMINDER_CLOSED = { ...entry, status: 409, retryable: false, final_for_key: true }
  return document
}
