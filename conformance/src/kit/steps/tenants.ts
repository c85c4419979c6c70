import type { Conversation } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'

/** A separate application on a separate device, so that its usage does not affect others. */
export interface Tenant {
  /** The driver's name of the application. */
  readonly app: string
  readonly endpointId: string
  caller(subject?: string): Caller
  conversation(caller?: Caller): Promise<Conversation>
}

export interface TenantOptions {
  /** A tenant whose device it shares. Default: a new one. */
  readonly besides?: Tenant
  /** Maximum number of unfinished runs of the application. Default: that of the gateway. */
  readonly pendingRuns?: number
}

/** The needs of checks that use `createTenant`. */
export const TENANT = ['driver.createApp', 'driver.createService'] as const

export async function createTenant(t: ServerContext, options: TenantOptions = {}): Promise<Tenant> {
  const { besides, pendingRuns } = options
  const { app, key } = await t.driver.createApp(pendingRuns === undefined ? {} : { pendingRuns })
  const { endpointId } = await t.driver.createService({
    app,
    ...(besides === undefined ? {} : { besides: besides.endpointId }),
  })
  const caller = (subject = t.me.subject): Caller => t.caller({ apiKey: key, subject })
  const conversation = (by = caller()) => t.conversation({ endpoint_id: endpointId }, by)
  return { app, endpointId, caller, conversation }
}
