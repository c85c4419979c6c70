import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../src/index.ts'
import { signedHeaders } from '../../src/signature/sign.ts'
import { createTestGateway, type TestWebhook, type WebhookAction } from '../../src/testing/index.ts'

const AT_ONCE = 50
const PATIENCE_MS = Array.from({ length: 13 }, (_, ms) => ms)

const secret = 'the secret of the webhook'
const webhook: TestWebhook = {
  integrationId: 'events',
  secret,
  subject: 'customer',
  action: ({ action }) => action as WebhookAction,
}
const gateway = createTestGateway({ webhooks: [webhook] })

interface Sending {
  readonly variant?: number
  readonly signal?: AbortSignal
}
type Send = (options?: Sending) => Promise<{ readonly status: number; readonly text: string }>

const post = async (path: string, headers: Record<string, string>, body: BodyInit, signal?: AbortSignal) => {
  const url = `https://gateway.test/api/v1/${path}`
  const sent = { 'content-type': 'application/json', ...headers }
  const response = await gateway.fetch(url, { method: 'POST', headers: sent, body, signal: signal ?? null })
  return { status: response.status, text: await response.text() }
}

let intentions = 0
const keyed = (path: string, body: (variant?: number) => object): Send => {
  intentions += 1
  const key = { 'idempotency-key': `intention-${intentions}` }
  const headers = { authorization: 'Bearer gk_test', 'x-service-subject': 'customer', ...key }
  return ({ variant, signal } = {}) => post(path, headers, JSON.stringify(body(variant)), signal)
}

const delivery = (action: (variant?: number) => WebhookAction): Send => {
  intentions += 1
  const id = `delivery-${intentions}`
  return async ({ variant, signal } = {}) => {
    const body = new TextEncoder().encode(JSON.stringify({ action: action(variant), variant }))
    const headers = await signedHeaders({ id, body, secret, now: new Date() })
    return post('webhooks/events', { ...headers }, body, signal)
  }
}

const input = (variant = 0): MessageInput => ({ text: `variant ${variant}` })
const idle = async (): Promise<string> =>
  JSON.parse((await keyed('conversations', () => ({ endpoint_id: 'ep_test' }))()).text).conversation_id
const hanging = async (): Promise<string> => {
  gateway.reply([{ hang: true }])
  return JSON.parse((await keyed(RUNS, run)()).text).run_id
}

const RUNS = 'agent-endpoints/ep_test/runs'
const message = (variant?: number) => ({ expected_generation: 1, input: input(variant) })
const run = (variant?: number) => ({ input: input(variant) })

/** Every request whose effect happens once, each time with its own target. */
const REQUESTS: Readonly<Record<string, () => Promise<Send>>> = {
  createConversation: async () => keyed('conversations', (variant = 0) => ({ endpoint_id: `ep_${variant}` })),
  sendMessage: async () => keyed(`conversations/${await idle()}/messages`, message),
  cancelRun: async () => keyed(`runs/${await hanging()}/cancel`, () => ({})),
  resetConversation: async () => keyed(`conversations/${await idle()}/reset`, () => ({ expected_generation: 1 })),
  createRun: async () => keyed(RUNS, run),
  'createRun with conversation_key': async () => {
    const conversation_key = `order-${intentions}`
    return keyed(RUNS, (variant) => ({ conversation_key, ...run(variant) }))
  },
  createResource: async () =>
    keyed('resources', (variant = 0) => ({ filename: `${variant}`, content_type: 'text/plain', size: 1 })),
  'a webhook that runs': async () =>
    delivery((variant) => ({ kind: 'run', endpointId: 'ep_test', body: run(variant) })),
  'a webhook that sends a message': async () => {
    const conversationId = await idle()
    return delivery((variant) => ({ kind: 'message', conversationId, body: message(variant) }))
  },
  'a webhook that resets': async () => {
    const conversationId = await idle()
    return delivery(() => ({ kind: 'reset', conversationId, body: { expected_generation: 1 } }))
  },
  'a webhook that cancels': async () => {
    const runId = await hanging()
    return delivery(() => ({ kind: 'cancel', runId }))
  },
}
const ONE_CONTENT = new Set(['cancelRun', 'resetConversation'])

/** The number of records of each kind. */
const effects = () => {
  const { conversations } = gateway
  const count = (list: 'messages' | 'runs' | 'events') => conversations.reduce((sum, one) => sum + one[list].length, 0)
  return [conversations.length, count('messages'), count('runs'), count('events')]
}
const since = (before: readonly number[]) => effects().map((count, at) => count - (before[at] ?? 0))

const effectOf = async (send: Send): Promise<number[]> => {
  const before = effects()
  expect((await send()).status).toBeLessThan(300)
  return since(before)
}

describe('in memory, too', () => {
  it.each(Object.entries(REQUESTS))(
    `${AT_ONCE} concurrent requests of %s have the effect of one`,
    async (_, intend) => {
      const effectOfOne = await effectOf(await intend())
      const send = await intend()
      const before = effects()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send()))
      expect(since(before)).toEqual(effectOfOne)
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    },
  )

  it.each(Object.entries(REQUESTS).filter(([name]) => !ONE_CONTENT.has(name)))(
    `only one of ${AT_ONCE} concurrent contents of %s under one key has effects`,
    async (_, intend) => {
      const effectOfOne = await effectOf(await intend())
      const send = await intend()
      const before = effects()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, variant) => send({ variant })))
      expect(since(before)).toEqual(effectOfOne)
      expect(answers.filter(({ status }) => status !== 409)).toHaveLength(1)
    },
  )

  it.each(Object.entries(REQUESTS))(
    'an aborted and repeated request of %s has the effect of one',
    async (_, intend) => {
      const effectOfOne = await effectOf(await intend())
      for (const ms of PATIENCE_MS) {
        const send = await intend()
        const before = effects()
        await send({ signal: AbortSignal.timeout(ms) }).catch(() => {})
        expect((await send()).status).toBeLessThan(300)
        expect(since(before)).toEqual(effectOfOne)
      }
    },
  )

  it.each(['createRun', 'a webhook that runs', 'sendMessage'])(
    'a reply that cannot be used leaves no effect of %s, and the repeat gets the next reply',
    async (name) => {
      const send = await REQUESTS[name]?.()
      const before = effects()
      let isBroken = true
      gateway.reply(() => {
        if (isBroken) throw new Error('a reply that the test got wrong')
        return 'a reply'
      })
      await expect(send?.()).rejects.toThrow('a reply that the test got wrong')
      expect(since(before)).toEqual([0, 0, 0, 0])
      isBroken = false
      expect((await send?.())?.status).toBe(202)
      expect(gateway.conversations.at(-1)?.runs.map(({ result }) => result?.text)).toEqual(['a reply'])
    },
  )
})
