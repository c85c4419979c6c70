import type { Mutant } from '../mutant.ts'

const GUARD = 'server/src/http/guard.ts'
const FRAMEWORK = 'server/src/http/framework.ts'
const ADMISSION = 'openapi/src/behaviour/admission.ts'
const SNAPSHOT = 'server/src/store/history/snapshot.ts'

/** Violations of rules of the profile `reference`: decisions that other gateways may make differently. */
export const decisionMutants: readonly Mutant[] = [
  {
    name: 'decisions-nobody-is-a-subject',
    rule: 'SUBJ-05',
    fault: 'A request without a subject is served with the subject `nobody`.',
    file: GUARD,
    find: "    const given = headers[SUBJECT]\n    if (typeof given !== 'string') return refuseSubject('is required')\n",
    replace: "    const given = String(headers[SUBJECT] ?? 'nobody')\n",
  },
  {
    name: 'decisions-size-before-subject',
    rule: 'REQ-08',
    fault: 'The size of a body is checked before the subject.',
    file: GUARD,
    find: '    const given = headers[SUBJECT]\n',
    replace:
      '    const large = refuseAnnouncedSize(request, operation)\n    if (large !== null) return large\n    const given = headers[SUBJECT]\n',
  },
  {
    name: 'decisions-reads-attachments-with-runs',
    rule: 'SCOPE-06',
    fault: '`runs:read` is enough to read attachments.',
    file: GUARD,
    find: 'needed.every((scope) => caller.scopes.has(scope))))',
    replace:
      "needed.every((scope) => caller.scopes.has(scope)) || (operation.operationId.startsWith('getResource') && caller.scopes.has('runs:read'))))",
  },
  {
    name: 'decisions-own-request-ids-only',
    rule: 'REQ-04',
    fault: "A caller's request ID is not returned.",
    file: FRAMEWORK,
    find: "return typeof given === 'string' && USABLE_REQUEST_ID.test(given) ? given : newId('req')",
    replace: "return given === '' ? given : newId('req')",
  },
  {
    name: 'decisions-any-request-id',
    rule: 'REQ-05',
    fault: 'A request ID with spaces inside or of any length is returned.',
    file: FRAMEWORK,
    find: 'USABLE_REQUEST_ID = /^[\\x21-\\x7e]{1,128}$/',
    replace: 'USABLE_REQUEST_ID = /^[\\x20-\\x7e]+$/',
  },
  {
    name: 'decisions-disabled-device-is-unavailable',
    rule: 'AUTH-22',
    also: ['DEV-07'],
    fault: 'New work for a disabled device is answered with 503.',
    file: ADMISSION,
    find: "return refuse('PERMISSION_DENIED', 'The device of this service is disabled.')",
    replace: "return refuse('CAPABILITY_UNAVAILABLE', 'The device of this service is disabled.')",
  },
  {
    name: 'decisions-paused-device-works',
    rule: 'DEV-06',
    fault: 'A paused device accepts new work.',
    file: ADMISSION,
    find: "if (device === 'paused')",
    replace: "if (device === 'paused' && queuedRuns < 0)",
  },
  {
    name: 'decisions-ids-in-no-order',
    rule: 'GEN-20',
    fault: 'Later IDs do not sort later.',
    file: 'openapi/src/behaviour/ids.ts',
    find: '  return `${prefix}_${milliseconds',
    replace: '  return `${prefix}_${(2 ** 47 - milliseconds)',
  },
  {
    name: 'decisions-retries-hold-up-later-ones',
    rule: 'CB-65',
    fault: 'A delivery that is being retried delays the later ones of its conversation.',
    file: 'server/src/store/deliveries.ts',
    find: "and e.attempts_ever <= 1 and e.state in ('pending', 'sending') and (e.attempts_ever = 0 or e.state = 'sending')))",
    replace: "and e.state in ('pending', 'sending')))",
  },
  {
    name: 'decisions-newest-result-bodies-first',
    rule: 'SNAP-18',
    fault: 'Beyond the size budget, the newest result bodies are omitted first.',
    file: SNAPSHOT,
    find: "sum(${bytesOf('result')}) over (order by position desc)",
    replace: "sum(${bytesOf('result')}) over (order by position)",
  },
  {
    name: 'decisions-dropped-results-look-absent',
    rule: 'SNAP-19',
    fault: 'A result that the snapshot omits is not reported as available.',
    file: SNAPSHOT,
    find: "'hasResult', r.result is not null,",
    replace: "'hasResult', r.result is not null and page.bytes + r.bytes <= $6::bigint,",
  },
]
