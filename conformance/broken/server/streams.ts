import type { Mutant } from '../mutant.ts'

const OPEN = 'server/src/gateway/stream/open-stream.ts'
const PAGE = 'server/src/gateway/stream/event-page.ts'
const ENVELOPE = 'openapi/src/behaviour/event-envelope.ts'
const POSITION = 'position.lastEventId ?? position.after ?? prunedSeq'
const ENCODED = 'const encoded = events.map((event) => Buffer.from(frames.event(conversationId, event)))'

/** A stream that never sends the events of a type. */
const without = (type: string) => ({
  file: PAGE,
  find: ENCODED,
  replace: `const encoded = events.map((event) => Buffer.from(event.type === '${type}' ? '' : frames.event(conversationId, event)))`,
})

/** Wrong event streams and events. */
export const streamMutants: readonly Mutant[] = [
  {
    name: 'streams-header-ignored',
    rule: 'SSE-03',
    fault: '`Last-Event-ID` is ignored.',
    file: OPEN,
    find: POSITION,
    replace: 'position.after ?? prunedSeq',
  },
  {
    name: 'streams-query-ignored',
    rule: 'SSE-04',
    also: ['SSE-36'],
    fault: '`after` is ignored.',
    file: OPEN,
    find: POSITION,
    replace: 'position.lastEventId ?? prunedSeq',
  },
  {
    name: 'streams-text-makes-lines',
    rule: 'SSE-08',
    fault: 'Line breaks in a text are sent as line breaks of the stream.',
    file: 'server/src/http/answers/sse-frame.ts',
    find: '${eventEnvelope(conversationId, event)}',
    replace: "${eventEnvelope(conversationId, event).replaceAll('\\\\n', '\\n')}",
  },
  {
    name: 'streams-run-counted-anew',
    rule: 'SSE-15',
    also: ['EVT-14'],
    fault: 'The stream of a run numbers its events without gaps.',
    file: 'server/src/gateway/stream/catch-up.ts',
    find: 'encodePage(frames, log.conversationId, events)',
    replace:
      'encodePage(frames, log.conversationId, log.runId === null ? events : events.map((event, index) => ({ ...event, seq: subscriber.position + 1 + index })))',
  },
  {
    name: 'streams-silent-reset',
    rule: 'SSE-17',
    fault: 'A reset emits no event.',
    ...without('conversation.reset'),
  },
  {
    name: 'streams-closing-cancels',
    rule: 'SSE-18',
    fault: 'Closing a stream cancels the runs of its conversation.',
    file: OPEN,
    find: '      void slot.release()\n',
    replace:
      "      void slot.release()\n      db.query({ name: 'end_observed', access: 'write', text: `update runs set state = 'cancelled', finished_at = now() where app_id = $1 and conversation_id = $2 and finished_at is null` }, [tenant.appId, conversationId]).catch(() => {})\n",
  },
  {
    name: 'streams-seq-is-text',
    rule: 'EVT-01',
    fault: '`seq` of an envelope is a string.',
    file: ENVELOPE,
    find: '`,"seq":${event.seq},"run_id"',
    replace: '`,"seq":"${event.seq}","run_id"',
  },
  {
    name: 'streams-counted-down',
    rule: 'EVT-02',
    also: ['EVT-03'],
    fault: '`seq` of an envelope decreases.',
    file: ENVELOPE,
    find: '`,"seq":${event.seq},"run_id"',
    replace: '`,"seq":${1_000_000 - event.seq},"run_id"',
  },
  {
    name: 'streams-run-without-deltas',
    rule: 'EVT-04',
    fault: 'The stream of a run omits the output of its assistant.',
    file: 'server/src/gateway/stream/catch-up.ts',
    find: 'encodePage(frames, log.conversationId, events)',
    replace:
      "encodePage(frames, log.conversationId, log.runId === null ? events : events.filter(({ type }) => !type.startsWith('assistant.')))",
  },
  {
    name: 'streams-started-without-state',
    rule: 'EVT-06',
    fault: '`run.started` has an empty payload.',
    file: ENVELOPE,
    find: '${event.payload.replace(LINE_BREAKS',
    replace: "${(event.type === 'run.started' ? '{}' : event.payload).replace(LINE_BREAKS",
  },
  {
    name: 'streams-delta-without-text',
    rule: 'EVT-07',
    fault: '`assistant.delta` has an empty text.',
    file: ENVELOPE,
    find: '${event.payload.replace(LINE_BREAKS',
    replace:
      '${(event.type === \'assistant.delta\' ? event.payload.replace(/"text"\\s*:\\s*"[^"]*"/, \'"text":""\') : event.payload).replace(LINE_BREAKS',
  },
  {
    name: 'streams-message-cut',
    rule: 'EVT-08',
    fault: '`assistant.message` has only the beginning of the text.',
    file: 'openapi/src/behaviour/finish-run.ts',
    find: '        ...message,\n        conversationId',
    replace: '        ...message,\n        text: message.text.slice(0, 2),\n        conversationId',
  },
  {
    name: 'streams-silent-approval',
    rule: 'EVT-11',
    fault: 'A needed approval emits no event.',
    ...without('approval.required'),
  },
  {
    name: 'streams-no-callback-for-approvals',
    rule: 'EVT-17',
    fault: 'Callbacks do not report a needed approval.',
    file: 'server/src/writer/rows.ts',
    find: "  'approval.required': true,\n",
    replace: '',
  },
]
