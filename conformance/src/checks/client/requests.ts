import { isDeepStrictEqual } from 'node:util'
import { json, lost, problem, stream } from '../../kit/client/answers.ts'
import { ALL_CALLS, BODIES, runOnce, STREAMS, WRITES } from '../../kit/client/calls.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import { updated } from '../../kit/client/observing.ts'
import { admission, EVENTS, frame, MESSAGES, RUN, runRecord } from '../../kit/client/records.ts'
import type { WireRequest } from '../../kit/client/wire-request.ts'
import { utf8Header } from '../../kit/utf8-header.ts'

/** Fails unless the request carries the client's key and subject, once each. The message shows no key. */
const expectCredentials = (request: WireRequest, { key, subject }: Pick<ClientContext, 'key' | 'subject'>): void => {
  const about = `of ${request.method} ${request.path}`
  const authorization = request.values('authorization')
  const shown = authorization.map((value) => value.replaceAll(key, '<the key>'))
  expectThat(
    isDeepStrictEqual(authorization, [`Bearer ${key}`]),
    `Authorization ${about} must be ["Bearer <the key>"], but is ${JSON.stringify(shown)}`,
  )
  expectEqual(`X-Service-Subject ${about}`, request.values('x-service-subject'), [utf8Header(subject)])
}

/** 1 to 128 visible ASCII characters without spaces. */
const KEY_FORM = /^[\x21-\x7e]{1,128}$/

const prefixed = ALL_CALLS.map(
  (each): ClientCheck => ({
    id: `requests/prefix-${each.command}`,
    title: `${each.command} adds /api/v1 to the origin`,
    rules: ['GEN-03'],
    needs: [each.command],
    run: async (context) => {
      const request = await runOnce(context, each)
      expectEqual('The path', request.path, each.path)
    },
  }),
)

const credentials = ALL_CALLS.map(
  (each): ClientCheck => ({
    id: `requests/credentials-${each.command}`,
    title: `${each.command} carries the application key and the subject, once each`,
    rules: ['AUTH-02', 'SUBJ-02'],
    tags: ['security'],
    needs: [each.command],
    run: async (context) => {
      await runOnce(context, each)
      for (const request of context.gateway.requests) expectCredentials(request, context)
    },
  }),
)

const bodies = BODIES.map(
  (each): ClientCheck => ({
    id: `requests/json-${each.command}`,
    title: `${each.command} sends its body as JSON, with the matching Content-Type`,
    rules: ['GEN-07', 'REQ-01'],
    needs: [each.command],
    run: async (context) => {
      const request = await runOnce(context, each)
      request.json()
      const [type = '', ...more] = request.values('content-type')
      expectThat(
        /^application\/json[ \t]*(;|$)/i.test(type) && !more.length,
        `Content-Type must be application/json, but is ${[type, ...more].join(' and ')}`,
      )
    },
  }),
)

const keys = WRITES.map(
  (each): ClientCheck => ({
    id: `requests/idempotency-key-${each.command}`,
    title: `${each.command} carries an Idempotency-Key`,
    rules: ['IDEM-01'],
    needs: [each.command],
    run: async (context) => {
      const [key = '', ...more] = (await runOnce(context, each)).values('idempotency-key')
      expectThat(
        KEY_FORM.test(key) && !more.length,
        `One Idempotency-Key of 1-128 visible ASCII characters must be sent, but received ${JSON.stringify([key, ...more])}`,
      )
    },
  }),
)

const accepts = STREAMS.map(
  (each): ClientCheck => ({
    id: `requests/accept-${each.command}`,
    title: `${each.command} requests text/event-stream, also when it reconnects`,
    rules: ['SSE-02'],
    needs: [each.command],
    run: async (context) => {
      context.gateway.on('GET', RUN, json(200, runRecord('running')))
      context.gateway.on(each.method, each.path, stream([], 'close'), each.answer)
      await each.run(await context.open())
      const requests = context.gateway.to(each.method, each.path)
      expectThat(requests.length >= 2, 'The client must reconnect after a stream that ends at once')
      for (const request of requests)
        expectThat(
          request
            .values('accept')
            .join(',')
            .toLowerCase()
            .split(/\s*[,;]\s*/)
            .includes('text/event-stream'),
          `Accept must name text/event-stream, but is ${JSON.stringify(request.values('accept'))}`,
        )
    },
  }),
)

