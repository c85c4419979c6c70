import { createHmac } from 'node:crypto'
import { json, lost, problem } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext, OpenedClient } from '../../kit/client/client-context.ts'
import { expectEqual, expectMembers, expectThat } from '../../kit/client/expect.ts'
import { admission } from '../../kit/client/records.ts'
import type { SimulatedGateway } from '../../kit/client/simulated-gateway.ts'
import type { WireRequest } from '../../kit/client/wire-request.ts'

const PATH = '/api/v1/webhooks/wh_1'
const SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee00'

const EVENT = { type: 'order.question', text: 'Größe " \\ / 漢字 🚀 \u2028', data: { b: 1, a: [1.5, null, 1e21] } }

const sendBy = (
  client: OpenedClient,
  gateway: SimulatedGateway,
  changes: { event_id?: string; secret?: string } = {},
) =>
  client.call('send_webhook', {
    url: `${gateway.origin}${PATH}`,
    secret: SECRET,
    event_id: 'order-4711-question-1',
    body: EVENT,
    ...changes,
  })

/** The expected signature of a request. The literal text of the secret is the key. */
const signatureOf = (request: WireRequest, secret: string): string => {
  const prefix = `${request.header('webhook-id')}.${request.header('webhook-timestamp')}.`
  return `v1,${createHmac('sha256', secret).update(prefix).update(request.body).digest('hex')}`
}

const expectSigned = (request: WireRequest, secret: string): void =>
  expectEqual('webhook-signature', request.values('webhook-signature'), [signatureOf(request, secret)])

const webhook = (check: Omit<ClientCheck, 'needs'>): ClientCheck => ({ ...check, needs: ['send_webhook'] })

/** Fails unless an event under each of these secrets is signed with it. */
const expectSignedWith = async ({ gateway, open }: ClientContext, secrets: readonly string[]): Promise<void> => {
  gateway.on('POST', PATH, json(202, admission()))
  const client = await open()
  for (const [at, secret] of secrets.entries()) {
    await sendBy(client, gateway, { secret, event_id: `event-${at}` })
    const request = gateway.requests.at(-1)
    expectThat(request, 'The event must be sent')
    expectSigned(request, secret)
  }
}

/** Sends an event until two requests have arrived. Automatic retries are optional: without them, it is sent again. */
const sendTwice = async ({ gateway, open }: ClientContext): Promise<void> => {
  const client = await open()
  for (let attempts = 0; attempts < 2 && gateway.requests.length < 2; attempts += 1)
    await sendBy(client, gateway).catch(() => {})
}

/** The only request of a sender whose event was accepted at once. */
const accepted = async (context: ClientContext): Promise<WireRequest> => {
  context.gateway.on('POST', PATH, json(202, admission()))
  expectMembers('the acceptance', await sendBy(await context.open(), context.gateway), { run_id: 'run_1' })
  const [request, ...more] = context.gateway.requests
  expectThat(request && more.length === 0, `One request must be sent, but received ${context.gateway.requests.length}`)
  return request
}

export const checks: readonly ClientCheck[] = [
  webhook({
    id: 'webhooks/headers',
    title: 'an event is sent with each of the four headers of the scheme once, in the required form',
    rules: ['SIG-06'],
    run: async (context) => {
      const request = await accepted(context)
      const earliest = Math.floor(Date.now() / 1000) - 300
      expectEqual('webhook-id', request.values('webhook-id'), ['order-4711-question-1'])
      const [timestamp = '', ...more] = request.values('webhook-timestamp')
      expectThat(
        /^[0-9]+$/.test(timestamp) && !more.length,
        `webhook-timestamp must be whole seconds, but is ${timestamp}`,
      )
      expectThat(
        Number(timestamp) >= earliest && Number(timestamp) <= earliest + 600,
        `webhook-timestamp must be the current time, but is ${timestamp}`,
      )
      const [signature = '', ...others] = request.values('webhook-signature')
      expectThat(
        /^v1,[0-9a-f]{64}$/.test(signature) && !others.length,
        `webhook-signature must be "v1," and 64 lower-case hex characters, but is ${signature}`,
      )
      expectThat(
        /^application\/json[ \t]*(;|$)/i.test(request.header('content-type') ?? ''),
        `Content-Type must be application/json, but is ${request.header('content-type')}`,
      )
    },
  }),
  webhook({
    id: 'webhooks/id-at-its-limits',
    title: 'event IDs of 1 and of 128 printable characters are sent unchanged',
    rules: ['SIG-06'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', PATH, json(202, admission()))
      const client = await open()
      for (const id of ['!', '~'.repeat(128), '"a,b;c=d\\']) {
        await sendBy(client, gateway, { event_id: id })
        expectEqual('webhook-id', gateway.requests.at(-1)?.values('webhook-id'), [id])
      }
    },
  }),
  webhook({
    id: 'webhooks/signed-bytes',
    title: 'the signature covers ID, dot, timestamp, dot and the sent bytes of the body',
    rules: ['SIG-09'],
    run: async (context) => {
      const request = await accepted(context)
      expectEqual('The body', request.json(), EVENT)
      expectSigned(request, SECRET)
    },
  }),
  webhook({
    id: 'webhooks/literal-secret',
    title: 'the literal text of the secret is the key, even if it looks like hex or base64 or has a prefix',
    rules: ['SIG-10'],
    run: (context) =>
      expectSignedWith(context, [
        ...[SECRET, 'DEADBEEF', 'whsec_bm90IGRlY29kZWQ='],
        ...[' spaced ', 'ü漢🚀', 'k'.repeat(200)],
      ]),
  }),
  webhook({
    id: 'webhooks/rotated-secret',
    title: 'after a rotation the next event is signed with the new secret',
    rules: ['HOOK-35'],
    run: (context) => expectSignedWith(context, ['the first secret', 'the second secret']),
  }),
  webhook({
    id: 'webhooks/repeat',
    title: 'a repeated event keeps its ID and its bytes',
    rules: ['SIG-16'],
    run: async (context) => {
      const { gateway } = context
      gateway.on('POST', PATH, lost, problem(503, 'CAPABILITY_UNAVAILABLE'), lost, json(202, admission()))
      await sendTwice(context)
      const [first, ...repeats] = gateway.requests
      expectThat(
        first && repeats.length > 0,
        `The event must be sent again, but was sent ${gateway.requests.length} times`,
      )
      for (const repeat of repeats) {
        expectEqual('webhook-id', repeat.values('webhook-id'), first.values('webhook-id'))
        expectEqual('The body', Buffer.from(repeat.body).toString('latin1'), Buffer.from(first.body).toString('latin1'))
      }
    },
  }),
  webhook({
    id: 'webhooks/repeat-signature',
    title: 'the signature of every attempt matches the timestamp of that attempt',
    rules: ['SIG-17'],
    run: async (context) => {
      // A delay of one second, so that a later attempt can have another timestamp.
      context.gateway.on(
        'POST',
        PATH,
        problem(503, 'CAPABILITY_UNAVAILABLE', { 'Retry-After': '1' }),
        json(202, admission()),
      )
      await sendTwice(context)
      expectThat(context.gateway.requests.length >= 2, 'The event must be sent again')
      for (const request of context.gateway.requests) expectSigned(request, SECRET)
    },
  }),
]
