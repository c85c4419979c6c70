import type { Refusal } from './refusal.ts'
import { refuse } from './refusal.ts'

/**
 * The start deadline of a run: the requested one, by default the end of the window. A deadline outside the window gives
 * a refusal that names the field.
 */
export const startDeadline = (requested: string | undefined, now: Date, windowMs: number): Date | Refusal => {
  const latest = new Date(now.getTime() + windowMs)
  if (requested === undefined) return latest
  const asked = new Date(requested)
  if (Number.isNaN(asked.getTime())) return fault('is not a valid timestamp')
  const past = refusePast(asked, now)
  if (past !== null) return past
  if (asked > latest) return fault(`must be at most ${windowMs / 60_000} minutes from now (${latest.toISOString()})`)
  return asked
}

/** The refusal of a start deadline that has passed before the admission; null if there is time left. */
export const refusePast = (startBefore: Date, now: Date): Refusal | null =>
  startBefore <= now ? fault(`must be later than now (${now.toISOString()})`) : null

const fault = (message: string): Refusal =>
  refuse('INVALID_REQUEST', `start_before ${message}.`, { faults: [{ pointer: '/start_before', message }] })
