import type { Mutant } from '../mutant.ts'
import { inAnswers, inContract, inRefusals, REFUSE_AS_UNKNOWN } from './places.ts'

const GUARD = 'server/src/http/guard.ts'
const OBSERVE = 'server/src/app/observe/observe-gateway.ts'
const ROUTES = 'server/src/http/routes.ts'

/** Faults of all routes: the set of routes, access, refusals, and the gateway's reports about itself. */
export const generalMutants: readonly Mutant[] = [
  {
    name: 'general-no-direct-runs',
    rule: 'GEN-01',
    fault: 'Direct runs are not offered.',
    file: ROUTES,
    find: '    const info = table[operationId]\n',
    replace: "    if (operationId === 'createRun') continue\n    const info = table[operationId]\n",
  },
  {
    name: 'general-announced-with-prefix',
    rule: 'GEN-02',
    fault: 'The announced base URL contains the prefix.',
    file: 'server/src/http/site/docs.ts',
    find: "serveJson(app, '/openapi.json', app.swagger())",
    replace: "serveJson(app, '/openapi.json', { ...app.swagger(), servers: [{ url: '/api/v1' }] })",
  },
  {
    name: 'general-without-prefix',
    rule: 'GEN-04',
    fault: 'Every route is served without its prefix, too.',
    file: ROUTES,
    find: '  else app.route(route)\n',
    replace:
      "  else {\n    app.route(route)\n    if (route.url.startsWith('/api/v1')) app.route({ ...route, url: route.url.slice('/api/v1'.length) })\n  }\n",
  },
  {
    name: 'general-version-0',
    rule: 'VER-01',
    fault: 'Every route is served below `/api/v0`, too.',
    file: ROUTES,
    find: '  else app.route(route)\n',
    replace:
      "  else {\n    app.route(route)\n    if (route.url.startsWith('/api/v1')) app.route({ ...route, url: route.url.replace('/v1', '/v0') })\n  }\n",
  },
  {
    name: 'general-started-with-the-admission',
    rule: 'GEN-10',
    fault: 'An admission says that the run has started.',
    ...inAnswers(['sendMessage', 'createRun'], "body.state = 'running'"),
  },
  {
    name: 'general-model-of-the-input',
    rule: 'GEN-12',
    fault: 'A model that an input names is looked up, and not found.',
    file: 'server/src/assistants/script.ts',
    find: '    const script = request.input.data?.script\n',
    replace:
      "    const script = request.input.data?.script\n    if (request.input.data?.model !== undefined) return fail('NO_SUCH_MODEL', 'The model is unknown.')\n",
  },
  {
    name: 'general-at-every-address',
    rule: 'AUTH-04',
    fault: 'Plain HTTP is served to other machines.',
    file: 'server/src/app/listen.ts',
    find: 'await listenOn(http, config.host,',
    replace: "await listenOn(http, '0.0.0.0',",
  },
  {
    name: 'general-plain-text',
    rule: 'GEN-06',
    fault: 'JSON is answered as plain text.',
    file: 'server/src/http/answers/send-json.ts',
    find: "'application/json; charset=utf-8'",
    replace: "'text/plain; charset=utf-8'",
  },
  {
    name: 'general-reset-starts-run',
    rule: 'GEN-08',
    fault: 'A reset starts a run.',
    file: 'server/src/writer/batch.ts',
    find: "import { addRows } from './rows.ts'\n",
    replace: `import { addRows as addOwnRows } from './rows.ts'
import { admitRun } from './run-rules.ts'
const addRows = (open, rows, shard) => {
  const id = crypto.randomUUID().replaceAll('-', '')
  if (open.draft.events.some(({ type }) => type === 'conversation.reset'))
    admitRun(open, { runId: 'run_' + id, messageId: 'msg_' + id, startBefore: new Date(open.draft.now.getTime() + 60_000), traceparent: null, input: { text: 'hello', data: null, resourceIds: [] } })
  return addOwnRows(open, rows, shard)
}
`,
  },
  {
    name: 'general-result-by-event-only',
    rule: 'GEN-09',
    also: ['RUN-20', 'RUN-08'],
    fault: 'The record of a run never has a result.',
    ...inAnswers(['getRun'], 'body.result = null'),
  },
  {
    name: 'general-admitted-later',
    rule: 'RUN-12',
    fault: 'An admitted run is unknown until it starts.',
    ...inAnswers(['getRun'], `if (body.state === 'queued') ${REFUSE_AS_UNKNOWN}`),
  },
  {
    name: 'general-foreign-run-differs',
    rule: 'GEN-17',
    fault: 'Another tenant’s run and an unknown run are answered differently.',
    file: 'server/src/gateway/read-records.ts',
    find: "  return run === null ? notFound('run') : foundJson(JSON.stringify(runRecord(run)))",
    replace:
      "  if (run !== null) return foundJson(JSON.stringify(runRecord(run)))\n  const [other] = await db.query({ name: 'any_run', access: 'read', text: 'select 1 from runs where run_id = $1' }, [runId])\n  return notFound(other === undefined ? 'run' : 'run of somebody else')",
  },
  {
    name: 'general-other-prefix-of-operations',
    rule: 'GEN-18',
    fault: 'IDs of operations start with `operation_`.',
    file: 'openapi/src/behaviour/ids.ts',
    find: '  return `${prefix}_${milliseconds',
    replace: "  return `${prefix === 'op' ? 'operation' : prefix}_${milliseconds",
  },
  {
    name: 'general-key-in-the-query',
    rule: 'AUTH-01',
    fault: 'A key in the query is accepted, too.',
    file: GUARD,
    find: 'const caller = authenticator.authenticate(request.headers.authorization, request)',
    replace:
      "const { query } = request\n    const given = Object.entries(query).map(([, value]) => String(value).replace(/^Bearer /i, '')).find((value) => /^gk_/.test(value))\n    const caller = authenticator.authenticate(request.headers.authorization ?? (given && `Bearer ${given}`), request)",
  },
  {
    name: 'general-conflict-is-forbidden',
    rule: 'AUTH-03',
    also: ['ERR-08', 'ERR-10', 'CONV-22', 'MSG-21'],
    fault: 'BUSY is answered as forbidden.',
    ...inRefusals('BUSY', 'PERMISSION_DENIED'),
  },
  {
    name: 'general-one-subject',
    rule: 'SUBJ-01',
    fault: 'The subject header is checked but not used: an application has one subject.',
    file: GUARD,
    find: 'exchange.tenant = { appId: caller.appId, subject }',
    replace: "exchange.tenant = { appId: caller.appId, subject: 'everybody' }",
  },
  {
    name: 'general-header-in-one-case',
    rule: 'SUBJ-04',
    fault: 'The subject header is not accepted in upper case.',
    file: GUARD,
    find: '    const given = headers[SUBJECT]\n',
    replace:
      '    const given = request.raw.rawHeaders.includes(SUBJECT.toUpperCase()) ? undefined : headers[SUBJECT]\n',
  },
  {
    name: 'general-fifth-scope',
    rule: 'SCOPE-02',
    fault: 'A reset requires a scope beyond the four.',
    file: GUARD,
    find: '    if (!operation.scopes.some(',
    replace:
      "    if (operation.operationId === 'resetConversation' && caller.scopes.size <= 4) return refuse('PERMISSION_DENIED', 'no')\n    if (!operation.scopes.some(",
  },
  {
    name: 'general-unknown-field-is-invalid',
    rule: 'ERR-01',
    fault: 'An unknown field is answered with INVALID_REQUEST.',
    ...inRefusals('UNKNOWN_FIELD', 'INVALID_REQUEST'),
  },
  {
    name: 'general-invalid-is-unsupported',
    rule: 'ERR-02',
    also: ['HOOK-43'],
    fault: 'An invalid request is answered with 415.',
    ...inRefusals('INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE'),
  },
  {
    name: 'general-forbidden-is-unknown',
    rule: 'ERR-03',
    also: ['HOOK-39', 'SCOPE-01'],
    fault: 'A missing permission is answered with 404.',
    ...inRefusals('PERMISSION_DENIED', 'NOT_FOUND'),
  },
  {
    name: 'general-unknown-is-forbidden',
    rule: 'ERR-04',
    also: ['GEN-15', 'GEN-14', 'HOOK-01', 'HOOK-40'],
    fault: 'An unknown ID is answered with 403.',
    ...inRefusals('NOT_FOUND', 'PERMISSION_DENIED'),
  },
  {
    name: 'general-stale-is-invalid',
    rule: 'ERR-05',
    also: ['CONV-24', 'HOOK-22', 'HOOK-42'],
    fault: 'A stale generation is answered as an invalid request.',
    ...inRefusals('GENERATION_CONFLICT', 'INVALID_REQUEST'),
  },
  {
    name: 'general-conflict-is-invalid',
    rule: 'ERR-11',
    fault: 'A key that was used for other content is answered with 400.',
    ...inRefusals('IDEMPOTENCY_CONFLICT', 'INVALID_REQUEST'),
  },
  {
    name: 'general-expired-is-unknown',
    rule: 'ERR-12',
    also: ['RET-05'],
    fault: 'An expired position is answered with 404.',
    ...inRefusals('CURSOR_EXPIRED', 'NOT_FOUND'),
  },
  {
    name: 'general-limit-is-unavailable',
    rule: 'ERR-13',
    also: ['MSG-23'],
    fault: 'Work beyond a limit is answered with 503.',
    ...inRefusals('QUEUE_FULL|PENDING_LIMIT', 'CAPABILITY_UNAVAILABLE'),
  },
  {
    name: 'general-unavailable-is-a-limit',
    rule: 'ERR-16',
    also: ['MSG-24', 'DEV-01', 'DEV-02'],
    fault: 'Unavailability is answered with 429.',
    ...inRefusals('CAPABILITY_UNAVAILABLE', 'PENDING_LIMIT'),
  },
  {
    name: 'general-charset-wanted',
    rule: 'REQ-02',
    fault: 'JSON is accepted only with an explicit charset.',
    file: 'server/src/http/requests/body.ts',
    find: '  if (!isJson(contentType)) return NOT_JSON\n',
    replace: "  if (!isJson(contentType) || !contentType?.includes('charset')) return NOT_JSON\n",
  },
  {
    name: 'general-short-keys',
    rule: 'IDEM-02',
    also: ['LIMIT-06'],
    fault: 'An idempotency key has at most 127 characters.',
    ...inContract("parameters.IdempotencyKey.schema.pattern = '^[\\\\x21-\\\\x7e]{1,127}$'"),
  },
  {
    name: 'general-key-not-required',
    rule: 'IDEM-03',
    fault: 'A creation without an idempotency key is accepted.',
    ...inContract(
      "Object.assign(parameters.IdempotencyKey, { required: false, schema: { ...parameters.IdempotencyKey.schema, default: 'none' } }); document.components.parameters.IdempotencyKey.required = false; document.components.parameters.IdempotencyKey.schema.default = 'none'",
    ),
  },
  {
    name: 'observation-pause-not-reported',
    rule: 'OPS-19',
    fault: '/readyz reports open admission while it is paused.',
    file: OBSERVE,
    find: "state.admissionPaused ? 'paused' : 'open'",
    replace: "'open'",
  },
  {
    name: 'observation-paused-is-not-ready',
    rule: 'OPS-19',
    fault: 'A process is not ready while admission is paused.',
    file: OBSERVE,
    find: 'ready: state.takesWrites && ',
    replace: 'ready: state.takesWrites && !state.admissionPaused && ',
  },
  {
    name: 'general-every-503-is-unknown',
    rule: 'ERR-41',
    fault: 'Every 503 reports an unknown outcome.',
    file: 'server/src/http/answers/problem.ts',
    find: '...(outcome === undefined ? {} : { outcome }),',
    replace: "...(status === 503 ? { outcome: 'unknown' as const } : {}),",
  },
  {
    name: 'general-any-scheme',
    rule: 'AUTH-01',
    fault: 'A key is accepted under any scheme.',
    file: 'server/src/gateway/access/bearer.ts',
    find: '/^bearer +(',
    replace: '/^[a-z]+ +(',
  },
  {
    name: 'general-scheme-is-optional',
    rule: 'AUTH-01',
    fault: 'A key is accepted without a scheme.',
    file: 'server/src/gateway/access/bearer.ts',
    find: '/^bearer +(',
    replace: '/^(?:bearer +)?(',
  },
]
