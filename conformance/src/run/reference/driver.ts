import { randomBytes } from 'node:crypto'
import type { Driver } from '../../kit/config/driver.ts'
import { createGatewayRecords } from './gateway-records.ts'
import { createIntegrations } from './integrations.ts'
import type { Operator } from './operator.ts'
import type { ProcessControl } from './process-control.ts'
import type { ReferenceSetup } from './setup.ts'
import { SCOPES } from './setup.ts'

export interface ReferenceDriverOptions {
  readonly operator: Operator
  readonly setup: ReferenceSetup
  readonly control: ProcessControl
  /** Kills the gateway and starts it again. The new process does not serve the device `withoutDevice`. */
  restart(withoutDevice?: string): Promise<void>
  readonly launch: NonNullable<Driver['launch']>
  /** Writes the new secret to the bootstrap file, which a restarted gateway applies. */
  callbackSecretRotated(secret: string): Promise<void>
  /** Shuts the gateway down gracefully and starts it again. */
  shutDown(): Promise<void>
}

/** The driver of the reference gateway: calls the admin API, restarts the process, and controls code preloaded in it. */
export function createReferenceDriver(options: ReferenceDriverOptions): Driver {
  const { operator, setup, control, launch, restart, callbackSecretRotated, shutDown } = options
  const records = createGatewayRecords(operator, setup)
  const { appId, deviceOf, ownerOf, untilOnline } = records
  const first = appId('first')
  const keyIds = new Map<string, string>()
  let offlineDevice: string | null = null
  const createKey = (app: string, scopes: readonly string[]) =>
    operator.call<{ key: string; key_id: string }>('POST', `/apps/${app}/keys`, { scopes })
  const changeDevice = async (endpointId: string, action: string): Promise<void> => {
    await operator.call('POST', `/devices/${deviceOf(endpointId)}/${action}`)
  }
  const setAdmission = async (paused: boolean): Promise<void> => {
    await operator.call('PUT', '/admission', { paused })
  }
  const setAppState = async (app: string, state: string): Promise<void> => {
    await operator.call('PATCH', `/apps/${appId(app)}`, { state })
  }

  return {
    ...createIntegrations(records, callbackSecretRotated),
    launch,
    pauseAdmission: () => setAdmission(true),
    resumeAdmission: () => setAdmission(false),
    moveClock: async (milliseconds) => {
      await control.moveClock(milliseconds)
      // After a jump of the clock, devices are considered unavailable until their next heartbeat.
      await records.untilAllOnline(offlineDevice)
    },
    loseAnswers: control.loseAnswers,
    restartServer: () => restart(),
    shutDownServer: shutDown,
    createApp: async ({ pendingRuns } = {}) => {
      const { app_id: app } = await operator.call<{ app_id: string }>('POST', '/apps', {
        owner_id: 'conformance',
        ...(pendingRuns === undefined ? {} : { pending_limit: pendingRuns }),
      })
      return { app, key: (await createKey(app, SCOPES)).key }
    },
    disableApp: (app) => setAppState(app, 'disabled'),
    enableApp: (app) => setAppState(app, 'active'),
    limitApp: async (app, { pendingRuns, requestsPerSecond }) => {
      await operator.call('PATCH', `/apps/${appId(app)}`, {
        ...(pendingRuns === undefined ? {} : { pending_limit: pendingRuns }),
        ...(requestsPerSecond === undefined ? {} : { rate_limit_per_second: requestsPerSecond }),
      })
    },
    createKey: async (scopes) => {
      const { key, key_id: keyId } = await createKey(first, scopes)
      keyIds.set(key, keyId)
      return key
    },
    revokeKey: async (key) => {
      const keyId = keyIds.get(key)
      if (keyId === undefined) throw new Error('only keys that createKey made can be revoked')
      await operator.call('POST', `/apps/${first}/keys/${keyId}/revoke`)
    },
    createService: async ({ app = 'first', accepts = ['text/*'], besides } = {}) => {
      const name = randomBytes(6).toString('hex')
      const endpointId = `ep_${name}`
      const deviceId = besides === undefined ? `dev_${name}` : deviceOf(besides)
      if (besides === undefined) await operator.call('POST', '/devices', { device_id: deviceId })
      await operator.call('POST', `/apps/${appId(app)}/endpoints`, {
        endpoint_id: endpointId,
        device_id: deviceId,
        assistant: { type: 'script' },
        accepts,
      })
      records.add({ endpointId, deviceId, appId: appId(app) })
      await untilOnline(deviceId)
      return { endpointId }
    },
    publishVersion: async (endpointId, compatibility) => {
      const { binding_version: version } = await operator.call<{ binding_version: number }>(
        'POST',
        `/apps/${ownerOf(endpointId)}/endpoints/${endpointId}/versions`,
        { compatibility },
      )
      return version
    },
    takeDeviceOffline: (endpointId) => {
      offlineDevice = deviceOf(endpointId)
      return restart(offlineDevice)
    },
    bringDeviceOnline: async (endpointId) => {
      offlineDevice = null
      await restart()
      await untilOnline(deviceOf(endpointId))
    },
    pauseDevice: (endpointId) => changeDevice(endpointId, 'pause'),
    resumeDevice: (endpointId) => changeDevice(endpointId, 'resume'),
    disableDevice: (endpointId) => changeDevice(endpointId, 'disable'),
    enableDevice: (endpointId) => changeDevice(endpointId, 'enable'),
    limitDevice: async (endpointId, { pendingRuns }) => {
      if (pendingRuns !== undefined)
        await operator.call('PATCH', `/devices/${deviceOf(endpointId)}`, { pending_limit: pendingRuns })
    },
    decideApproval: async (approvalId, decision) => {
      await operator.call('POST', `/approvals/${approvalId}/decision`, {
        decision: decision === 'approved' ? 'approve' : 'deny',
      })
    },
    expireEvents: async (conversationId, upToSeq) => {
      await operator.call('POST', '/events/prune', {
        app_id: first,
        conversation_id: conversationId,
        up_to_seq: upToSeq,
      })
    },
  }
}
