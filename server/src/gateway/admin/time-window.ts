import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** The query that limits a list to records created within a window of time. */
export interface TimeWindow {
  readonly created_after?: string
  readonly created_before?: string
  readonly older_than_seconds?: number
}

/**
 * Reads a window: `from` is inclusive, `before` is exclusive, and null is no limit. Refuses a timestamp that JavaScript
 * cannot parse, such as a leap second, with INVALID_REQUEST.
 */
export const readTimeWindow = (
  { created_after: after, created_before: before, older_than_seconds: age }: TimeWindow,
  now: Date,
): { readonly from: Date | null; readonly before: Date | null } | Refusal => {
  const from = after === undefined ? null : new Date(after)
  const until = before === undefined ? null : new Date(before)
  if (isInvalid(from)) return refuseTimestamp('created_after')
  if (isInvalid(until)) return refuseTimestamp('created_before')
  const aged = age === undefined ? null : new Date(now.getTime() - age * 1000 + 1)
  return { from, before: until === null || (aged !== null && aged < until) ? aged : until }
}

const isInvalid = (time: Date | null): boolean => time !== null && Number.isNaN(time.getTime())

const refuseTimestamp = (pointer: string): Refusal => {
  const message = 'is not a valid timestamp'
  return refuse('INVALID_REQUEST', `${pointer} ${message}.`, { faults: [{ pointer, message }] })
}

/** The earlier of two IDs. IDs sort by the time of their creation. */
export const earliest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one
