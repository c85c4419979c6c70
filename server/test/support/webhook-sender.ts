import { createHmac, randomUUID } from 'node:crypto'
import type { CreateWebhook, SavedWebhook } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Admission, Control, Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { Answer } from './client.ts'
import type { RunningGateway } from './running-gateway.ts'

/** A minimal integration: a message by the business key at `order.id`, with its text at `customer.message`. */
export const MESSAGE_BY_KEY: CreateWebhook = {
  app_id: 'app_test',
  endpoint_id: 'ep_script',
  subject: 'order-system',
  event_type_field: 'type',
  event_types: ['order.question'],
  action: 'message',
  message_field: 'customer.message',
  conversation_key_field: 'order.id',
}

export const createIntegration = async (
  { operator }: RunningGateway,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<SavedWebhook> => {
  const body = { ...MESSAGE_BY_KEY, ...configuration }
  const answer = await operator.request<SavedWebhook & Problem>('POST', '/admin/v1/webhooks', { body })
  if (answer.status !== 201) throw new Error(`${answer.body.detail} ${JSON.stringify(answer.body.errors)}`)
  return answer.body
}

export interface DeliveryOptions {
  readonly id?: string
  readonly timestamp?: string
  readonly secret?: string
  readonly contentType?: string | null
  readonly signature?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the delivery. */
  readonly signal?: AbortSignal | undefined
}

export type Received = Answer<Admission & Control & Problem>

/** The signature, computed as the specification describes it. */
export const signatureOf = (id: string, timestamp: string, body: Uint8Array, secret: string): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('hex')}`

/** Delivers an event as a sender does; `given` overrides parts of the request. */
export const deliver = async (
  { baseUrl, clock }: RunningGateway,
  integration: Pick<SavedWebhook, 'integration_id' | 'secret'>,
  event: unknown,
  given: DeliveryOptions = {},
): Promise<Received> => {
  const body =
    typeof event === 'string' || event instanceof Uint8Array ? Buffer.from(event) : Buffer.from(JSON.stringify(event))
  const { id = randomUUID(), timestamp = String(Math.floor(clock.now().getTime() / 1000)) } = given
  const { secret = integration.secret, contentType = 'application/json' } = given
  const response = await fetch(`${baseUrl}/api/v1/webhooks/${integration.integration_id}`, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': given.signature ?? signatureOf(id, timestamp, body, secret),
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...given.headers,
    },
    body,
    signal: given.signal ?? null,
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

/** An event that `MESSAGE_BY_KEY` accepts. */
export const question = (message: unknown = 'Where is my order?', id: unknown = randomUUID()) => ({
  type: 'order.question',
  customer: { message },
  order: { id },
})

export const refusalOf = ({ status, body }: Received) => [status, body.code]
export const pointersOf = ({ body }: Received) => (body.errors ?? []).map(({ pointer }) => pointer)
