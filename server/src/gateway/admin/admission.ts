import type { Admitted, Found } from '../../domain/refusal.ts'
import { found } from '../../domain/refusal.ts'
import type { AdmissionSwitch } from '../../generated/admin.ts'
import { isAdmissionPaused, setAdmissionPaused } from '../../store/admin/admission-switch.ts'
import type { GatewayContext } from '../context.ts'
import { changed } from './outcomes.ts'

/** Whether the gateway as a whole admits new work. */
export const getAdmission = async ({ db }: GatewayContext): Promise<Found<AdmissionSwitch>> =>
  found({ paused: await isAdmissionPaused(db) })

/** Pauses or resumes admission on every process at once; paused, new work and new conversations are 503 CAPABILITY_UNAVAILABLE. */
export const setAdmission = async (
  { db }: GatewayContext,
  { paused }: AdmissionSwitch,
): Promise<Admitted<AdmissionSwitch>> => {
  await setAdmissionPaused(db, paused)
  return changed({ paused })
}
