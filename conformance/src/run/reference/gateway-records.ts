import type { AppName } from '../../kit/config/driver.ts'
import type { Operator } from './operator.ts'
import type { ReferenceSetup } from './setup.ts'

/** The gateway's records that its driver needs. */
export interface GatewayRecords {
  readonly operator: Operator
  readonly setup: ReferenceSetup
  /** Returns the ID of an application. */
  appId(app: AppName): string
  /** Returns the application that owns a service. */
  ownerOf(endpointId: string): string
  deviceOf(endpointId: string): string
  /** Records a service that was published after the setup. */
  add(service: { readonly endpointId: string; readonly deviceId: string; readonly appId: string }): void
  /** Resolves when the device is online. */
  untilOnline(deviceId: string): Promise<void>
  /** Resolves when all active devices of the services, except this one, are online, or after about 20 seconds. */
  untilAllOnline(offlineDevice: string | null): Promise<void>
}

const DEVICE_POLL_MS = 50
const MAX_POLLS = 400

interface DeviceRecord {
  readonly device_id: string
  readonly state: string
  readonly online: boolean
}

export function createGatewayRecords(operator: Operator, setup: ReferenceSetup): GatewayRecords {
  const { devices, services } = setup
  const owners = new Map<string, string>()
  const { first, second } = setup.apps
  const ids: Readonly<Record<string, string | undefined>> = { first: first.appId, second: second.appId }
  const appId = (app: AppName): string => ids[app] ?? app
  return {
    operator,
    setup,
    appId,
    ownerOf: (endpointId) => owners.get(endpointId) ?? appId(endpointId === services.foreign ? 'second' : 'first'),
    deviceOf: (endpointId) => {
      const device = devices.get(endpointId)
      if (device === undefined) throw new Error(`no device is known for the service ${endpointId}`)
      return device
    },
    add: ({ endpointId, deviceId, appId: owner }) => {
      devices.set(endpointId, deviceId)
      owners.set(endpointId, owner)
    },
    untilOnline: async (deviceId) => {
      for (;;) {
        const { online } = await operator.call<DeviceRecord>('GET', `/devices/${deviceId}`)
        if (online) return
        await pause()
      }
    },
    untilAllOnline: async (offlineDevice) => {
      const served = new Set([...devices.values()].filter((device) => device !== offlineDevice))
      for (let poll = 0; poll < MAX_POLLS; poll += 1) {
        const { devices: all } = await operator.call<{ devices: DeviceRecord[] }>('GET', '/devices?limit=200')
        if (!all.some(({ device_id: id, state, online }) => served.has(id) && state === 'active' && !online)) return
        await pause()
      }
    },
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DEVICE_POLL_MS))
