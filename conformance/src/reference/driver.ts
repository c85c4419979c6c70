import { randomBytes } from 'node:crypto'
import type { DeliveryView, Driver } from '../config/driver.ts'
import type { ClockControl } from './clock-control.ts'
import type { Operator } from './operator.ts'
import type { ReferenceSetup } from './setup.ts'
import { SUITE_RATE } from './setup.ts'

export interface ReferenceDriverOptions {
  readonly operator: Operator
  readonly setup: ReferenceSetup
  readonly clock: ClockControl
  /** Kills the gateway and starts it again; with a device named, nothing serves that one afterwards. */
  restart(withoutDevice?: string): Promise<void>
  readonly launch: NonNullable<Driver['launch']>
  /** A gateway that starts again has to find the new secret, since it takes over what its bootstrap file says. */
  callbackSecretRotated(secret: string): Promise<void>
  /** Lets the gateway end by itself and starts it again. */
  shutDown(): Promise<void>
}

interface DeliveryRecord {
  readonly delivery_id: string
  readonly event_id: string
  readonly conversation_id: string
  readonly state: DeliveryView['state']
  readonly attempts: number
  readonly last_error: { readonly message: string } | null
}

const toDeliveryView = (record: DeliveryRecord): DeliveryView => ({
  deliveryId: record.delivery_id,
  eventId: record.event_id,
  state: record.state,
  attempts: record.attempts,
  lastError: record.last_error?.message ?? null,
})

const DEVICE_POLL_MS = 50
const MOST_LOOKS = 100

