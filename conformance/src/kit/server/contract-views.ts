/**
 * Shapes of successful answers that the specification itself shows, by operation and status. Decisions define all other
 * answers, and the profile `core` does not check them.
 */
export const FIXED_BY_SPECIFICATION: ReadonlySet<string> = new Set([
  'createConversation 201',
  'getConversation 200',
  'sendMessage 202',
  'getRun 200',
  'listMessages 200',
  'cancelRun 202',
  'resetConversation 202',
  'getOperation 200',
])

/** Headers that decisions require of answers. Other headers in the contract are specific to its server. */
const DECIDED_HEADERS: ReadonlySet<string> = new Set([
  'x-request-id',
  'cache-control',
  'x-accel-buffering',
  'retry-after',
  'www-authenticate',
])

/** Whether an answer of this operation and status must have a header that the contract requires. */
export const isHeaderChecked = (profile: 'core' | 'reference', operation: string, header: string): boolean => {
  if (profile === 'core' || !DECIDED_HEADERS.has(header.toLowerCase())) return false
  // D-30 applies only to streams.
  return header.toLowerCase() !== 'cache-control' || /^stream/.test(operation)
}

const prefixed = (prefix: string) => ({ type: 'string', pattern: `^${prefix}_.+` })

const ANY_EVENT = {
  type: 'object',
  required: ['conversation_id', 'generation', 'event_id', 'seq', 'run_id', 'message_id', 'type', 'payload'],
  properties: {
    conversation_id: prefixed('conv'),
    generation: { type: 'integer', minimum: 1 },
    event_id: prefixed('evt'),
    seq: { type: 'integer', minimum: 0 },
    run_id: { type: ['string', 'null'] },
    message_id: { type: ['string', 'null'] },
    type: { type: 'string', minLength: 1 },
    payload: { type: 'object' },
  },
}

/** The schemas that the contract defines in more detail than the specification, without that detail. */
const LOOSER = {
  ConversationId: prefixed('conv'),
  MessageId: prefixed('msg'),
  RunId: prefixed('run'),
  OperationId: prefixed('op'),
  EventId: prefixed('evt'),
  AppId: { type: 'string' },
  OwnerId: { type: 'string' },
  EndpointId: { type: 'string' },
  ResourceId: { type: 'string' },
  ConversationState: { type: 'string' },
  MessageRole: { type: 'string' },
  RunError: {},
  EventEnvelope: ANY_EVENT,
}

/** The answer to an accepted event has the members that endpoint 14 names, or those of a control (D-35). */
const WEBHOOK_ACCEPTANCE = {
  anyOf: [
    {
      type: 'object',
      required: ['conversation_id', 'generation', 'message_id', 'run_id'],
      properties: {
        conversation_id: { $ref: '#/components/schemas/ConversationId' },
        generation: { $ref: '#/components/schemas/Generation' },
        message_id: { $ref: '#/components/schemas/MessageId' },
        run_id: { $ref: '#/components/schemas/RunId' },
      },
    },
    { $ref: '#/components/schemas/Control' },
  ],
}

/** The document as defined by decisions, without additions of its own server (D-64). */
export const referenceView = <Document extends Contract>(document: Document): object => ({
  ...document,
  components: {
    ...document.components,
    schemas: { ...document.components.schemas, WebhookAcceptance: WEBHOOK_ACCEPTANCE },
  },
})

/** The document without its fallbacks for values of later versions, because a system of this version sends none. */
export function withClosedEnumerations<Document>(document: Document): Document {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close)
    if (typeof value !== 'object' || value === null) return value
    if ('x-open-enum' in value && 'anyOf' in value && Array.isArray(value.anyOf)) return value.anyOf[0]
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, close(member)]))
  }
  return close(document) as Document
}

interface Contract {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** The document without the details of schemas that only decisions define. */
export function coreView<Document extends Contract>(document: Document): object {
  const { Snapshot: snapshot, ...schemas } = document.components.schemas
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, ...LOOSER, Snapshot: withOpenMessages(snapshot) },
    },
  }
}

/** The specification shows no shape for the messages of a snapshot. */
const withOpenMessages = (snapshot: object | undefined): object => {
  const properties = snapshot !== undefined && 'properties' in snapshot ? snapshot.properties : {}
  return { ...snapshot, properties: { ...Object(properties), messages: { type: 'array', maxItems: 200 } } }
}
