import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseFaults } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { FastifyRequest } from 'fastify'
import { WEBHOOK_LIMITS } from '../../domain/json/limits.ts'
import { kindOf, OPEN_OBJECT, ROOT } from '../../domain/json/scanned-json.ts'
import type { WebhookDelivery } from '../../gateway/receive-webhook.ts'
import { refuseJson } from '../requests/body.ts'
import { scanBody, UnusableJson } from '../requests/json-body.ts'

/** A signed request as received: every occurrence of its headers, and the unparsed body. */
export const readDelivery = (
  { raw, exchange: { traceparent } }: FastifyRequest,
  integrationId: string,
  content: AsyncIterable<Uint8Array>,
): WebhookDelivery => {
  const received = raw.headersDistinct
  const all = (name: string): readonly string[] => received[name] ?? []
  return {
    integrationId,
    headers: { id: all('webhook-id'), timestamp: all('webhook-timestamp'), signature: all('webhook-signature') },
    traceparent,
    content,
    parse: async (bytes) => {
      const refusal = refuseJson(received['content-type']?.join(), received['content-encoding']?.join())
      if (refusal !== null) return refusal
      // Computing signature and hash of a large body takes time, so yield to the event loop.
      await nextTurn()
      const event = scanBody(bytes, WEBHOOK_LIMITS)
      if (event instanceof UnusableJson) return refuseFaults(event)
      return kindOf(event, ROOT) === OPEN_OBJECT ? { event } : NO_OBJECT
    },
  }
}

const NO_OBJECT = refuseFaults({ faults: [{ pointer: '', message: 'must be an object' }] })
