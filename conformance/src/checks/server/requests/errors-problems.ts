import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { refusedStream } from '../../../kit/steps/events.ts'
import { finishedRecords, unknownRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request_id: string
}

/** Causes refusals of many kinds. Returns each with its expected code. */
async function collectRefusals(t: ServerContext): Promise<[code: string, answer: Answer][]> {
  const { main } = t.config.services
  const ids = await finishedRecords(t)
  const { conversation: id } = ids
  const busy = await t.start({ hang: true })
  const key = t.fresh('key')
  await t.me.createConversation({ endpoint_id: main, conversation_key: key }, { key })
  const events = `/conversations/${id}/events`
  const bearer = (name: string) => bearerRoutes(t).filter((route) => route.name === name)
  const unknown = unknownRecords(ids)
  return [
    ['UNAUTHENTICATED', await t.me.get(`/runs/${ids.run}`, { headers: { authorization: null } })],
    ['UNAUTHENTICATED', await t.caller({ apiKey: `${t.me.apiKey}x` }).run(ids.run)],
    ['INVALID_REQUEST', await t.me.get(`/runs/${ids.run}`, { headers: { 'x-service-subject': null } })],
    ['INVALID_REQUEST', await t.me.send(id, {})],
    ['INVALID_REQUEST', await t.me.postText(`/conversations/${id}/reset`, '{')],
    ['INVALID_REQUEST', await t.me.history(id, 'limit=0')],
    ['INVALID_REQUEST', await t.me.listConversations('')],
    ['UNKNOWN_FIELD', await t.me.createConversation({ endpoint_id: main, model: 'x' })],
    ['NOT_FOUND', await t.me.get('/no-such-route')],
    ['NOT_FOUND', await t.me.createConversation({ endpoint_id: t.config.services.foreign })],
    ...(await Promise.all(
      ['getRun', 'getConversation', 'getOperation', 'cancelRun', 'getResource']
        .flatMap(bearer)
        .map(async (route): Promise<[string, Answer]> => ['NOT_FOUND', await ask(t.me, route, unknown)]),
    )),
    ['METHOD_NOT_ALLOWED', await t.me.request('DELETE', `/runs/${ids.run}`)],
    ['NOT_ACCEPTABLE', await refusedStream(t.me, events, { headers: { accept: 'application/json' } })],
    ['CURSOR_EXPIRED', await refusedStream(t.me, events, { after: 1_000_000 })],
    ['GENERATION_CONFLICT', await t.me.send(id, { text: 'x' }, { generation: 9 })],
    ['BUSY', await t.me.createConversation({ endpoint_id: main, conversation_key: key })],
    ['BUSY', await t.me.reset(busy.conversation.conversation_id, 1)],
    ['IDEMPOTENCY_CONFLICT', await t.me.createConversation({ endpoint_id: main }, { key })],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      await t.me.request('POST', '/conversations', { body: 'x', key, headers: { 'content-type': 'text/plain' } }),
    ],
    ['PAYLOAD_TOO_LARGE', await t.me.postText(`/conversations/${id}/messages`, ' '.repeat(1024 * 1024 + 1))],
  ]
}

const problemOf = (answer: Answer): Problem => Object(answer.body)

