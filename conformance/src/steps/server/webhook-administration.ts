import type { WebhookConfig } from '../../config/server-config.ts'
import type { ServerContext } from '../../targets/server/context.ts'
import { expectStatus } from '../../targets/server/expectations.ts'
import type { Answer } from '../../targets/server/wire.ts'

/** An integration as the operator's surface shows it (D-46). */
export interface SavedIntegration {
  readonly integration_id: string
  readonly url: string
  readonly subject: string
  /** Shown only when it was generated just now. */
  readonly secret?: string
}

/** Asks to save an integration of the first application: action `new` with its text at `event.text`, unless told otherwise. */
export const save = (
  t: ServerContext,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer<SavedIntegration>> =>
  t.admin.request('POST', '/webhooks', {
    json: {
      app_id: t.config.apps.first.appId,
      endpoint_id: t.config.services.main,
      subject: t.fresh('webhook'),
      event_type_field: 'event.type',
      event_types: ['conformance.event'],
      action: 'new',
      message_field: 'event.text',
      ...more,
    },
  })

/** An integration that was saved, as senders use it. */
export async function saved(
  t: ServerContext,
  more: Readonly<Record<string, unknown>> = {},
): Promise<WebhookConfig & { readonly record: SavedIntegration }> {
  const record = expectStatus(await save(t, more), 201).body
  return {
    integrationId: record.integration_id,
    secret: record.secret ?? '',
    subject: record.subject,
    record,
  }
}
