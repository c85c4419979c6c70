import type { Conversation } from '../../generated/gateway.ts'
import type { Caller } from '../../targets/server/caller.ts'
import type { ServerContext } from '../../targets/server/context.ts'

/** An application of its own on a device of its own, so that what it uses up is nobody else's. */
export interface Tenant {
  readonly appId: string
  readonly endpointId: string
  readonly deviceId: string
  caller(subject?: string): Caller
  conversation(caller?: Caller): Promise<Conversation>
}

export interface TenantOptions {
  /** A device that exists. Default: a new one. */
  readonly deviceId?: string
  /** Unfinished runs that the application may have. Default: the default. */
  readonly pendingRuns?: number
}

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']

/** Makes it through the operator's surface; the check needs `admin`. Resolves when its device is online. */
export async function createTenant(t: ServerContext, options: TenantOptions = {}): Promise<Tenant> {
  const { deviceId = t.fresh('dev').replace('-', '_'), pendingRuns } = options
  const { app_id: appId } = await t.admin.call<{ app_id: string }>('POST', '/apps', {
    owner_id: 'conformance',
    ...(pendingRuns === undefined ? {} : { pending_limit: pendingRuns }),
  })
  const { key } = await t.admin.call<{ key: string }>('POST', `/apps/${appId}/keys`, { scopes: SCOPES })
  if (options.deviceId === undefined) await t.admin.call('POST', '/devices', { device_id: deviceId })
  const { endpoint_id: endpointId } = await t.admin.call<{ endpoint_id: string }>('POST', `/apps/${appId}/endpoints`, {
    device_id: deviceId,
    assistant: { type: 'script' },
  })
  await t.until(
    `the device ${deviceId} is online`,
    async () => (await t.admin.call<{ online: boolean }>('GET', `/devices/${deviceId}`)).online,
    (online) => online,
  )
  const caller = (subject = t.me.subject): Caller => t.caller({ apiKey: key, subject })
  const conversation = (by = caller()) => t.conversation({ endpoint_id: endpointId }, by)
  return { appId, endpointId, deviceId, caller, conversation }
}
