import type { Refusal } from './refusal.ts'
import { refuse } from './refusal.ts'

/** The latest start of a run: what was asked for when it lies in the window, else a refusal naming the field. */
export const startDeadline = (requested: string | undefined, now: Date, windowMs: number): Date | Refusal => {
  const latest = new Date(now.getTime() + windowMs)
  if (requested === undefined) return latest
  const asked = new Date(requested)
  const fault = (message: string) =>
    refuse('INVALID_REQUEST', `start_before ${message}.`, { faults: [{ pointer: '/start_before', message }] })
  if (Number.isNaN(asked.getTime())) return fault('is not a moment that exists')
  if (asked <= now) return fault(`must be later than now (${now.toISOString()})`)
  if (asked > latest) return fault(`must be at most ${windowMs / 60_000} minutes from now (${latest.toISOString()})`)
  return asked
}
