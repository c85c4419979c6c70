import { isApiError } from '@conversation-gateway/sdk'
import { createAdminClient } from '@conversation-gateway/sdk/admin'
import {
  createReceiver,
  memoryCallbackStore,
  SignatureError,
  signCallback,
  toFetchHandler,
  verifyCallback,
} from '@conversation-gateway/sdk/callbacks'
import vectors from '@conversation-gateway/sdk/vectors.json' with { type: 'json' }
import { createWebhookSender } from '@conversation-gateway/sdk/webhooks'
import type { BehaviourCase } from './behaviour-case.ts'
import { claim, claimEqual, rejectionOf } from './claims.ts'

type Vector = (typeof vectors)[number]

const SECRET = 'a secret of more than thirty-two characters'

const toHeaders = (pairs: Vector['headers']): Record<string, string[]> => {
  const headers: Record<string, string[]> = {}
  for (const [name = '', value = ''] of pairs) headers[name] = [...(headers[name] ?? []), value]
  return headers
}

const toBytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const verdictOf = async ({ headers, body_base64, secrets, now }: Vector): Promise<unknown> => {
  const body = toBytes(body_base64)
  try {
    await verifyCallback({ headers: toHeaders(headers), body, secret: secrets, now: new Date(now * 1000) })
    return { ok: true }
  } catch (error) {
    if (error instanceof SignatureError) return { ok: false, reason: error.reason }
    throw error
  }
}

export const signatureCases: readonly BehaviourCase[] = [
  {
    name: 'verifying each published vector gives its expected verdict',
    run: async () => {
      claim(vectors.length >= 100, 'there are at least 100 vectors')
      for (const vector of vectors) claimEqual(await verdictOf(vector), vector.expect_callback, vector.name)
    },
  },
  {
    name: 'a receiver handles a repeated callback once, and refuses a forged one',
    run: async () => {
      const seen: string[] = []
      const receiver = createReceiver({
        secret: SECRET,
        store: memoryCallbackStore(),
        onEvent: (event) => void seen.push(event.event_id),
      })
      const handle = toFetchHandler(receiver)
      const event = { event_id: 'evt_1', type: 'run.completed', payload: { state: 'succeeded' } }
      const deliver = async (secret: string): Promise<number> => {
        const { headers, body } = await signCallback(event, { secret })
        const request = new Request('https://receiver.example.com/callbacks', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        })
        return (await handle(request)).status
      }
      claimEqual([await deliver(SECRET), await deliver(SECRET), await deliver('forged')], [200, 200, 401], 'answers')
      claimEqual(seen, ['evt_1'], 'events handled')
    },
  },
  {
    name: 'a signed webhook is sent again with the same content when the connection breaks',
    run: async ({ origin, inject, requests }) => {
      const path = '/webhooks/int_1'
      const accepted = { headers: { 'content-type': 'application/json' }, body: '{"operation_id":"op_1"}' }
      await inject({ path, fault: { kind: 'drop-request' } })
      await inject({ path, fault: { kind: 'answer', status: 202, ...accepted } })
      const sender = createWebhookSender({ url: origin + path, secret: SECRET, backoff: { baseMs: 5, maxMs: 20 } })
      const body = { event_id: 'order-1', type: 'order.question', payload: { text: 'Wo ist die Größe 7? 🚀' } }
      const { data, attempts } = await sender.send(body, { id: body.event_id }).withResponse()
      claimEqual([data, attempts], [{ operation_id: 'op_1' }, 2], 'the answer, and attempts')
      const sent = await requests('POST', path)
      claimEqual(sent.length, 2, 'requests')
      for (const { headers, bodyBase64 } of sent)
        claimEqual(await verifyCallback({ headers, body: toBytes(bodyBase64), secret: SECRET }), body, 'the event')
    },
  },
  {
    name: 'an operator can read with the admin token, and not with another token',
    run: async ({ origin, adminToken, appId }) => {
      const { apps } = await createAdminClient({ baseUrl: origin, adminToken }).apps.list()
      claim(
        apps.some(({ app_id }) => app_id === appId),
        'the list contains the application',
      )
      const unauthenticated = createAdminClient({ baseUrl: origin, adminToken: 'another' })
      claim(isApiError(await rejectionOf(unauthenticated.apps.list()), 'UNAUTHENTICATED'), 'UNAUTHENTICATED')
    },
  },
]
