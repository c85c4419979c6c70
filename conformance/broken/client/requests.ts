import type { Mutant } from '../mutant.ts'

const CALLS = 'sdk/src/client/calls.ts'
const HEADERS = 'sdk/src/client/request-headers.ts'
const OPEN_STREAM = 'sdk/src/client/open-stream.ts'
const OPEN_FETCH = 'sdk/src/client/open-fetch.ts'
const OPTIONS = 'sdk/src/client/options.ts'
const NAMESPACES = 'sdk/src/generated/namespaces.ts'
const ATTEMPT = 'sdk/src/transport/attempt.ts'

/** Where an attempt takes its headers from. */
const SENT_HEADERS = '    headers: [...headers],\n    // A Request'
const LOOPBACK = String.raw`/^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/`

/** Clients that send something else than they should. */
export const requestMutants: readonly Mutant[] = [
  {
    name: 'prefix-twice',
    rule: 'GEN-03',
    fault: 'Adds the prefix to the origin and to every path.',
    file: OPEN_FETCH,
    find: 'createFinalURL(path, { baseUrl, ',
    replace: 'createFinalURL(path, { baseUrl: `${baseUrl}/api/v1`, ',
  },
  {
    name: 'prefix-missing-for-runs',
    rule: 'GEN-03',
    fault: 'Reads runs without the prefix.',
    file: NAMESPACES,
    find: "http.GET('/api/v1/runs/{run_id}', {",
    replace: "http.GET('/v1/runs/{run_id}', {",
  },
  {
    name: 'ids-not-encoded',
    rule: 'GEN-05',
    fault: 'Puts identifiers into paths as they are.',
    file: OPEN_FETCH,
    find: 'return encodeURIComponent(value)',
    replace: 'return value',
  },
  {
    name: 'ids-encoded-twice',
    rule: 'GEN-05',
    fault: 'Encodes identifiers twice.',
    file: OPEN_FETCH,
    find: 'return encodeURIComponent(value)',
    replace: 'return encodeURIComponent(encodeURIComponent(value))',
  },
  {
    name: 'ids-in-lower-case',
    rule: 'GEN-05',
    fault: 'Takes identifiers for the same whatever their case.',
    file: OPEN_FETCH,
    find: 'return encodeURIComponent(value)',
    replace: 'return encodeURIComponent(value.toLowerCase())',
  },
  {
    name: 'ids-as-numbers',
    rule: 'GEN-05',
    fault: 'Makes numbers of identifiers that look like one.',
    file: OPEN_FETCH,
    find: 'return encodeURIComponent(value)',
    replace: 'return encodeURIComponent(/^\\d+$/.test(value) ? Number(value) : value)',
  },
  {
    name: 'resumes-by-event-id',
    rule: 'GEN-05',
    fault: 'Derives the resume position from the digits of event_id.',
    file: 'sdk/src/events/follow.ts',
    find: 'position: last?.seq ?? follower.position',
    replace: "position: last ? Number(last.event_id.replace(/\\D/g, '')) : follower.position",
  },
  {
    name: 'ids-need-their-prefix',
    rule: 'GEN-26',
    fault: 'Refuses identifiers whose prefix it does not know.',
    file: OPEN_FETCH,
    find: "if (typeof value === 'string' && value !== ''",
    replace: "if (typeof value === 'string' && /^(conv|run|op|ep|msg)_./.test(value)",
  },
  {
    name: 'body-as-a-form',
    rule: 'GEN-07',
    fault: 'Sends bodies as forms.',
    file: CALLS,
    find: 'JSON.stringify(content)',
    replace: 'String(new URLSearchParams(content))',
  },
  {
    name: 'body-in-latin-1',
    rule: 'GEN-07',
    fault: 'Sends one byte for each UTF-16 unit of the body.',
    file: CALLS,
    find: 'encoder.encode(body)',
    replace: 'Uint8Array.from(body, (unit) => unit.charCodeAt(0))',
  },
  {
    name: 'no-content-type',
    rule: 'REQ-01',
    fault: 'Says nothing about the type of its bodies.',
    file: ATTEMPT,
    find: SENT_HEADERS,
    replace: `    headers: (headers.delete('content-type'), [...headers]),\n    // A Request`,
  },
  {
    name: 'content-type-text',
    rule: 'REQ-01',
    fault: 'Calls the body of a cancel text.',
    file: ATTEMPT,
    find: SENT_HEADERS,
    replace: `    headers: (url.endsWith('/cancel') && headers.set('content-type', 'text/plain'), [...headers]),\n    // A Request`,
  },
  {
    name: 'key-without-scheme',
    rule: 'AUTH-02',
    fault: 'Sends the key without the word Bearer.',
    file: HEADERS,
    find: 'Authorization: `Bearer ${settings.apiKey}`',
    replace: 'Authorization: settings.apiKey',
  },
  {
    name: 'streams-without-key',
    rule: 'AUTH-02',
    fault: 'Opens event streams without the key.',
    file: OPEN_STREAM,
    find: "...callHeaders(settings, options),\n      Accept: 'text/event-stream',",
    replace: "Accept: 'text/event-stream',",
  },
  {
    name: 'streams-without-subject',
    rule: 'SUBJ-02',
    fault: 'Opens event streams without the subject.',
    file: OPEN_STREAM,
    find: 'params: { header: contractHeaders(subject, null, options.requestId) },',
    replace: 'params: {},',
  },
  {
    name: 'subject-cut-at-a-space',
    rule: 'SUBJ-02',
    fault: 'Sends the first word of the subject.',
    file: HEADERS,
    find: "'X-Service-Subject': utf8Header(subject)",
    replace: "'X-Service-Subject': utf8Header(subject.split(' ')[0])",
  },
  {
    name: 'subject-in-latin-1',
    rule: 'SUBJ-15',
    fault: 'Sends the subject in Latin-1 where that has all of its characters.',
    file: HEADERS,
    find: "'X-Service-Subject': utf8Header(subject)",
    replace: "'X-Service-Subject': /^[\\x20-\\xff]*$/.test(subject) ? subject : utf8Header(subject)",
  },
  {
    name: 'plain-http-anywhere',
    rule: 'AUTH-06',
    fault: 'Sends the key over plain HTTP to any host.',
    file: OPTIONS,
    find: "if (url.protocol === 'http:' && !isLoopback(url.hostname))",
    replace: 'if (false)',
  },
  {
    name: 'loopback-by-its-beginning',
    rule: 'AUTH-06',
    fault: 'Takes every name that begins like a loopback address for one.',
    file: OPTIONS,
    find: LOOPBACK,
    replace: String.raw`/^(localhost$|\[::1\]|127\.)/`,
  },
  {
    name: 'localhost-by-its-beginning',
    rule: 'AUTH-06',
    fault: 'Takes names that begin with localhost for loopback.',
    file: OPTIONS,
    find: LOOPBACK,
    replace: String.raw`/^(localhost|\[::1\]|127(\.\d+){3}$)/`,
  },
  {
    name: 'loopback-is-zero-too',
    rule: 'AUTH-06',
    fault: 'Takes 0.0.0.0 for a loopback address.',
    file: OPTIONS,
    find: LOOPBACK,
    replace: String.raw`/^((.+\.)?localhost|\[::1\]|(127|0)(\.\d+){3})$/`,
  },
  {
    name: 'accepts-json-from-streams',
    rule: 'SSE-02',
    fault: 'Asks for event streams as JSON.',
    file: OPEN_STREAM,
    find: "      Accept: 'text/event-stream',\n",
    replace: '',
  },
  {
    name: 'cancel-with-a-generation',
    rule: 'CANCEL-02',
    fault: 'Sends a generation with a cancel.',
    file: NAMESPACES,
    find: 'path: { run_id: runId } }, body: {} })',
    replace: 'path: { run_id: runId } }, body: { expected_generation: 1 } })',
  },
]
