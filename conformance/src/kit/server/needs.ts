import type { Driver } from '../config/driver.ts'
import type { ServerConfig, ServicesConfig, WebhooksConfig } from '../config/server-config.ts'

/** Parts of a server's configuration that a check may need. */
export type ServerNeed =
  | `driver.${keyof Driver}`
  | `webhooks.${keyof WebhooksConfig}`
  | `services.${keyof ServicesConfig}`
  | 'callbacks'
  | 'callbacks.allowedHost'
  | 'model'
  | 'admin'
  | 'appIds'
  | 'scopedKeys'
  | 'freshSubjects'

/** The needs that a configuration meets. */
export function listCapabilities(config: ServerConfig): Set<ServerNeed> {
  const { driver = {}, webhooks = {}, services, callbacks, model, admin, apps } = config
  const has = <Name extends string>(part: object, prefix: Name) =>
    Object.entries(part)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => `${prefix}.${name}`)
  const found = [
    ...has(driver, 'driver'),
    ...has(webhooks, 'webhooks'),
    ...has(services, 'services'),
    ...(callbacks === undefined ? [] : ['callbacks']),
    ...(callbacks?.allowedHost === undefined ? [] : ['callbacks.allowedHost']),
    ...(model === undefined ? [] : ['model']),
    ...(admin === undefined ? [] : ['admin']),
    ...(apps.first.appId === undefined || apps.second.appId === undefined ? [] : ['appIds']),
    ...(apps.first.scopedKeys === undefined ? [] : ['scopedKeys']),
    ...((config.freshSubjects ?? true) ? ['freshSubjects'] : []),
  ]
  return new Set(found as ServerNeed[])
}