/** The driver of the reference gateway: its operator's API, its process and its clock. */
export function createReferenceDriver(options: ReferenceDriverOptions): Driver {
  const { operator, setup, clock, launch, restart, callbackSecretRotated, shutDown } = options
  const { devices, callbackId } = setup
  const keyIds = new Map<string, string>()
  let away: string | null = null
  const deviceOf = (endpointId: string): string => {
    const device = devices.get(endpointId)
    if (device === undefined) throw new Error(`no device is known for the service ${endpointId}`)
    return device
  }
  const appId = (app: 'first' | 'second'): string => setup.apps[app].appId ?? ''
  const first = appId('first')
  const changeDevice = async (endpointId: string, action: string): Promise<void> => {
    await operator.call('POST', `/devices/${deviceOf(endpointId)}/${action}`)
  }
  const setAdmission = async (paused: boolean): Promise<void> => {
    await operator.call('PUT', '/admission', { paused })
  }
  const setAppState = async (app: 'first' | 'second', state: string): Promise<void> => {
    await operator.call('PATCH', `/apps/${appId(app)}`, { state })
  }
  const untilOnline = async (device: string): Promise<void> => {
    for (;;) {
      const { online } = await operator.call<{ online: boolean }>('GET', `/devices/${device}`)
      if (online) return
      await new Promise((resolve) => setTimeout(resolve, DEVICE_POLL_MS))
    }
  }
  /** After a leap of the clock devices count as away until they are heard of again. Gives up on those that never are. */
  const untilAllOnline = async (): Promise<void> => {
    const served = new Set([...devices.values()].filter((device) => device !== away))
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const { devices: all } = await operator.call<{
        devices: { device_id: string; state: string; online: boolean }[]
      }>('GET', '/devices?limit=200')
      if (!all.some(({ device_id: id, state, online }) => served.has(id) && state === 'active' && !online)) return
      await new Promise((resolve) => setTimeout(resolve, DEVICE_POLL_MS))
    }
  }

  return {
    publishVersion: async (endpointId, compatibility) => {
      const app = endpointId === setup.services.foreign ? appId('second') : first
      const { binding_version: version } = await operator.call<{ binding_version: number }>(
        'POST',
        `/apps/${app}/endpoints/${endpointId}/versions`,
        {
          compatibility,
        },
      )
      return version
    },
    pauseAdmission: () => setAdmission(true),
    resumeAdmission: () => setAdmission(false),
    takeDeviceOffline: (endpointId) => {
      away = deviceOf(endpointId)
      return restart(away)
    },
    bringDeviceOnline: async (endpointId) => {
      away = null
      await restart()
      await untilOnline(deviceOf(endpointId))
    },
    pauseDevice: (endpointId) => changeDevice(endpointId, 'pause'),
    resumeDevice: (endpointId) => changeDevice(endpointId, 'resume'),
    disableDevice: (endpointId) => changeDevice(endpointId, 'disable'),
    enableDevice: (endpointId) => changeDevice(endpointId, 'enable'),
    disableApp: (app) => setAppState(app, 'disabled'),
    enableApp: (app) => setAppState(app, 'active'),
    createKey: async (scopes) => {
      const { key, key_id: keyId } = await operator.call<{ key: string; key_id: string }>(
        'POST',
        `/apps/${first}/keys`,
        { scopes },
      )
      keyIds.set(key, keyId)
      return key
    },
    revokeKey: async (key) => {
      const keyId = keyIds.get(key)
      if (keyId === undefined) throw new Error('only keys that createKey made can be revoked')
      await operator.call('POST', `/apps/${first}/keys/${keyId}/revoke`)
    },
    limitApp: async ({ pendingRuns, requestsPerSecond }) => {
      await operator.call('PATCH', `/apps/${first}`, {
        ...(pendingRuns === undefined ? {} : { pending_limit: pendingRuns }),
        ...(requestsPerSecond === undefined ? {} : { rate_limit_per_second: requestsPerSecond ?? SUITE_RATE }),
      })
    },
    limitDevice: async (endpointId, { pendingRuns }) => {
      if (pendingRuns !== undefined)
        await operator.call('PATCH', `/devices/${deviceOf(endpointId)}`, { pending_limit: pendingRuns })
    },
    expireEvents: async (conversationId, upToSeq) => {
      await operator.call('POST', '/events/prune', {
        app_id: first,
        conversation_id: conversationId,
        up_to_seq: upToSeq,
      })
    },
    decideApproval: async (approvalId, decision) => {
      await operator.call('POST', `/approvals/${approvalId}/decision`, {
        decision: decision === 'approved' ? 'approve' : 'deny',
      })
    },
    listDeliveries: async (conversationId) => {
      const found: DeliveryView[] = []
      for (let before = ''; ; ) {
        const { deliveries } = await operator.call<{ deliveries: DeliveryRecord[] }>(
          'GET',
          `/deliveries?callback_id=${callbackId}&limit=200${before}`,
        )
        for (const record of deliveries)
          if (record.conversation_id === conversationId) found.push(toDeliveryView(record))
        const last = deliveries.at(-1)
        if (last === undefined) return found
        before = `&before=${last.delivery_id}`
      }
    },
    retryDelivery: async (deliveryId) =>
      typeof (await operator.tryCall('POST', `/deliveries/${deliveryId}/retry`, [409])) !== 'number',
    rotateCallbackSecret: async () => {
      const { secret } = await operator.call<{ secret: string }>('POST', `/callbacks/${callbackId}/rotate-secret`)
      await callbackSecretRotated(secret)
      return secret
    },
    setCallbackEnabled: async (enabled) => {
      await operator.call('PATCH', `/callbacks/${callbackId}`, { enabled })
    },
    moveClock: async (milliseconds) => {
      await clock.move(milliseconds)
      await untilAllOnline()
    },
    launch,
    restartServer: () => restart(),
    shutDownServer: shutDown,
    createService: async ({ accepts = ['text/*'] } = {}) => {
      const name = randomBytes(6).toString('hex')
      const [deviceId, endpointId] = [`dev_${name}`, `ep_${name}`]
      await operator.call('POST', '/devices', { device_id: deviceId })
      await operator.call('POST', `/apps/${first}/endpoints`, {
        endpoint_id: endpointId,
        device_id: deviceId,
        assistant: { type: 'script' },
        accepts,
      })
      devices.set(endpointId, deviceId)
      await untilOnline(deviceId)
      return { endpointId }
    },
  }
}
