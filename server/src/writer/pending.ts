import type { PendingCount } from '../store/pending-runs.ts'

/** The number of unfinished runs known to a batch: the read count plus its own admissions. */
export interface Pending {
  readonly ofApp: (appId: string) => number
  readonly ofDevice: (deviceId: string) => number
  /** The batch has admitted one. */
  add(appId: string, deviceId: string): void
}

export const createPending = (counts: readonly PendingCount[]): Pending => {
  const apps = new Map(counts.map(({ appId, ofApp }) => [appId, ofApp]))
  const devices = new Map(counts.map(({ deviceId, ofDevice }) => [deviceId, ofDevice]))
  const ofApp = (appId: string): number => apps.get(appId) ?? 0
  const ofDevice = (deviceId: string): number => devices.get(deviceId) ?? 0
  return {
    ofApp,
    ofDevice,
    add: (appId, deviceId) => {
      apps.set(appId, ofApp(appId) + 1)
      devices.set(deviceId, ofDevice(deviceId) + 1)
    },
  }
}
