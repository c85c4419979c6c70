import type { Mutant } from '../mutant.ts'

const SUBSCRIBE = 'sdk/src/events/read-events.ts'
const DECODE = 'sdk/src/events/decode-frames.ts'
const END = 'sdk/src/client/find-end.ts'
const REPLY = 'sdk/src/client/reply/reply.ts'
const VIEW = 'sdk/src/view/conversation-view.ts'
const ACTIVITY = 'sdk/src/activity.ts'
const WATCH = 'sdk/src/view/read-items.ts'

const IS_NEW = 'event.seq > (position ?? -1)'

/** Clients that lose, double or misplace events. */
export const streamMutants: readonly Mutant[] = [
  {
    name: 'keepalive-is-an-event',
    rule: 'SSE-09',
    fault: 'Brings keepalive comments as events.',
    file: DECODE,
    find: 'onComment: onPing,',
    replace: "onComment: () => onEvent({ seq: 1_000_000, type: 'ping', payload: {} }),",
  },
  {
    name: 'keepalive-is-a-fault',
    rule: 'SSE-09',
    fault: 'Takes a keepalive comment for a broken stream.',
    file: DECODE,
    find: 'onComment: onPing,',
    replace: "onComment: () => { throw new TypeError('An unknown line.') },",
  },
  {
    name: 'comments-only-when-alone',
    rule: 'SSE-09',
    fault: 'Expects keepalive comments to come in a write of their own.',
    file: DECODE,
    find: 'parser.feed(text.decode(bytes, STREAM))',
    replace: "parser.feed(text.decode(bytes, STREAM).replace(/^: ping\\n\\n/, '').replaceAll(': ping', 'data: ping'))",
  },
  {
    name: 'crlf-lost-between-writes',
    rule: 'SSE-09',
    fault: 'Takes CR and LF for two line ends when they come apart.',
    file: DECODE,
    find: 'parser.feed(text.decode(bytes, STREAM))',
    replace: "parser.feed(text.decode(bytes, STREAM).replace(/^\\n/, '\\n\\n'))",
  },
  {
    name: 'waits-for-the-stream-to-close',
    rule: 'SSE-10',
    fault: 'Observes a run until the gateway closes the stream.',
    file: 'sdk/src/client/calls.ts',
    find: '        operationId,\n        info,\n        open:',
    replace: '        operationId,\n        info: { ...info, terminal: [] },\n        open:',
  },
  {
    name: 'end-of-connection-is-the-end',
    rule: 'SSE-10',
    fault: 'Takes the end of a connection for the end of the run.',
    file: SUBSCRIBE,
    find: 'if (done) break',
    replace: 'if (done) return null',
  },
  {
    name: 'comment-is-the-end',
    rule: 'SSE-39',
    fault: 'Takes a comment for the end of what was stored, when the run has ended.',
    file: END,
    find: "if (!isDone(record)) return 'running'",
    replace: "return isDone(record) ? 'passed' : 'running'",
  },
  {
    name: 'hurries-back',
    rule: 'SSE-40',
    fault: 'Connects again by its own backoff, whatever the gateway asks for.',
    file: 'sdk/src/transport/retry.ts',
    find: 'Math.max(retryMs + retryDelayMs(',
    replace: 'Math.max(retryDelayMs(',
  },
  {
    name: 'no-content-passes',
    rule: 'SSE-41',
    fault: 'Connects again when a stream is answered 204.',
    file: 'sdk/src/transport/attempt.ts',
    find: "expected === 'stream' && response.status === 204",
    replace: 'false',
  },
  {
    name: 'expired-is-the-end',
    rule: 'SSE-12',
    fault: 'Gives up a view when its position has expired.',
    file: WATCH,
    find: 'if (!(error instanceof CursorExpiredError) || reloads >= MAX_RELOADS) throw error',
    replace: 'throw error',
  },
  {
    name: 'expired-keeps-its-position',
    rule: 'SSE-12',
    fault: 'Reads the snapshot after a 410 and resumes from the old position.',
    file: WATCH,
    find: "yield [{ kind: 'gap', from,",
    replace: "state = { ...state, position: from }\n    yield [{ kind: 'gap', from,",
  },
  {
    name: 'expired-resumes-from-the-start',
    rule: 'SSE-12',
    fault: 'Resumes after a 410 from the beginning, without a snapshot of its own.',
    file: WATCH,
    find: "yield [{ kind: 'gap', from,",
    replace: "state = { ...state, position: 0 }\n    yield [{ kind: 'gap', from,",
  },
  {
    name: 'expired-passes-for-unavailable',
    rule: 'SSE-12',
    fault: 'Tries a position that has expired again and again.',
    file: SUBSCRIBE,
    find: 'if (!mayPass(error)) throw error',
    replace: 'if (!mayPass(error) && error.status !== 410) throw error',
  },
  {
    name: 'view-from-the-start',
    rule: 'SSE-13',
    fault: 'Subscribes from the oldest event after it has read the snapshot.',
    file: WATCH,
    find: 'port.events(state.position, signal, false)',
    replace: 'port.events(0, signal, false)',
  },
  {
    name: 'view-one-too-far',
    rule: 'SSE-13',
    fault: 'Subscribes one event behind the watermark.',
    file: WATCH,
    find: 'port.events(state.position, signal, false)',
    replace: 'port.events(state.position + 1, signal, false)',
  },
  {
    name: 'gap-is-a-loss',
    rule: 'SSE-16',
    fault: 'Connects again when the seq of a run’s stream has a gap.',
    file: SUBSCRIBE,
    find: 'if (result.value) fault = decode(result.value)',
    replace: `const before = position
    if (result.value) fault = decode(result.value)
    if (source.operationId === 'streamRunEvents' && events.some(({ seq }, index) => seq > (events[index - 1]?.seq ?? before ?? seq - 1) + 1)) {
      position = before
      isLast = false
      events = []
      fault = new ConnectionError('A gap.')
    }`,
  },
  {
    name: 'events-counted',
    rule: 'EVT-15',
    fault: 'Counts the events of a stream instead of reading their seq.',
    file: SUBSCRIBE,
    find: 'position = event.seq',
    replace: 'position = (position ?? 0) + 1',
  },
  {
    name: 'resume-inclusive',
    rule: 'EVT-13',
    fault: 'Takes the event at its position for a new one.',
    file: SUBSCRIBE,
    find: IS_NEW,
    replace: 'event.seq >= (position ?? -1)',
  },
  {
    name: 'delta-to-the-last-message',
    rule: 'EVT-12',
    fault: 'Appends a delta to the newest assistant message, whichever it names.',
    file: VIEW,
    find: 'const message = messages.findLast((each) => each.message_id === message_id)',
    replace: "const message = messages.findLast((each) => each.role === 'assistant')",
  },
  {
    name: 'complete-message-appended',
    rule: 'EVT-13',
    fault: 'Adds the complete message beside the one made of its deltas.',
    file: VIEW,
    find: 'messages: putMessage(messages, toViewMessage(event.payload.message))',
    replace: 'messages: [...messages, toViewMessage(event.payload.message)]',
  },
  {
    name: 'reply-doubled',
    rule: 'EVT-13',
    fault: 'Appends the complete message to the deltas of a reply.',
    file: REPLY,
    find: 'if (text && !given.has(event.message_id) && !(isResumed && (await hadPieces(runId, event, signal))))',
    replace: 'if (text)',
  },
  {
    name: 'whole-message-lost',
    rule: 'EVT-12',
    fault: 'Drops a message that comes whole once another one was streamed.',
    file: REPLY,
    find: 'if (text && !given.has(event.message_id) && !(isResumed && (await hadPieces(runId, event, signal))))',
    replace: 'if (text && given.size === 0)',
  },
  {
    name: 'unknown-type-is-a-fault',
    rule: 'EVT-27',
    fault: 'Takes an event of an unknown type for a broken stream.',
    file: DECODE,
    find: "typeof value?.type === 'string'",
    replace:
      "/^(run|assistant|approval|conversation)\\.[a-z]+$/.test(value?.type ?? '') && value.type !== 'run.annotated'",
  },
  {
    name: 'unknown-type-is-text',
    rule: 'EVT-27',
    fault: 'Adds the text of events that it does not know to the reply.',
    file: REPLY,
    find: '} else if (isTerminalRunEvent(event)) {',
    replace:
      "} else if (!isTerminalRunEvent(event)) {\n        if (event.payload.text) yield { seq, message_id: '', text: event.payload.text }\n      } else {",
  },
  {
    name: 'view-stays-in-its-generation',
    rule: 'RESET-20',
    fault: 'A view shows the generation that it began with.',
    file: VIEW,
    find: 'return { ...moved, generation: event.payload.generation }',
    replace: 'return moved',
  },
  {
    name: 'view-forgets-at-a-reset',
    rule: 'RESET-20',
    fault: 'A view drops the messages of before a reset.',
    file: VIEW,
    find: 'return { ...moved, generation: event.payload.generation }',
    replace: 'return { ...moved, generation: event.payload.generation, messages: [] }',
  },
  {
    name: 'activity-is-text',
    rule: 'ACT-11',
    fault: 'A view adds the text of activities to that of the message.',
    file: VIEW,
    find: "putStreamed(messages, event, { text: '', ...message?.content, activities: [...activities] })",
    replace:
      "putStreamed(messages, event, { ...message?.content, text: (message?.content.text ?? '') + (event.payload.activity.text_delta ?? ''), activities: [...activities] })",
  },
  {
    name: 'activity-delta-replaces',
    rule: 'ACT-12',
    fault: 'A delta of an activity takes the place of its text.',
    file: ACTIVITY,
    find: "(before?.text ?? '') + text_delta",
    replace: 'text_delta',
  },
  {
    name: 'activity-forgets-what-is-not-named',
    rule: 'ACT-12',
    fault: 'A change drops the members of an activity that it does not name.',
    file: ACTIVITY,
    find: '{ ...before, ...members }',
    replace: '{ kind: before?.kind, name: before?.name, ...members }',
  },
  {
    name: 'activity-keeps-what-it-was',
    rule: 'ACT-12',
    fault: 'A change of an activity that is known is dropped.',
    file: ACTIVITY,
    find: 'activities.with(index, changed)',
    replace: 'activities',
  },
  {
    name: 'activity-moves-to-the-end',
    rule: 'ACT-12',
    fault: 'A changed activity becomes the last one.',
    file: ACTIVITY,
    find: 'activities.with(index, changed)',
    replace: '[...activities.toSpliced(index, 1), changed]',
  },
  {
    name: 'activity-without-a-beginning',
    rule: 'ACT-12',
    fault: 'A change of an activity whose beginning is not known shows a part of it.',
    file: ACTIVITY,
    find: 'if (kind === undefined || name === undefined) return null',
    replace: "if (kind === undefined || name === undefined) return { ...rest, kind: 'tool', name: '', state }",
  },
  {
    name: 'activity-of-any-message',
    rule: 'ACT-12',
    fault: 'A change goes to the newest message that has some, whichever it names.',
    file: VIEW,
    find: 'const before = message?.content.activities ?? []',
    replace: 'const before = messages.findLast((each) => each.content.activities)?.content.activities ?? []',
  },
  {
    name: 'activities-survive-the-message',
    rule: 'ACT-12',
    fault: 'A complete message keeps the activities that were streamed.',
    file: VIEW,
    find: 'return { ...moved, messages: putMessage(messages, toViewMessage(event.payload.message)) }',
    replace:
      'return { ...moved, messages: putMessage(messages, { ...toViewMessage(event.payload.message), content: { ...event.payload.message.content, activities: messages.findLast((each) => each.message_id === event.message_id)?.content.activities } }) }',
  },
]
