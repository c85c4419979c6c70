import type { OrRefusal, SavedWebhook, WebhookSettings } from '../config/driver.ts'
import type { WebhookConfig } from '../config/server-config.ts'
import type { ServerContext } from '../server/context.ts'
import { granted } from './refusals.ts'

/** Settings with values of any type, to test invalid ones. */
export type AnySettings = Readonly<Partial<Record<keyof WebhookSettings, unknown>>>

/**
 * Settings of an integration of the first application with the action `new` and the text at `event.text`. `more`
 * overrides them.
 */
const settingsOf = (t: ServerContext, more: AnySettings): WebhookSettings =>
  ({
    app: 'first',
    endpointId: t.config.services.main,
    subject: t.fresh('webhook'),
    eventTypeField: 'event.type',
    eventTypes: ['conformance.event'],
    action: 'new',
    messageField: 'event.text',
    ...more,
  }) as WebhookSettings

/** Saves an integration. The check needs `driver.saveWebhook`. */
export const save = (t: ServerContext, more: AnySettings = {}): Promise<OrRefusal<SavedWebhook>> =>
  t.driver.saveWebhook(settingsOf(t, more))

/** Saves an integration, and returns what a sender needs. Fails if the gateway refuses it. */
export async function saved(
  t: ServerContext,
  more: AnySettings = {},
): Promise<WebhookConfig & { readonly url: string }> {
  const settings = settingsOf(t, more)
  const what = `an integration with ${JSON.stringify(more)}`
  const { integrationId, secret, url } = granted(await t.driver.saveWebhook(settings), what)
  return { integrationId, secret, url, subject: settings.subject ?? '' }
}
