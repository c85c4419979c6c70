import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  CreateDevice,
  Device,
  DeviceList,
  UpdateDevice,
} from '@conversation-gateway/openapi/generated/admin-closed'
import type { DeviceState, StoredDevice } from '../../store/admin/devices.ts'
import * as store from '../../store/admin/devices.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, insertUnlessTaken, pageSize, taken, unknown } from './outcomes.ts'
import { deviceRecord } from './records.ts'

/**
 * Creates an active device (201), which is online as soon as a worker serves it. A taken ID is ALREADY_EXISTS (409).
 */
export const createDevice = async (
  context: GatewayContext,
  body: CreateDevice,
): Promise<Admitted<Device> | Refusal> => {
  const now = context.clock.now()
  const device = newDevice({ ...body, device_id: body.device_id ?? newId('dev', now) }, now)
  if (!(await insertUnlessTaken(store.insertDevice(context.db, device), [store.DEVICE_ID_CONSTRAINT])))
    return taken('device', device.deviceId)
  return created(deviceRecord(device, context))
}

export const newDevice = (body: CreateDevice & { readonly device_id: string }, now: Date): StoredDevice => ({
  deviceId: body.device_id,
  name: body.name ?? null,
  state: 'active',
  pendingLimit: body.pending_limit ?? null,
  streamLimit: body.stream_limit ?? null,
  heartbeatAt: null,
  createdAt: now,
})

/** Changes the members that the body contains; null resets a limit to the gateway's default. */
export const updateDevice = (
  context: GatewayContext,
  deviceId: string,
  body: UpdateDevice,
): Promise<Admitted<Device> | Refusal> =>
  context.db.transaction(async (tx) => {
    const device = await store.lockDevice(tx, deviceId)
    if (device === null) return unknown('device', deviceId)
    const next = withDeviceChanges(device, body)
    await store.updateDevice(tx, next)
    return changed(deviceRecord(next, context))
  })

export const withDeviceChanges = (device: StoredDevice, body: UpdateDevice): StoredDevice => ({
  ...device,
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.pending_limit === undefined ? {} : { pendingLimit: body.pending_limit }),
  ...(body.stream_limit === undefined ? {} : { streamLimit: body.stream_limit }),
})

export const getDevice = async (context: GatewayContext, deviceId: string): Promise<Found<Device> | Refusal> => {
  const device = await store.findDevice(context.db, deviceId)
  return device === null ? unknown('device', deviceId) : found(deviceRecord(device, context))
}

/** Newest first; an empty page ends the list. */
export const listDevices = async (context: GatewayContext, page: PageQuery): Promise<Found<DeviceList> | Refusal> => {
  const { db } = context
  if (page.before !== undefined && (await store.findDevice(db, page.before)) === null)
    return unknown('device', page.before)
  const devices = await store.listDevices(db, page.before ?? null, pageSize(page))
  return found({ devices: devices.map((device) => deviceRecord(device, context)) })
}

/** The operator's actions on a device: the states in which each has an effect, and the resulting state (D-43). */
const MOVES = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  disable: { from: ['active', 'paused'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
} as const satisfies Record<string, { readonly from: readonly DeviceState[]; readonly to: DeviceState }>

/** Pauses, resumes, disables or enables a device. Has no effect in other states than those of `MOVES`. */
export const moveDevice = async (
  context: GatewayContext,
  deviceId: string,
  move: keyof typeof MOVES,
): Promise<Admitted<Device> | Refusal> => {
  const { db, wakeups } = context
  await store.moveDevice(db, deviceId, MOVES[move].from, MOVES[move].to)
  const device = await store.findDevice(db, deviceId)
  if (device === null) return unknown('device', deviceId)
  // Runs that waited for the device can start.
  if (device.state === 'active') wakeups.workAvailable(deviceId)
  return changed(deviceRecord(device, context))
}
