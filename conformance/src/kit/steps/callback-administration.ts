import { randomBytes } from 'node:crypto'
import type { Conversation } from '#openapi/generated/gateway'
import type { CallbackSettings, DeliveryView, OrRefusal, SavedCallback } from '../config/driver.ts'
import type { ServerContext } from '../server/context.ts'
import { granted } from './refusals.ts'

/** Settings of a disabled configuration for completed runs of the suite's service. `more` overrides them. */
const settingsOf = (t: ServerContext, more: CallbackSettings): CallbackSettings => ({
  app: 'first',
  ...(t.config.callbacks === undefined ? {} : { endpointId: t.config.callbacks.service }),
  url: `${t.callbacks.origin}/own/${t.fresh()}`,
  events: ['run.completed'],
  enabled: false,
  ...more,
})

/** Saves a configuration. The check needs `driver.saveCallback`. */
export const save = (t: ServerContext, more: CallbackSettings = {}): Promise<OrRefusal<SavedCallback>> =>
  t.driver.saveCallback(settingsOf(t, more))

export const saved = async (t: ServerContext, more: CallbackSettings = {}): Promise<SavedCallback> =>
  granted(await save(t, more), `a configuration with ${JSON.stringify(more)}`)

/** Changes a configuration. The check needs `driver.changeCallback`. */
export const change = async (
  t: ServerContext,
  { callbackId }: SavedCallback,
  settings: CallbackSettings,
): Promise<{ readonly version?: number }> =>
  granted(await t.driver.changeCallback(settings, callbackId), `the change ${JSON.stringify(settings)}`)

/** Lists all deliveries of a configuration. The check needs `driver.listDeliveries`. */
export const deliveriesOf = (t: ServerContext, { callbackId }: SavedCallback): Promise<readonly DeliveryView[]> =>
  t.driver.listDeliveries({ callbackId })

/** The needs of checks that use `ownCallback`. */
export const OWN_CALLBACK = [
  'callbacks',
  'driver.createService',
  'driver.saveCallback',
  'driver.listDeliveries',
] as const

/** Creates a configuration for a new service, so that it delivers nothing else. */
export async function ownCallback(t: ServerContext, more: CallbackSettings = {}) {
  const { endpointId } = await t.driver.createService()
  const path = `/own/${randomBytes(6).toString('hex')}`
  const callback = await saved(t, { endpointId, url: t.callbacks.origin + path, enabled: true, ...more })
  const requests = () => t.callbacks.all().filter((request) => request.path === path)
  return {
    callback,
    endpointId,
    path,
    converse: (): Promise<Conversation> => t.conversation({ endpoint_id: endpointId }),
    /** Requests to its own URL. */
    requests,
    /** Waits for at least `count` of these requests, and returns all. */
    arrived: (count: number) =>
      t.until(
        `${count} callbacks to ${path}`,
        async () => requests(),
        ({ length }) => length >= count,
      ),
    /** Waits for the first delivery for which the condition is true. */
    delivery: async (what: string, holds: (delivery: DeliveryView) => boolean): Promise<DeliveryView> => {
      const all = await t.until(
        what,
        () => deliveriesOf(t, callback),
        (deliveries) => deliveries.some(holds),
      )
      const found = all.find(holds)
      if (found === undefined) throw new Error(`no delivery of ${callback.callbackId}`)
      return found
    },
  }
}

/** When a delivery is sent again, in milliseconds. If the gateway does not show it, the check is not testable. */
export function dueAt(t: ServerContext, { nextAttemptAt }: DeliveryView): number {
  if (nextAttemptAt === undefined || nextAttemptAt === null)
    t.untestable('the deliveries of this gateway do not show when they are sent again')
  return Date.parse(nextAttemptAt)
}
