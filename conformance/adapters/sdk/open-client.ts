import { type ClientOptions, createClient, type GatewayClient } from '@conversation-gateway/sdk'
import { fileOutbox } from '@conversation-gateway/sdk/outbox/file'
import { createWebhookSender, type WebhookSender } from '@conversation-gateway/sdk/webhooks'
import type { OpenArguments } from '../../src/kit/client/commands.ts'

/** The opened client, as the commands use it. */
export interface Opened {
  readonly client: GatewayClient
  senderTo(url: string, secret: string): WebhookSender
}

export const openClient = ({ base_url, api_key, subject, outbox, pace }: OpenArguments): Opened => {
  const timing = {
    backoff: { baseMs: pace.backoff_base_ms, maxMs: pace.backoff_max_ms },
    attemptTimeoutMs: pace.attempt_timeout_ms,
    timeoutMs: pace.timeout_ms,
  } satisfies ClientOptions
  const kept = outbox === undefined ? {} : { outbox: fileOutbox(outbox) }
  return {
    client: createClient({ baseUrl: base_url, apiKey: api_key, subject, ...timing, ...kept }),
    senderTo: (url, secret) => createWebhookSender({ url, secret, ...timing }),
  }
}