const others: readonly ClientCheck[] = [
  {
    id: 'requests/origin-with-slash',
    title: 'an origin that ends with a slash leads to the same paths',
    rules: ['GEN-03'],
    needs: ['read_run'],
    run: async ({ gateway, open }) => {
      gateway.on('GET', RUN, json(200, runRecord('running')))
      const client = await open({ base_url: `${gateway.origin}/` })
      expectMembers('the run', await client.call('read_run', { run_id: 'run_1' }), { state: 'running' })
    },
  },
  {
    id: 'requests/body-content',
    title: 'a message is sent with exactly the members and values that the caller gave',
    rules: ['GEN-07'],
    needs: ['send_message'],
    run: async (context) => {
      const { gateway, open } = context
      gateway.on('POST', MESSAGES, json(202, admission()))
      const body = {
        expected_generation: 1,
        input: { text: 'Quote " backslash \\ tab \t line\nü 漢 🚀 \u2028 \u007f' },
        start_before: '2126-01-02T03:04:05.678Z',
      }
      await (await open()).call('send_message', { conversation_id: 'conv_1', ...body })
      const request = await gateway.until('The client must send the message', () => gateway.to('POST', MESSAGES)[0])
      expectEqual('The body', request.json(), body)
    },
  },
  {
    id: 'requests/credentials-of-a-replay',
    title: 'attempts after the first carry the same application key and subject',
    rules: ['AUTH-02', 'SUBJ-02'],
    tags: ['security'],
    needs: ['read_run'],
    run: async (context) => {
      const { gateway, open } = context
      gateway.on('GET', RUN, lost, problem(503, 'CAPABILITY_UNAVAILABLE'), json(200, runRecord('running')))
      const client = await open()
      // A client without automatic retries is called again.
      for (let calls = 0; calls < 3 && gateway.requests.length < 3; calls++)
        await client.call('read_run', { run_id: 'run_1' }).catch(() => {})
      expectThat(gateway.requests.length >= 3, 'The client must request the run')
      for (const request of gateway.requests) expectCredentials(request, context)
    },
  },
  {
    id: 'requests/subject-in-utf-8',
    title: 'a subject with characters beyond ASCII is sent as its UTF-8 bytes',
    rules: ['SUBJ-15'],
    needs: ['read_run'],
    run: async (context) => {
      const { gateway, open } = context
      gateway.on('GET', RUN, json(200, runRecord('running')))
      for (const [at, subject] of ['Zoë', 'Žofie 名前', '😀 4711'].entries()) {
        const client = await open({ subject })
        await client.call('read_run', { run_id: 'run_1' })
        const request = await gateway.until('The client must request the run', () => gateway.requests[at])
        expectCredentials(request, { ...context, subject })
      }
    },
  },
  {
    id: 'requests/credentials-of-a-reconnection',
    title: 'a stream that reconnects carries the same application key and subject',
    rules: ['AUTH-02', 'SUBJ-02'],
    tags: ['security'],
    needs: ['watch_conversation'],
    run: async (context) => {
      const { gateway, open } = context
      // One connection for each event; the last connection stays open.
      gateway.on(
        'GET',
        EVENTS,
        stream([frame(updated(11))], 'close'),
        stream([frame(updated(12))], 'close'),
        stream([frame(updated(13))]),
      )
      const watch = (await open()).start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
      await watch.until(
        'The client must deliver three events over three connections',
        ({ length }) => length >= 3 || undefined,
      )
      for (const request of gateway.requests) expectCredentials(request, context)
    },
  },
  {
    id: 'requests/cancel-body',
    title: 'a cancel is sent with the body {} and an Idempotency-Key',
    rules: ['CANCEL-02'],
    needs: ['cancel_run'],
    run: async (context) => {
      const cancel = WRITES.find(({ command }) => command === 'cancel_run')
      expectThat(cancel, 'There must be a case for cancel_run')
      const request = await runOnce(context, cancel)
      expectEqual('The body', request.json(), {})
      expectThat(KEY_FORM.test(request.header('idempotency-key') ?? ''), 'One valid Idempotency-Key must be sent')
    },
  },
]

export const checks: readonly ClientCheck[] = [...prefixed, ...credentials, ...bodies, ...keys, ...accepts, ...others]