/** Texts that no problem may contain: stack traces, file names, SQL. */
const LEAKS = [
  /\n\s+at\s/,
  /\bat \S+ \(.*:\d+:\d+\)/,
  /\.[cm]?[jt]s:\d+/,
  /node_modules|\/src\/|Traceback|Exception in thread|\.java:\d+|\.go:\d+|\.py", line/,
  /\b(select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from)\b/i,
  /\b(sqlstate|relation "|syntax error at|duplicate key value|violates .* constraint|ECONNREFUSED)/i,
]

function expectNoLeak(t: ServerContext, answer: Answer, others: readonly string[]): void {
  const what = `${answer.request.method} ${answer.request.path.slice(0, 80)}: ${answer.text.slice(0, 300)}`
  for (const leak of LEAKS) assert.doesNotMatch(answer.text, leak, what)
  const { apps } = t.config
  for (const secret of [apps.first.key, apps.second.key, t.config.admin?.token ?? apps.first.key, ...others])
    assert.ok(!answer.text.includes(secret), `the answer contains a secret or the ID of another tenant: ${what}`)
}

/** IDs for paths and queries, and bodies, that cause errors in careless servers. */
const HOSTILE_IDS = [
  '%00',
  '%zz',
  '%c3%28',
  "'%20or%201=1--",
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  'x'.repeat(4000),
  '%F0%9F%98%80',
  '-1',
  '%0d%0aset-cookie:x=y',
]
const HOSTILE_BODIES = [
  '{"expected_generation":1,"input":{"text":"\\u0000"}}',
  '{"expected_generation":1,"input":{"text":"\\ud800"}}',
  '{"expected_generation":1,"input":{"data":{"x":"\\u0000"}}}',
  '{"expected_generation":1e999,"input":{"text":"x"}}',
  '{"expected_generation":9999999999999999999999,"input":{"text":"x"}}',
  `{"expected_generation":1,"input":{"data":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}}`,
  '{"__proto__":{"x":1},"expected_generation":1,"input":{"text":"x"}}',
  '{"expected_generation":1,"expected_generation":1,"input":null}',
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/problem-format',
    title: 'every refusal is a problem of RFC 9457 whose status, code and request_id agree with the answer',
    rules: ['ERR-18', 'ERR-20', 'ERR-21', 'ERR-22'],
    streams: 1,
    run: async (t) => {
      for (const [code, answer] of await collectRefusals(t)) {
        expectRefusal(answer, answer.status, code)
        const problem = problemOf(answer)
        const where = `${answer.request.method} ${answer.request.path} ${answer.status}`
        assert.match(
          answer.headers['content-type'] ?? '',
          /^application\/problem\+json\b/i,
          `expected application/problem+json from ${where}, got ${answer.headers['content-type']}`,
        )
        assert.deepEqual(
          [problem.status, problem.code],
          [answer.status, code],
          `expected status ${answer.status} and code ${code} in the body of ${where}, got ${answer.text.slice(0, 300)}`,
        )
        assert.match(
          problem.code,
          /^[A-Z][A-Z0-9_]*$/,
          `the code ${problem.code} of ${where} is not upper-case with underscores`,
        )
        assert.equal(
          problem.request_id,
          answer.headers['x-request-id'],
          `request_id ${problem.request_id} of ${where} is not its X-Request-Id ${answer.headers['x-request-id']}`,
        )
        for (const member of ['type', 'title', 'detail'] as const)
          assert.ok(typeof problem[member] === 'string' && problem[member] !== '', `${where} has no ${member}`)
      }
    },
  },
  {
    id: 'errors/problem-of-a-webhook',
    title: 'every refusal of a webhook is a problem whose status and request_id agree with the answer',
    rules: ['ERR-18', 'ERR-20', 'ERR-21', 'ERR-22'],
    needs: ['webhooks.new', 'webhooks.disabled'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      await deliver(t, integration, eventOf({ text: 'x' }), { id })
      const refusals = [
        await deliver(t, { ...integration, integrationId: 'wh_nobody' }, eventOf({ text: 'x' })),
        await deliver(t, integration, eventOf({ text: 'x' }), { secret: 'wrong' }),
        await deliver(t, integrationOf(t, 'disabled'), eventOf({ text: 'x' })),
        await deliver(t, integration, '[]'),
        await deliver(t, integration, eventOf({ text: 'y' }), { id }),
      ]
      assert.deepEqual(
        refusals.map(({ status }) => status),
        [404, 401, 403, 400, 409],
      )
      for (const answer of refusals) {
        const { status, request_id: requestId, code } = problemOf(answer)
        assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json\b/i)
        assert.deepEqual([status, requestId], [answer.status, answer.headers['x-request-id']])
        assert.match(code, /^[A-Z][A-Z0-9_]*$/)
        assert.ok(!answer.text.includes(integration.secret), 'a refusal shows the secret of the integration')
      }
    },
  },
  {
    id: 'errors/problem-type',
    title: 'the type of a problem is an HTTP URL, and its page is found if the gateway itself serves it',
    rules: ['ERR-19'],
    streams: 1,
    run: async (t) => {
      const types = new Set((await collectRefusals(t)).map(([, answer]) => problemOf(answer).type))
      const origin = new URL(t.config.baseUrl).origin
      const pages = new Set<string>()
      for (const uri of types) {
        const url = new URL(uri, t.config.baseUrl)
        assert.match(url.protocol, /^https?:$/, `the type ${uri} is not an HTTP URL`)
        if (url.origin === origin) pages.add(`${url.pathname}${url.search}`)
      }
      for (const path of pages) {
        const { status } = await t.send({ method: 'GET', path })
        assert.ok(status < 400, `the type of a problem names the page ${path}, which answers ${status}`)
      }
    },
  },
  {
    id: 'errors/nothing-leaks',
    title: "no refusal shows a stack trace, SQL, a secret or another tenant's ID",
    rules: ['ERR-24'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const otherTenant = t.caller({ app: 'second', subject: t.otherSubject() })
      const theirs = await finishedRecords(t, otherTenant, t.config.services.foreign)
      const others = [
        otherTenant.subject,
        ...(t.config.apps.second.appId === undefined ? [] : [t.config.apps.second.appId]),
      ]
      for (const [, answer] of await collectRefusals(t)) expectNoLeak(t, answer, others)
      const mine = await finishedRecords(t)
      for (const route of bearerRoutes(t).filter(({ names }) => names !== undefined)) {
        const answer = await ask(t.me, route, { ...mine, ...(route.names && { [route.names]: theirs[route.names] }) })
        expectNoLeak(t, answer, others)
      }
    },
  },
  {
    id: 'errors/hostile-requests',
    title: 'malicious IDs, queries and bodies cause neither a 5xx nor a leak',
    rules: ['ERR-24'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const mine = await finishedRecords(t)
      const answers: Answer[] = []
      for (const route of bearerRoutes(t).filter(
        ({ names, name }) => names !== undefined && name !== 'createConversation',
      ))
        for (const id of HOSTILE_IDS)
          answers.push(await ask(t.me, route, { ...mine, ...(route.names && { [route.names]: id }) }))
      for (const body of HOSTILE_BODIES)
        answers.push(await t.me.postText(`/conversations/${mine.conversation}/messages`, body))
      for (const query of ['limit=%00', 'before=99999999999999999999999999'])
        answers.push(await t.me.history(mine.conversation, query))
      for (const answer of answers) {
        const where = `${answer.request.method} ${answer.request.path.slice(0, 80)} ${String(answer.request.body).slice(0, 60)}`
        assert.ok(answer.status < 500, `expected a status below 500 from ${where}, got ${answer.status}`)
        if (answer.status >= 400) expectNoLeak(t, answer, [])
      }
    },
  },
]
