import type { Admitted, Found } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { AdmissionSwitch } from '@conversation-gateway/openapi/generated/admin-closed'
import { isAdmissionPaused, setAdmissionPaused } from '../../store/admin/admission-switch.ts'
import type { GatewayContext } from '../context.ts'
import { changed } from './outcomes.ts'

/** Whether the gateway as a whole admits new work. */
export const getAdmission = async ({ db }: GatewayContext): Promise<Found<AdmissionSwitch>> =>
  found({ paused: await isAdmissionPaused(db) })

/**
 * Pauses or resumes admission on every process at once. During a pause, new work and new conversations are
 * CAPABILITY_UNAVAILABLE (503).
 */
export const setAdmission = async (
  { db }: GatewayContext,
  { paused }: AdmissionSwitch,
): Promise<Admitted<AdmissionSwitch>> => {
  await setAdmissionPaused(db, paused)
  return changed({ paused })
}
