const FIELDS = 'Resources and their fields'
const STATES = 'States and transitions'
const ENDPOINTS = 'Endpoints'

/** A section of the protocol: the rules whose `where` is one of these headings, after a few words of introduction. */
export interface ProtocolSection {
  readonly anchor: string
  readonly title: string
  readonly headings: readonly string[]
  readonly introduction: string
}

export interface ProtocolPart {
  /** Its page: `protocol/<name>`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly sections: readonly ProtocolSection[]
}

const section = (title: string, introduction: string, ...headings: string[]): ProtocolSection => ({
  anchor: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
  title,
  headings,
  introduction,
})

/** The protocol, in reading order for implementers. */
export const PROTOCOL: readonly ProtocolPart[] = [
  {
    name: 'basics',
    title: 'Basics',
    description: 'What a gateway is, who may call it, how a write is repeated, and what a refusal looks like.',
    sections: [
      section(
        'What a gateway is',
        'A gateway takes work for published assistant endpoints, keeps it, and reports the outcome. Everything it accepts is durable, and everything it keeps belongs to one application and one subject.',
        'Conversation Gateway Service Specification',
        'What the service does',
      ),
      section(
        'IDs and times',
        'The prefix of an ID shows its kind. Clients must not rely on the rest of an ID.',
        FIELDS,
        `${FIELDS} > Other records`,
      ),
      section(
        'Authentication',
        'A call needs the key of an application, a scope for the route, and a subject for whom it acts.',
        'Authentication',
      ),
      section(
        'Calls and idempotency',
        'Creating, sending, cancelling and resetting take a key. Repeating the same request under the same key is safe, and returns the outcome of a write whose answer was lost.',
        ENDPOINTS,
      ),
      section(
        'Errors',
        'A refusal has a status and a code. A refused request had no effect, unless the answer states that its outcome is unknown.',
        'Errors',
      ),
      section(
        'Limits',
        'Each limit is exact: the last permitted value is accepted, the next one is refused.',
        'Limits',
      ),
      section(
        'Versions',
        'The path contains the version of the API. Each conversation is bound to a version of its endpoint.',
        'Versioning',
      ),
    ],
  },
  {
    name: 'conversations',
    title: 'Conversations and messages',
    description: 'Creating a conversation, sending messages to it, and reading them.',
    sections: [
      section(
        'Create a conversation',
        'A conversation durably binds a subject to an endpoint.',
        `${ENDPOINTS} > 1. Create a conversation`,
      ),
      section(
        'The conversation record',
        'Creation and the list answer with this record.',
        `${FIELDS} > Conversation record (response of conversation creation)`,
        `${STATES} > Conversation states`,
      ),
      section(
        'List conversations',
        'The list shows the conversations of a subject on one device.',
        `${ENDPOINTS} > 2. List conversations`,
      ),
      section(
        'Send a message',
        'A message names the generation that it was written for. It is admitted or refused as a whole.',
        `${ENDPOINTS} > 4. Send a message`,
      ),
      section(
        'The admission',
        'A 202 names the run that the message started, and the position from which its events follow.',
        `${FIELDS} > Admission response (message admission)`,
      ),
      section(
        'Read a snapshot',
        'A snapshot has the initial data of a view: the newest messages and runs, and a position from which to follow the events.',
        `${ENDPOINTS} > 3. Read a conversation snapshot`,
        `${FIELDS} > Snapshot (GET of a conversation)`,
      ),
      section(
        'Read the history',
        'The history has every message that is still kept, page by page.',
        `${ENDPOINTS} > 6. Read message history`,
        `${FIELDS} > Message record (history)`,
      ),
    ],
  },
  {
    name: 'runs',
    title: 'Runs and events',
    description: 'What happens between a message and its end, and how to follow it.',
    sections: [
      section(
        'Read a run',
        'Each message has one run. The run holds the result.',
        `${ENDPOINTS} > 5. Read a run`,
        `${FIELDS} > Run record (GET of a run)`,
      ),
      section(
        'Run states',
        'A run waits, executes, and ends in one of five final states.',
        `${STATES} > Run states`,
        `${STATES} > Delivery state of a run`,
      ),
      section(
        'Create a direct run',
        'A direct run does not need an existing conversation.',
        `${ENDPOINTS} > 12. Direct run creation`,
      ),
      section(
        'Follow the events',
        'A client can close an event stream and resume it at any position, and gets each event exactly once.',
        `${ENDPOINTS} > 7. Observe conversation events (SSE)`,
        `${ENDPOINTS} > 8. Observe one run's events`,
      ),
      section(
        'Events',
        'One numbered sequence of events records everything that happens in a conversation.',
        `${FIELDS} > Event envelope (SSE and callbacks)`,
        'Events',
      ),
    ],
  },
  {
    name: 'control',
    title: 'Cancel and reset',
    description: 'Operations that take time, and how to know when they are done.',
    sections: [
      section(
        'Cancel a run',
        'A cancel asks for a stop. Its operation says when the run has ended; the run says how.',
        `${ENDPOINTS} > 9. Cancel a run`,
      ),
      section(
        'Reset a conversation',
        'A reset starts a new generation in the same conversation.',
        `${ENDPOINTS} > 10. Reset a conversation`,
      ),
      section(
        'Read an operation',
        'A client polls the operation until it has succeeded or failed.',
        `${ENDPOINTS} > 11. Read an operation`,
        `${FIELDS} > Operation record`,
        `${STATES} > Operation states`,
      ),
    ],
  },
  {
    name: 'integrations',
    title: 'Attachments, webhooks and callbacks',
    description: 'Files, signed events that come in, and signed results that go out.',
    sections: [
      section(
        'Attachments',
        'A file is uploaded first and named by its ID afterwards.',
        `${ENDPOINTS} > 13. Attachments`,
      ),
      section(
        'Signatures',
        'Webhooks and callbacks are signed in the same way, each with its own secret.',
        'Authentication > Signature scheme (incoming webhooks and outgoing callbacks)',
      ),
      section(
        'Receive a webhook',
        'Another system starts work with a signed event and no key of the application.',
        `${ENDPOINTS} > 14. Incoming webhook`,
      ),
      section(
        'Send a callback',
        'The gateway delivers events to a receiver until the receiver acknowledges them or the delivery window ends.',
        `${ENDPOINTS} > 15. Outgoing result callbacks`,
        `${STATES} > Callback delivery states`,
      ),
    ],
  },
]
