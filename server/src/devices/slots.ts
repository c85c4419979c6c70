import type { WorkerSettings } from './settings.ts'

/** The slots that a worker has for each of its devices: what one device executes takes none of another's. */
export interface Slots {
  /** Runs that can be taken in hand for the device. */
  free(deviceId: string): number
  /** A run of the device is in hand. */
  take(deviceId: string): void
  giveBack(deviceId: string): void
  /** A run in hand waits for an approval: it needs no slot until it goes on, whether there is one or not. */
  rest(deviceId: string): void
  goOn(deviceId: string): void
}

interface Counts {
  held: number
  resting: number
}

export const createSlots = ({
  runConcurrency,
  heldRuns,
}: Pick<WorkerSettings, 'runConcurrency' | 'heldRuns'>): Slots => {
  const devices = new Map<string, Counts>()
  const add = (deviceId: string, held: number, resting: number): void => {
    const counts = devices.get(deviceId) ?? { held: 0, resting: 0 }
    counts.held += held
    counts.resting += resting
    if (counts.held === 0) devices.delete(deviceId)
    else devices.set(deviceId, counts)
  }
  return {
    free: (deviceId) => {
      const { held, resting } = devices.get(deviceId) ?? { held: 0, resting: 0 }
      return Math.max(0, Math.min(runConcurrency - (held - resting), heldRuns - held))
    },
    take: (deviceId) => add(deviceId, 1, 0),
    giveBack: (deviceId) => add(deviceId, -1, 0),
    rest: (deviceId) => add(deviceId, 0, 1),
    goOn: (deviceId) => add(deviceId, 0, -1),
  }
}
