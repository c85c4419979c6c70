import { createHmac, randomUUID } from 'node:crypto'
import type { Admission, Control } from '#openapi/generated/gateway'
import type { WebhookConfig, WebhooksConfig } from '../config/server-config.ts'
import type { ServerContext } from './context.ts'
import type { Answer, WireRequest } from './wire.ts'

/** The answer to an accepted delivery. Its members depend on the integration's action. */
export type WebhookAnswer = Answer<Admission & Control>

/** Options that make a delivery differ from a correct one. */
export interface WebhookOptions extends Pick<WireRequest, 'giveUpAfterMs'> {
  /** The webhook-id. Default: a fresh one. */
  readonly id?: string
  /** The webhook-timestamp of the header and of the signature. Default: the gateway's time. */
  readonly timestamp?: string
  /** Seconds that the timestamp is ahead of the gateway's time. Default 0. */
  readonly aheadSeconds?: number
  /** Signing secret, instead of the integration's secret. */
  readonly secret?: string | Uint8Array
  /** Replaces the signature. A function receives the correct signature. */
  readonly signature?: string | ((right: string) => string)
  /** Body to sign, instead of the sent body. */
  readonly signedBody?: string | Uint8Array
  /** Default `application/json`; null sends none. */
  readonly contentType?: string | null
  /**
   * Further headers, which replace those above by name in lower case. A list is sent as several lines; null omits a
   * header.
   */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
}

/**
 * The signature of a webhook: HMAC-SHA256 of `id.timestamp.` and the raw body, under the literal text of the secret.
 */
export const signatureOf = (
  id: string,
  timestamp: string,
  body: string | Uint8Array,
  secret: string | Uint8Array,
): string => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('hex')}`

/** Delivers an event. Text and bytes are sent unchanged, anything else as JSON. */
export function deliver(
  t: ServerContext,
  integration: WebhookConfig,
  event: unknown,
  options: WebhookOptions = {},
): Promise<WebhookAnswer> {
  const body = typeof event === 'string' || event instanceof Uint8Array ? event : JSON.stringify(event)
  const { id = randomUUID(), aheadSeconds = 0, secret = integration.secret, contentType = 'application/json' } = options
  const { timestamp = String(Math.floor(t.now() / 1000) + aheadSeconds), signature, signedBody = body } = options
  const right = signatureOf(id, timestamp, signedBody, secret)
  return subjectOf(t, integration).request('POST', `/webhooks/${integration.integrationId}`, {
    body,
    ...(options.giveUpAfterMs === undefined ? {} : { giveUpAfterMs: options.giveUpAfterMs }),
    headers: {
      authorization: null,
      'x-service-subject': null,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': typeof signature === 'function' ? signature(right) : (signature ?? right),
      'content-type': contentType,
      ...options.headers,
    },
  })
}

/** A caller with the integration's subject, for reading the resulting runs. */
export const subjectOf = (t: ServerContext, { subject }: WebhookConfig) => t.caller({ subject })

export interface EventParts {
  /** Default `conformance.event`. */
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly resource_ids?: unknown
  readonly key?: unknown
  readonly conversationId?: unknown
  readonly generation?: unknown
  readonly runId?: unknown
}

/** Builds an event whose fields match the mapping of the suite's integrations. Omitted parts are absent. */
export const eventOf = ({ type = 'conformance.event', ...parts }: EventParts) => ({
  event: { type, text: parts.text, data: parts.data, resources: parts.resource_ids },
  conversation: { key: parts.key, id: parts.conversationId, generation: parts.generation },
  run: { id: parts.runId },
})

/** Returns the configured integration. The check needs `webhooks.<name>`. */
export function integrationOf(t: ServerContext, name: keyof WebhooksConfig): WebhookConfig {
  return t.config.webhooks?.[name] ?? t.untestable(`the configuration has no webhooks.${name}`)
}
