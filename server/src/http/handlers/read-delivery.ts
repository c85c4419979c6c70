import type { FastifyRequest } from 'fastify'
import type { WebhookDelivery } from '../../gateway/receive-webhook.ts'
import { refuseJson } from '../body.ts'
import { parseJsonBody, UnusableJson } from '../json-body.ts'
import { refuseFaults } from '../problem.ts'

/** A signed request as it was received: its headers each as often as they came, its body not looked at yet. */
export const readDelivery = (
  { raw }: FastifyRequest,
  integrationId: string,
  content: AsyncIterable<Uint8Array>,
): WebhookDelivery => {
  const received = raw.headersDistinct
  const all = (name: string): readonly string[] => received[name] ?? []
  return {
    integrationId,
    headers: { id: all('webhook-id'), timestamp: all('webhook-timestamp'), signature: all('webhook-signature') },
    content,
    parse: (bytes) => {
      const refusal = refuseJson(received['content-type']?.join(), received['content-encoding']?.join())
      if (refusal !== null) return refusal
      const event = parseJsonBody(bytes)
      if (event instanceof UnusableJson) return refuseFaults(event.faults, false)
      return isObject(event) ? { event } : refuseFaults([{ pointer: '', message: 'must be an object' }], false)
    },
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
